import { expect, test } from 'vitest';
import { findActionTargets } from '../../src/ledger/po/operator-actions.ts';
import { insertImport, insertPurchaseOrder, useTestLedger } from '../support/ledger-rows.ts';

const ledger = useTestLedger();

test('what a person said is not needed is tried again only by its number', async () => {
  const { pool } = ledger;
  const importId = await insertImport(pool);
  await insertPurchaseOrder(pool, importId, 'WANTED', { state: 'failed', reason_code: 'unknown_item' });
  await insertPurchaseOrder(pool, importId, 'NOT', {
    state: 'failed',
    reason_code: 'unknown_item',
    alarm_settled_at: new Date(),
  });
  const found = async (filter: Parameters<typeof findActionTargets>[2]) =>
    (await findActionTargets(pool, 'retry', filter)).map(({ poNumber }) => poNumber);
  expect(await found({ importId })).toEqual(['WANTED']);
  expect(await found({ reasonCode: 'unknown_item' })).toEqual(['WANTED']);
  expect(await found({ account: 'default' })).toEqual(['WANTED']);
  expect(await found({ poNumber: 'NOT' })).toEqual(['NOT']);
});
