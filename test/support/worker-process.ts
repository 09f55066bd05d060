// A worker in a process of its own, to be killed, stopped and restarted. argv[2] is JSON: WorkerOrder.
// Tells what it does as lines of JSON on standard output. It ends with its standard input, and so with
// whoever started it; SIGTERM drains it first. A line on its standard input lets go of every stop.
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { isLostConnection } from '../../src/cli/exit-codes.ts';
import { openRuntime } from '../../src/cli/open-runtime.ts';
import { startWorker } from '../../src/cli/start-worker.ts';
import { watchFolders } from '../../src/cli/watch-folders.ts';
import { loadConfig } from '../../src/config.ts';
import { UserError } from '../../src/errors.ts';
import { createLogger, silentLogger } from '../../src/logger.ts';
import { createStops, type Stops } from './stops.ts';

export interface WorkerOrder {
  /** The configuration; databases and secrets come from the environment. */
  file: string;
  /** What it does: takes jobs, or takes files out of the inboxes. */
  roles: ('work' | 'watch')[];
  stops?: Stops;
}

export type WorkerWord = { said: 'ready' } | { said: 'stopped_at'; name: string; about: string };

const order = JSON.parse(process.argv[2]!) as WorkerOrder;
const say = (word: WorkerWord) => writeSync(1, `${JSON.stringify(word)}\n`);
const stops = createStops(order.stops ?? {}, (name, about) => say({ said: 'stopped_at', name, about }));
const orders = createInterface(process.stdin);
orders.on('line', stops.letGo);
orders.on('close', () => process.exit(1));

const config = loadConfig({ file: order.file });
const logger =
  config.log.level === 'silent' ? silentLogger : createLogger({ level: config.log.level, readable: true });
const start = async () => {
  const runtime = await openRuntime({ config, logger, checkpoint: stops.pass });
  const worker = order.roles.includes('work') ? await startWorker(runtime) : undefined;
  const watching = order.roles.includes('watch')
    ? await watchFolders(runtime.accounts.all, { enqueue: runtime.queues.enqueue, logger })
    : undefined;
  return { runtime, worker, watching };
};
// What cannot be opened at this moment is for the caller to try again.
const { runtime, worker, watching } = await start().catch((error: unknown) => {
  if (error instanceof UserError || isLostConnection(error)) process.exit(1);
  throw error;
});
process.once('SIGTERM', async () => {
  await watching?.stop();
  await worker?.stop();
  await runtime.stop();
  process.exit(0);
});
say({ said: 'ready' });
