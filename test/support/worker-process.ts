// A worker in its own process, to be killed, suspended and restarted. argv[2] is JSON: WorkerOrder.
// Reports its progress as lines of JSON on standard output. It ends with its standard input, and so with its parent
// process; SIGTERM drains it first. A line on its standard input releases every stop.
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Config } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { UserError } from '../../src/errors.ts';
import { isLostConnection } from '../../src/ledger/lost-connection.ts';
import { createLogger, silentLogger } from '../../src/logger.ts';
import { startExchanges } from '../../src/worker/exchange-files.ts';
import { openRuntime } from '../../src/worker/open-runtime.ts';
import { startWorker } from '../../src/worker/start-worker.ts';
import { watchFolders } from '../../src/worker/watch-folders.ts';
import { createStops, type Stops } from './stops.ts';

export interface WorkerOrder {
  /** The configuration; databases and secrets come from the environment. */
  file: string;
  times: Partial<Config['worker']>;
  /** Maximum pause of an account after its credential was refused. */
  deniedPauseMs?: number | undefined;
  /** Like `cartwright work`, like `cartwright watch`, or both like `cartwright up`. */
  roles: ('work' | 'watch')[];
  stops?: Stops;
}

export type WorkerMessage = { event: 'ready' } | { event: 'stopped_at'; name: string; about: string };

const order = JSON.parse(process.argv[2]!) as WorkerOrder;
const report = (message: WorkerMessage) => writeSync(1, `${JSON.stringify(message)}\n`);
const stops = createStops(order.stops ?? {}, (name, about) => report({ event: 'stopped_at', name, about }));
const orders = createInterface(process.stdin);
orders.on('line', stops.release);
orders.on('close', () => process.exit(1));

const read = loadConfig({ file: order.file });
const { deniedPauseMs } = order;
const config = {
  ...read,
  worker: { ...read.worker, ...order.times },
  accounts: read.accounts.map((account) =>
    deniedPauseMs === undefined ? account : { ...account, placing: { ...account.placing, deniedPauseMs } },
  ),
};
const logger =
  config.log.level === 'silent' ? silentLogger : createLogger({ level: config.log.level, readable: true });
const start = async () => {
  const runtime = await openRuntime({
    config,
    logger,
    checkpoint: stops.pass,
    places: order.roles.includes('work'),
    mayCreateFolder: () => order.roles.includes('watch'),
  });
  const worker = await startWorker(runtime);
  const watching = order.roles.includes('watch')
    ? await watchFolders(runtime.accounts.all, { enqueue: runtime.queues.enqueue, logger })
    : undefined;
  const exchanges = order.roles.includes('watch')
    ? startExchanges(runtime.accounts.all, {
        ...{ pool: runtime.ledger.pool, workerId: runtime.workerId, logger, checkpoint: stops.pass },
        leaseMs: config.worker.leaseMs,
        enqueue: runtime.queues.enqueue,
      })
    : undefined;
  return { runtime, worker, watching, exchanges };
};
// If a server cannot be reached now, the caller must retry.
const { runtime, worker, watching, exchanges } = await start().catch((error: unknown) => {
  if (error instanceof UserError || isLostConnection(error)) process.exit(1);
  throw error;
});
process.once('SIGTERM', async () => {
  await exchanges?.stop();
  await watching?.stop();
  await worker.stop();
  await runtime.stop();
  process.exit(0);
});
report({ event: 'ready' });
