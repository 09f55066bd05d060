// A worker in a process of its own, to be killed. argv[2] is JSON: the queue's store. It takes one
// create-cart job, prints its id and never ends it.
import { createPool } from '../../src/ledger/pool.ts';
import { silentLogger } from '../../src/logger.ts';
import { queueSchema } from '../../src/queue/backend.ts';
import { createQueues } from '../../src/queue/create-queues.ts';
import type { StoreAddress } from './use-queues.ts';

const { kind, url, prefix } = JSON.parse(process.argv[2]!) as StoreAddress;
const logger = silentLogger;
const queues = await createQueues({
  backend:
    kind === 'redis'
      ? { kind, url }
      : { kind, pool: createPool(url, { max: 8, searchPath: queueSchema, logger }) },
  logger,
  prefix,
});
await queues.startWorkers({
  lockMs: 1_000,
  stalledEveryMs: 500,
  handlers: {
    'create-cart': ({ purchaseOrderId }) => {
      process.stdout.write(`${purchaseOrderId}\n`);
      return new Promise(() => {});
    },
  },
});
