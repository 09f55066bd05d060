import { messageOf } from '../errors.ts';
import type { Logger } from '../logger.ts';
import { type Tracing, type TracingSettings, untraced } from './trace.ts';

const off: Tracing = { trace: untraced, traceOf: undefined, stop: async () => {} };

/**
 * Starts to record spans and to send them to the collector that OpenTelemetry's variables name, if any. Otherwise its packages
 * are not even loaded. Never throws: placing orders does not depend on traces.
 */
export const startTracing = async (
  settings: TracingSettings | undefined,
  logger: Logger,
  readLedgerId: () => Promise<string>,
): Promise<Tracing> => {
  if (!settings) return off;
  const { endpoint, protocol, names } = settings;
  if (protocol !== undefined && !protocol.startsWith('http/')) {
    logger.warn(
      {},
      `No traces are recorded: ${names.protocol} is ${protocol}, and Cartwright sends traces only by OTLP over HTTP. Set it to http/json, and ${names.endpoint} to the HTTP address of the collector, usually port 4318, and restart`,
    );
    return off;
  }
  // Otherwise OpenTelemetry would send the spans to its standard address.
  if (endpoint !== undefined && !/^https?:$/.test(URL.canParse(endpoint) ? new URL(endpoint).protocol : '')) {
    logger.warn(
      {},
      `No traces are recorded: ${names.endpoint} must be a web address such as http://127.0.0.1:4318`,
    );
    return off;
  }
  if (protocol !== undefined && protocol !== 'http/json') {
    logger.info(
      {},
      `${names.protocol} is ${protocol}; traces are sent as JSON, which collectors take at the same address`,
    );
  }
  try {
    const { openTracing } = await import('./open-tracing.ts');
    return openTracing(settings, logger, await readLedgerId());
  } catch (thrown) {
    logger.warn(
      { reason: messageOf(thrown) },
      'No traces are recorded; check the OTEL_ environment variables and restart',
    );
    return off;
  }
};
