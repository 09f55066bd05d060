/**
 * The attributes that a span may have. A closed list, as for log lines: traces leave the machine, so credentials, addresses,
 * bodies and texts of a service must not get there by accident.
 */
export interface SpanFacts {
  account?: string | undefined;
  importId?: string | undefined;
  fileName?: string | undefined;
  purchaseOrderId?: string | undefined;
  poNumber?: string | undefined;
  /** The PO's state after the work. */
  state?: string | undefined;
  orderNumber?: string | undefined;
  /** The call to the service, such as `createOrder`. */
  call?: string | undefined;
  fromDate?: string | undefined;
  toDate?: string | undefined;
  /** The outcome of the work, as a code. */
  result?: string | undefined;
  /** HTTP status. */
  status?: number | undefined;
  rows?: number | undefined;
  seen?: number | undefined;
  changes?: number | undefined;
}

export type NoteFacts = (facts: SpanFacts) => void;

/** Runs work in a span. Spans within it become its children; a job that it enqueues belongs to the trace of the job's own import. */
export type Trace = <T>(
  name: string,
  facts: SpanFacts,
  work: (note: NoteFacts) => Promise<T>,
  /** `client`: a request to a service. `file`: begins the trace of its import. `of file`: belongs to that trace, whoever the caller is. */
  kind?: 'client' | 'file' | 'of file',
) => Promise<T>;

/** Gives the same answer in every process with this ledger, so that no one has to store or pass on a file's trace. */
export type TraceOfImport = (importId: string) => string;

export interface Tracing {
  trace: Trace;
  /** Trace context of an import, in BullMQ's format for jobs; undefined: no spans are recorded. */
  traceOf: TraceOfImport | undefined;
  /** Sends the remaining spans, for a few seconds at most. Idempotent, never throws. */
  stop(): Promise<void>;
}

const nothing: NoteFacts = () => {};

/** No spans. */
export const untraced: Trace = (_name, _facts, work) => work(nothing);

/** The OpenTelemetry variables that Cartwright itself reads; OpenTelemetry's packages read the rest. */
export interface TracingSettings {
  /** The collector's address from the variables; undefined: the standard one, on this machine. */
  endpoint: string | undefined;
  /** From the variables; undefined: not set. */
  protocol: string | undefined;
  /** The names of the variables read, for messages. */
  names: { endpoint: string; protocol: string };
  /** Timeout of a request to the collector, including retries. */
  timeoutMs: number;
}
