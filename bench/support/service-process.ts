// The dealer order service in its own process, so that its CPU time is not counted as the worker's.
import { subscribe } from 'node:diagnostics_channel';
import { silentLogger } from '../../src/logger.ts';
import { listenService } from '../../src/service/listen-service.ts';
import { serviceConfigFor } from '../../test/support/service-config.ts';

const [databaseUrl, settings] = process.argv.slice(2) as [string, string];
const service = await listenService({
  config: serviceConfigFor({ port: 0, clockSpeed: 0, ...JSON.parse(settings) }),
  logger: silentLogger,
  databaseUrl,
});

/** Calls since the last request for this figure, by this machine's clock. */
let seen: { calls: number; firstAtMs: number | undefined } = { calls: 0, firstAtMs: undefined };
subscribe('http.server.request.start', () => {
  seen.calls += 1;
  seen.firstAtMs ??= Date.now();
});
process.on('message', () => {
  process.send!(seen);
  seen = { calls: 0, firstAtMs: undefined };
});
process.send!(service.url);
process.on('disconnect', () => void service.stop().then(() => process.exit(0)));
