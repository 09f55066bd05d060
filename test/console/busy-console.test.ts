import { pbkdf2 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { insertImport, insertPurchaseOrder } from '../support/ledger-rows.ts';
import { useConsole } from './use-console.ts';

const use = useConsole();

/** Keeps every thread of the pool busy, like many sign-ins at once, and blocks the event loop now and then. */
const starve = () => {
  let isOver = false;
  const work = (): Promise<void> =>
    new Promise((resolve) => {
      pbkdf2('password', 'salt', 800_000, 32, 'sha256', () => resolve(isOver ? undefined : work()));
    });
  const all = Promise.all(Array.from({ length: 8 }, work));
  const timer = setInterval(() => {
    const until = performance.now() + 400;
    while (performance.now() < until);
  }, 450);
  return async () => {
    isOver = true;
    clearInterval(timer);
    await all;
  };
};

test('a console that is starved itself does not say that the database has stopped, and what it answers is true', async () => {
  const { pool } = use.deps;
  const headers = await use.signedIn('operator');
  const importId = await insertImport(pool, { account: 'default' });
  const id = await insertPurchaseOrder(pool, importId, 'B-1', { state: 'held', reason_code: 'price_above' });
  // The ledger is also slow for these, so that the console starts checking whether it answers.
  const client = await pool.connect();
  await client.query('begin; lock table operator_actions in share mode');
  const stop = starve();
  const acting = use.app.inject({
    method: 'POST',
    url: '/api/v1/purchase-orders/actions',
    headers,
    payload: { action: 'cancel', items: [{ id }] },
  });
  const early = await Promise.race([acting, sleep(6000, undefined)]);
  expect(early?.body).toBeUndefined();
  await stop();
  await client.query('rollback');
  client.release();
  const { statusCode, body } = await acting;
  expect([statusCode, body]).toEqual([200, expect.not.stringContaining('database')]);
}, 60_000);
