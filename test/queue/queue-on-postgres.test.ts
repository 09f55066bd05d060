import { expect, test } from 'vitest';
import { findFreePort } from '../../src/embedded/free-port.ts';
import { createPool } from '../../src/ledger/pool.ts';
import { silentLogger } from '../../src/logger.ts';
import { queueSchema } from '../../src/queue/backend.ts';
import { createQueues } from '../../src/queue/create-queues.ts';
import { queueContract } from './queue.contract.ts';
import { openPostgresStore } from './stores.ts';

queueContract('Postgres', openPostgresStore);

test('an unreachable Postgres at the start is reported in one clear sentence', async () => {
  const port = await findFreePort();
  const url = `postgresql://nobody:secret@127.0.0.1:${port}/none`;
  const pool = createPool(url, { max: 8, searchPath: queueSchema, logger: silentLogger });
  const refused = createQueues({ backend: { kind: 'postgres', pool }, logger: silentLogger });
  await expect(refused).rejects.toMatchObject({
    code: 'queue_down',
    message: expect.stringContaining('connection refused'),
  });
  await pool.end();
});
