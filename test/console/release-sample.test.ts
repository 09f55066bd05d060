import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ListeningConsole, listenConsole } from '../../src/console/listen-console.ts';
import { insertImport, insertPurchaseOrder, insertRow } from '../support/ledger-rows.ts';
import { useConsole } from './use-console.ts';

const program = fileURLToPath(new URL('../../samples/api/release-small-increases.mjs', import.meta.url));
const use = useConsole();
let console: ListeningConsole;

beforeAll(async () => {
  console = await listenConsole(use.deps);
});
afterAll(() => console.stop());

const heldPo = async (importId: string, poNumber: string, price: string, reason = 'price_above') => {
  const id = await insertPurchaseOrder(use.deps.pool, importId, poNumber, {
    state: 'held',
    reason_code: reason,
    reason_text: 'Held.',
  });
  await insertRow(use.deps.pool, 'lines', {
    ...{ import_id: importId, row_number: Number(poNumber.slice(-1)) + 1, po_number: poNumber },
    ...{ item_sku: 'A-1', quantity: 10, expected_price: '10.00', dealer_price: price },
  });
  return id;
};

test('a program of 40 lines releases what is held by a rule, and nothing else', async () => {
  const importId = await insertImport(use.deps.pool);
  await heldPo(importId, 'PO-1', '10.15');
  await heldPo(importId, 'PO-2', '12.00');
  await heldPo(importId, 'PO-3', '10.10', 'unusual_quantity');
  const { authorization } = await use.withToken('operator');
  const { stdout } = await promisify(execFile)(process.execPath, [program], {
    env: {
      PATH: process.env.PATH,
      CARTWRIGHT_URL: console.url,
      CARTWRIGHT_API_TOKEN: authorization.replace('Bearer ', ''),
    },
  });
  expect(stdout).toMatch(/^default, PO-1: Released 1 PO\. .*\n$/);
  const { rows } = await use.deps.pool.query('select po_number, state from purchase_orders order by 1');
  expect(rows.map(({ po_number, state }) => `${po_number} ${state}`)).toEqual([
    'PO-1 items_added',
    'PO-2 held',
    'PO-3 held',
  ]);
});
