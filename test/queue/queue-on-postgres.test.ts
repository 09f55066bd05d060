import { expect, test } from 'vitest';
import { findFreePort } from '../../src/embedded/free-port.ts';
import { createPool } from '../../src/ledger/pool.ts';
import { silentLogger } from '../../src/logger.ts';
import { queueSchema } from '../../src/queue/backend.ts';
import { createQueues } from '../../src/queue/create-queues.ts';
import { queueContract } from './queue.contract.ts';
import { openPostgresStore } from './stores.ts';
import { cart } from './use-queues.ts';

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

test('a job whose statement Postgres rolled back because of a deadlock is enqueued all the same', async () => {
  const store = await openPostgresStore();
  const queues = await createQueues({ backend: store.backend, logger: silentLogger });
  const { pool } = store.backend as Extract<typeof store.backend, { kind: 'postgres' }>;
  // A sequence is not rolled back, so that only the first statement fails.
  await pool.query(`create sequence rolled_back;
    create function roll_back_once() returns trigger language plpgsql as $$
    begin
      if nextval('rolled_back') = 1 then raise exception 'deadlock detected' using errcode = '40P01'; end if;
      return new;
    end $$;
    create trigger roll_back_once before insert on job for each row execute function roll_back_once()`);
  await queues.enqueue([cart(1)]);
  expect(await queues.liveCount(['create-cart'])).toBe(1);
  expect((await pool.query('select last_value::int as n from rolled_back')).rows[0].n).toBeGreaterThan(1);
  await queues.stop(0);
  await store.close();
});
