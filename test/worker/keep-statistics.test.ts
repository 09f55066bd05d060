import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { silentLogger } from '../../src/logger.ts';
import { startStatistics } from '../../src/worker/keep-statistics.ts';
import { insertImport, insertPurchaseOrder, insertRow, useTestLedger } from '../support/ledger-rows.ts';

const ledger = useTestLedger();

test('a running worker counts what was ordered, in the zone of each account, and again whenever something changes', async () => {
  const { pool } = ledger;
  const { accounts, ...config } = loadConfig({}, {});
  const [one] = accounts;
  const runtime = {
    config: { ...config, accounts: [{ ...one!, schedule: { ...one!.schedule, timeZone: 'Asia/Tokyo' } }] },
    ledger: { pool },
    logger: silentLogger,
  };
  const importId = await insertImport(pool);
  const id = await insertPurchaseOrder(pool, importId, 'P-1', { state: 'ordered' });
  await insertRow(pool, 'orders', {
    ...{ account: 'default', purchase_order_id: id, po_number: 'P-1', order_number: 'S-1' },
    ...{ order_date: '2026-11-20', order_total: '5' },
  });
  const statistics = startStatistics(runtime as never, 20);
  const amount = async () =>
    (await pool.query('select sum(amount)::text as sum from daily_statistics')).rows[0].sum;
  await expect.poll(amount).toBe('5');
  await pool.query(`update orders set order_total = '7'`);
  await expect.poll(amount).toBe('7');
  await statistics.stop();
  await statistics.stop();
  const { rows } = await pool.query('select account, time_zone as zone from statistics_zones');
  expect(rows).toEqual([{ account: 'default', zone: 'Asia/Tokyo' }]);
});
