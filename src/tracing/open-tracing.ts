import { context, propagation, SpanKind, SpanStatusCode, trace as traces } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  type ReadableSpan,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import type { Logger } from '../logger.ts';
import { readPackage } from '../package.ts';
import type { SpanFacts, Trace, Tracing, TracingSettings } from './trace.ts';

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

/** BullMQ asks its queues for jobs and renews locks all the time; such spans belong to no work. */
const isIdle = (span: ReadableSpan): boolean =>
  span.kind === SpanKind.INTERNAL &&
  span.parentSpanContext === undefined &&
  !span.name.startsWith('cartwright ');

/** A span without the texts of errors: they may quote what a service answered, or an address. */
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

/** Logs once when traces cannot be sent, and once when they can be again. */
const withOneWarning = (inner: SpanExporter, logger: Logger): SpanExporter => {
  let isFailing = false;
  return {
    export: (spans, done) =>
      inner.export(spans, (result) => {
        const fails = result.code !== 0;
        if (fails !== isFailing) {
          isFailing = fails;
          const code = (result.error as { code?: unknown } | undefined)?.code;
          const reason = code === undefined ? (result.error?.name ?? 'unknown') : String(code);
          if (fails)
            logger.warn(
              { reason },
              'Traces cannot be sent to the collector and are dropped until it answers; orders are not affected. Check OTEL_EXPORTER_OTLP_ENDPOINT',
            );
          else logger.info({}, 'Traces are sent to the collector again');
        }
        // Reported above; OpenTelemetry would report each batch.
        done({ code: 0 });
      }),
    shutdown: () => inner.shutdown(),
    ...(inner.forceFlush ? { forceFlush: () => inner.forceFlush!() } : {}),
  };
};

/** Records spans of this process, and sends them as OpenTelemetry's variables say. Throws if they are wrong. */
export const openTracing = ({ timeoutMs }: TracingSettings, logger: Logger): Tracing => {
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({
      'service.name': 'cartwright',
      'service.version': readPackage().version,
    }).merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [
      withoutIdle(
        new BatchSpanProcessor(withOneWarning(new OTLPTraceExporter({ timeoutMillis: timeoutMs }), logger)),
      ),
    ],
  });
  provider.register();
  const tracer = traces.getTracer('cartwright');
  const trace: Trace = (name, facts, work, kind) =>
    tracer.startActiveSpan(
      `cartwright ${name}`,
      { kind: kind === 'client' ? SpanKind.CLIENT : SpanKind.INTERNAL, attributes: attributesOf(facts) },
      async (span) => {
        try {
          return await work((more) => void span.setAttributes(attributesOf(more)));
        } catch (thrown) {
          const { name: type } = thrown instanceof Error ? thrown : { name: 'unknown' };
          span.setStatus({ code: SpanStatusCode.ERROR });
          span.setAttribute('error.type', type);
          throw thrown;
        } finally {
          span.end();
        }
      },
    );
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
    isOn: true,
    stop: () => {
      stopped ??= stop();
      return stopped;
    },
  };
};
