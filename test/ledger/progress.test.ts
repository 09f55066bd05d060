import { expect, test } from 'vitest';
import { msToGo, readProgress } from '../../src/ledger/progress.ts';
import { insertImport, insertPurchaseOrder, useTestLedger } from '../support/ledger-rows.ts';

const ledger = useTestLedger();
const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000);

test('the pace is that of the imports that still have POs to place, since the first of them ended', async () => {
  const { pool } = ledger;
  const put = async (importId: string, state: string, count: number, more: object = {}) => {
    for (let at = 0; at < count; at += 1)
      await insertPurchaseOrder(pool, importId, `${importId}-${state}-${at}`, {
        ...{ account: 'north', state },
        ...more,
      });
  };
  const running = await insertImport(pool, { account: 'north', sha256: 'a' });
  await put(running, 'ready', 20);
  await put(running, 'ordered', 10, { ordered_at: ago(5) });
  // Its status changed just now, which does not count as progress of placing.
  await put(running, 'closed', 3, { ordered_at: ago(60) });
  const done = await insertImport(pool, { account: 'north', sha256: 'b' });
  await put(done, 'ordered', 7, { ordered_at: ago(1) });
  const [progress] = await readProgress(pool, ['north', 'south'], 20);
  expect(progress).toMatchObject({ account: 'north', toGo: 20, all: 33, ended: 10 });
  expect(msToGo(progress!, new Date(progress!.since.getTime() + 300_000))).toBe(600_000);
  expect(await readProgress(pool, ['north'], 21)).toEqual([]);
  expect(msToGo({ ...progress!, ended: 9 }, new Date())).toBeUndefined();
});
