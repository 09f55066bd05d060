import { messageOf } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { type Tracing, type TracingSettings, untraced } from './trace.ts';

const off: Tracing = { trace: untraced, isOn: false, stop: async () => {} };

/**
 * Starts to record spans and to send them to the collector that OpenTelemetry's variables name, if there is one. Otherwise
 * its packages are not even loaded. Never throws: without traces, orders are placed all the same.
 */
export const startTracing = async (
  settings: TracingSettings | undefined,
  logger: Logger,
): Promise<Tracing> => {
  if (!settings) return off;
  const { endpoint } = settings;
  // OpenTelemetry would send the spans to its standard address instead.
  if (endpoint !== undefined && !/^https?:$/.test(URL.canParse(endpoint) ? new URL(endpoint).protocol : '')) {
    logger.warn(
      {},
      'No traces are recorded: OTEL_EXPORTER_OTLP_ENDPOINT must be a web address such as http://127.0.0.1:4318',
    );
    return off;
  }
  try {
    const { openTracing } = await import('./open-tracing.ts');
    return openTracing(settings, logger);
  } catch (thrown) {
    logger.warn(
      { reason: messageOf(thrown) },
      'No traces are recorded; check the OTEL_ environment variables and restart',
    );
    return off;
  }
};
