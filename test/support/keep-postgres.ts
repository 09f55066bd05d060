// A program that owns the test run's database: prints its address, and stops and removes it when its
// standard input ends. That also happens when the test run is killed. argv[2] is the folder.
import { rm } from 'node:fs/promises';
import { startEmbeddedPostgres } from '../../src/embedded/start-embedded-postgres.ts';
import { createLogger } from '../../src/logger.ts';
import { createMigrated } from './migrated-database.ts';

const folder = process.argv[2]!;
// Only the end of standard input ends this program, so that Ctrl-C does not stop it before the run's clean-up.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});
const ended = new Promise((resolve) => process.stdin.resume().once('close', resolve));

const server = await startEmbeddedPostgres({
  dataFolder: folder,
  logger: createLogger({ level: 'warn', readable: true }),
  durable: false,
});
await createMigrated(server.url);
process.stdout.write(`${server.url}\n`);
await ended;
await server.stop();
await rm(folder, { recursive: true, force: true });
