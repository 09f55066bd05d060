/**
 * What a span may say. A closed list, as for log lines: traces leave the machine, so credentials, addresses, bodies and what a
 * service answered in its own words must not get there by accident.
 */
export interface SpanFacts {
  account?: string | undefined;
  importId?: string | undefined;
  fileName?: string | undefined;
  purchaseOrderId?: string | undefined;
  poNumber?: string | undefined;
  /** Of a PO, after the work. */
  state?: string | undefined;
  orderNumber?: string | undefined;
  /** The call to the service, such as `createOrder`. */
  call?: string | undefined;
  fromDate?: string | undefined;
  toDate?: string | undefined;
  /** How the work ended, as one of its codes. */
  result?: string | undefined;
  /** HTTP status. */
  status?: number | undefined;
  rows?: number | undefined;
  seen?: number | undefined;
  changes?: number | undefined;
}

export type NoteFacts = (facts: SpanFacts) => void;

/** Does work in a span. Spans of work within it belong to it; a job that it enqueues belongs to the trace of its own import. */
export type Trace = <T>(
  name: string,
  facts: SpanFacts,
  work: (note: NoteFacts) => Promise<T>,
  /** `client`: a request to a service. `file`: begins the trace of its import; `of file`: belongs to it, whatever it is called from. */
  kind?: 'client' | 'file' | 'of file',
) => Promise<T>;

/** The same in every process with this ledger, so that nobody has to keep or pass on which trace a file has. */
export type TraceOfImport = (importId: string) => string;

export interface Tracing {
  trace: Trace;
  /** What puts a job into the trace of an import, as BullMQ passes it on; undefined: no spans are recorded. */
  traceOf: TraceOfImport | undefined;
  /** Sends what is left, for a few seconds at most. Idempotent, never throws. */
  stop(): Promise<void>;
}

const nothing: NoteFacts = () => {};

/** No spans. */
export const untraced: Trace = (_name, _facts, work) => work(nothing);

/** What Cartwright itself reads of OpenTelemetry's variables; its packages read the rest. */
export interface TracingSettings {
  /** The address of the collector as the variables have it; undefined: the standard one, on this machine. */
  endpoint: string | undefined;
  /** As the variables have it; undefined: not set. */
  protocol: string | undefined;
  /** The variables that these were read from, for messages. */
  names: { endpoint: string; protocol: string };
  /** How long a request to the collector may take, with its retries. */
  timeoutMs: number;
}
