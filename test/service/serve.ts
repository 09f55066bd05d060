// A dealer order service in its own process, for tests that kill one or run several. argv[2] is the
// database, argv[3] the configuration as JSON. Prints its address; ends on SIGTERM.
import { silentLogger } from '../../src/logger.ts';
import { listenService } from '../../src/service/listen-service.ts';
import { serviceConfigFor } from '../support/service-config.ts';

const service = await listenService({
  databaseUrl: process.argv[2]!,
  config: serviceConfigFor({ port: 0, clockSpeed: 0, ...JSON.parse(process.argv[3] ?? '{}') }),
  logger: silentLogger,
});
process.once('SIGTERM', () => service.stop());
process.stdout.write(`${service.url}\n`);
