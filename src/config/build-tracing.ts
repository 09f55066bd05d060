import type { TracingSettings } from '../tracing/trace.ts';

const defaultTimeoutMs = 3000;

/** The value of the first of these variables that is set, and its name. */
const firstOf = (
  env: NodeJS.ProcessEnv,
  names: readonly string[],
): { name: string; value: string | undefined } => {
  for (const name of names) {
    const value = env[name]?.trim();
    if (value) return { name, value };
  }
  return { name: names.at(-1)!, value: undefined };
};

/** A variable for traces alone takes precedence over the general one. */
const otlp = (env: NodeJS.ProcessEnv, what: string) =>
  firstOf(env, [`OTEL_EXPORTER_OTLP_TRACES_${what}`, `OTEL_EXPORTER_OTLP_${what}`]);

/** Whether OpenTelemetry's variables name a collector for traces; undefined: no traces are recorded. */
export const buildTracing = (env: NodeJS.ProcessEnv): TracingSettings | undefined => {
  const exporter = env.OTEL_TRACES_EXPORTER?.trim() || undefined;
  const endpoint = otlp(env, 'ENDPOINT');
  const protocol = otlp(env, 'PROTOCOL');
  const isOff = env.OTEL_SDK_DISABLED?.trim().toLowerCase() === 'true';
  if (isOff || (exporter ?? 'otlp') !== 'otlp' || (exporter ?? endpoint.value) === undefined)
    return undefined;
  const given = Number(otlp(env, 'TIMEOUT').value);
  return {
    endpoint: endpoint.value,
    protocol: protocol.value,
    names: { endpoint: endpoint.name, protocol: protocol.name },
    timeoutMs: given > 0 ? given : defaultTimeoutMs,
  };
};
