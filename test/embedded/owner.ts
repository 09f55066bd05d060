// A process that owns the embedded database: prints its address, and shuts down cleanly when its
// standard input ends. argv[2] is the data folder, argv[3] how long another host's server must be silent before it is
// taken over. Prints a refusal as its code and sentence; reports waits on standard error.
import { startEmbeddedPostgres } from '../../src/embedded/start-embedded-postgres.ts';
import { UserError } from '../../src/errors.ts';
import { silentLogger } from '../../src/logger.ts';

const ended = new Promise((resolve) => process.stdin.resume().once('close', resolve));
try {
  const server = await startEmbeddedPostgres({
    dataFolder: process.argv[2]!,
    logger: silentLogger,
    durable: false,
    ...(process.argv[3] ? { takeoverMs: Number(process.argv[3]) } : {}),
  });
  process.stdout.write(`${server.url}\n`);
  await ended;
  await server.stop();
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  process.stdout.write(`${error.code}: ${error.message}\n`);
  process.exitCode = 1;
}
