// The dealer order service in its own process, so that its work is not counted as the worker's.

import { silentLogger } from '../../src/logger.ts';
import { serviceConfigSchema } from '../../src/service/config.ts';
import { listenService } from '../../src/service/listen-service.ts';

const [databaseUrl, settings] = process.argv.slice(2) as [string, string];
const service = await listenService({
  config: serviceConfigSchema.parse({ port: 0, clockSpeed: 0, ...JSON.parse(settings) }),
  logger: silentLogger,
  databaseUrl,
});
process.send!(service.url);
process.on('disconnect', () => void service.stop().then(() => process.exit(0)));
