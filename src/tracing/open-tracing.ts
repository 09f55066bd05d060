import { createHash } from 'node:crypto';
import {
  type Attributes,
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace as traces,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  RandomIdGenerator,
  type ReadableSpan,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import type { Logger } from '../logger.ts';
import { readPackage } from '../package.ts';
import { withOneWarning } from './collector-warning.ts';
import type { NoteFacts, SpanFacts, Trace, TraceOfImport, Tracing, TracingSettings } from './trace.ts';

/** A collector that does not answer must not keep a process from stopping. */
const stopWithinMs = 3000;

const attributeOf = {
  account: 'cartwright.account',
  importId: 'cartwright.import.id',
  fileName: 'cartwright.file.name',
  purchaseOrderId: 'cartwright.purchase_order.id',
  poNumber: 'cartwright.po_number',
  state: 'cartwright.state',
  orderNumber: 'cartwright.order_number',
  call: 'cartwright.call',
  fromDate: 'cartwright.from_date',
  toDate: 'cartwright.to_date',
  result: 'cartwright.result',
  status: 'http.response.status_code',
  rows: 'cartwright.rows',
  seen: 'cartwright.purchase_orders.seen',
  changes: 'cartwright.changes',
} as const satisfies Record<keyof SpanFacts, string>;

const attributesOf = (facts: SpanFacts): Record<string, string | number> =>
  Object.fromEntries(
    Object.entries(facts).flatMap(([name, value]) =>
      value === undefined ? [] : [[attributeOf[name as keyof SpanFacts], value]],
    ),
  );

/** BullMQ constantly polls its queues and renews locks; such spans belong to no work. */
const isIdle = (span: ReadableSpan): boolean =>
  span.kind === SpanKind.INTERNAL &&
  span.parentSpanContext === undefined &&
  !span.name.startsWith('cartwright ');

/** Removes error texts from a span: they may quote an answer of a service, or an address. */
const withoutTexts = (span: ReadableSpan): ReadableSpan =>
  Object.create(span, {
    status: { value: { code: span.status.code } },
    events: {
      value: span.events.map((event) => ({
        ...event,
        attributes: { 'exception.type': event.attributes?.['exception.type'] },
      })),
    },
  }) as ReadableSpan;

const withoutIdle = (inner: SpanProcessor): SpanProcessor => ({
  onStart: (span, parent) => inner.onStart(span, parent),
  onEnd: (span) => {
    if (!isIdle(span)) inner.onEnd(withoutTexts(span));
  },
  forceFlush: () => inner.forceFlush(),
  shutdown: () => inner.shutdown(),
});

interface SpanIds {
  traceId: string;
  spanId: string;
}

/** The IDs of an import's trace and first span, computed so that every process knows them. */
const idsOf = (ledgerId: string, importId: string): SpanIds => {
  const hash = createHash('sha256').update(`${ledgerId}/${importId}`).digest('hex');
  return { traceId: hash.slice(0, 32), spanId: hash.slice(32, 48) };
};

/** Random IDs, except for spans started `within` given ones. */
const createIds = () => {
  const random = new RandomIdGenerator();
  let given: SpanIds | undefined;
  return {
    generateTraceId: () => given?.traceId ?? random.generateTraceId(),
    generateSpanId: () => given?.spanId ?? random.generateSpanId(),
    within: <T>(ids: SpanIds, start: () => T): T => {
      given = ids;
      try {
        return start();
      } finally {
        given = undefined;
      }
    },
  };
};

/** Records spans of this process, and sends them as OpenTelemetry's variables say. Throws if the variables are invalid. */
export const openTracing = (settings: TracingSettings, logger: Logger, ledgerId: string): Tracing => {
  const exporter = new OTLPTraceExporter({ timeoutMillis: settings.timeoutMs });
  const ids = createIds();
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'cartwright',
      'service.version': readPackage().version,
    }).merge(detectResources({ detectors: [envDetector] })),
    idGenerator: ids,
    spanProcessors: [withoutIdle(new BatchSpanProcessor(withOneWarning(exporter, settings, logger)))],
  });
  provider.register();
  const tracer = traces.getTracer('cartwright');
  /** The first span of an import's trace. */
  const startFile = (name: string, importId: string, attributes?: Attributes): Span =>
    ids.within(idsOf(ledgerId, importId), () => tracer.startSpan(name, { root: true, attributes }));
  /** Starts a span only to find out whether the sampler takes this trace; a span that never ends is not sent. */
  const contextOf = (importId: string): Context =>
    traces.setSpan(ROOT_CONTEXT, startFile('sampled', importId));
  const traceOf: TraceOfImport = (importId) => {
    const metadata: Record<string, string> = {};
    propagation.inject(contextOf(importId), metadata);
    return JSON.stringify(metadata);
  };
  const contextFor = (kind: string | undefined, { importId }: SpanFacts): Context => {
    const active = context.active();
    if (kind !== 'of file' || importId === undefined) return active;
    const isInIt = traces.getSpanContext(active)?.traceId === idsOf(ledgerId, importId).traceId;
    return isInIt ? active : contextOf(importId);
  };
  const trace: Trace = async (name, facts, work, kind) => {
    const attributes = attributesOf(facts);
    const title = `cartwright ${name}`;
    const span =
      kind === 'file'
        ? startFile(title, facts.importId!, attributes)
        : tracer.startSpan(
            title,
            { kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL, attributes },
            contextFor(kind, facts),
          );
    // Two processes may begin the same file; the later one must not add a second beginning to its trace.
    let isTooLate = false;
    const note: NoteFacts = (more) => {
      isTooLate ||= kind === 'file' && more.result === 'already';
      span.setAttributes(attributesOf(more));
    };
    try {
      return await context.with(traces.setSpan(context.active(), span), () => work(note));
    } catch (thrown) {
      const { name: type } = thrown instanceof Error ? thrown : { name: 'unknown' };
      span.setStatus({ code: SpanStatusCode.ERROR });
      span.setAttribute('error.type', type);
      throw thrown;
    } finally {
      if (!isTooLate) span.end();
    }
  };
  let stopped: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, stopWithinMs);
    });
    await Promise.race([provider.shutdown().catch(() => {}), limit]);
    clearTimeout(timer);
    for (const api of [traces, context, propagation]) api.disable();
  };
  return {
    trace,
    traceOf,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
};
