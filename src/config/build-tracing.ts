import type { TracingSettings } from '../tracing/trace.ts';

const defaultTimeoutMs = 3000;

/** Whether OpenTelemetry's variables name a collector for traces; undefined: no traces are recorded. */
export const buildTracing = (env: NodeJS.ProcessEnv): TracingSettings | undefined => {
  const exporter = env.OTEL_TRACES_EXPORTER?.trim() || undefined;
  const endpoint = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || env.OTEL_EXPORTER_OTLP_ENDPOINT || undefined;
  const isOff = env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true';
  if (isOff || (exporter ?? 'otlp') !== 'otlp' || (exporter ?? endpoint) === undefined) return undefined;
  const protocol =
    env.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL?.trim() || env.OTEL_EXPORTER_OTLP_PROTOCOL?.trim() || undefined;
  const given = Number(env.OTEL_EXPORTER_OTLP_TRACES_TIMEOUT || env.OTEL_EXPORTER_OTLP_TIMEOUT);
  return { endpoint, protocol, timeoutMs: given > 0 ? given : defaultTimeoutMs };
};
