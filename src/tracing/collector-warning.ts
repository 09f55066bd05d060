import type { SpanExporter } from '@opentelemetry/sdk-trace-node';
import type { Logger } from '../logger.ts';
import type { TracingSettings } from './trace.ts';

const waiting = 'Concurrent export limit reached';
const standardEndpoint = 'http://localhost:4318';

const reasons: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name cannot be looked up',
  EHOSTUNREACH: 'there is no route to its host',
  ENETUNREACH: 'there is no route to its network',
};

/** Why the collector did not accept spans. Only codes, because the texts of its answers may quote the request. */
const reasonOf = (error: Error | undefined): string => {
  const { code } = (error ?? {}) as { code?: unknown };
  if (typeof code === 'number') return `it answered HTTP status ${code}`;
  if (typeof code === 'string') return reasons[code] ?? code;
  // OpenTelemetry does not name a status that it retries.
  if (error?.name === 'OTLPExporterError')
    return 'it answered that it is busy (HTTP status 429, 502, 503 or 504)';
  return 'it did not answer in time';
};

/** Host and port, without the credentials that an address may contain. */
const placeOf = (endpoint: string): string => {
  const { protocol, hostname, port } = new URL(endpoint);
  return `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
};

/** Logs once when traces cannot be sent, and once after recovery. */
export const withOneWarning = (
  inner: SpanExporter,
  { endpoint, names }: Pick<TracingSettings, 'endpoint' | 'names'>,
  logger: Logger,
): SpanExporter => {
  const place = placeOf(endpoint ?? standardEndpoint);
  let isFailing = false;
  return {
    export: (spans, done) =>
      inner.export(spans, (result) => {
        // Too many requests wait for an answer; their own results say why.
        if (result.error?.message === waiting) return done({ code: 0 });
        const fails = result.code !== 0;
        if (fails !== isFailing) {
          isFailing = fails;
          if (fails)
            logger.warn(
              {},
              `Traces cannot be sent to the collector at ${place}: ${reasonOf(result.error)}. They are dropped until it takes them; orders are not affected. Check that it runs and takes OTLP over HTTP there, and ${names.endpoint}`,
            );
          else logger.info({}, `Traces are sent to the collector at ${place} again`);
        }
        // Already reported above, once; OpenTelemetry would report each batch.
        done({ code: 0 });
      }),
    shutdown: () => inner.shutdown(),
    ...(inner.forceFlush ? { forceFlush: () => inner.forceFlush!() } : {}),
  };
};
