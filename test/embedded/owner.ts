// An owner of the embedded database as a process: prints its address, leaves in good order when its
// standard input ends. argv[2] is the data folder. A refusal is printed as its code and sentence.
import { startEmbeddedPostgres } from '../../src/embedded/start-embedded-postgres.ts';
import { UserError } from '../../src/errors.ts';
import { silentLogger } from '../../src/logger.ts';

const ended = new Promise((resolve) => process.stdin.resume().once('close', resolve));
try {
  const server = await startEmbeddedPostgres({
    dataFolder: process.argv[2]!,
    logger: silentLogger,
    durable: false,
  });
  process.stdout.write(`${server.url}\n`);
  await ended;
  await server.stop();
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  process.stdout.write(`${error.code}: ${error.message}\n`);
  process.exitCode = 1;
}
