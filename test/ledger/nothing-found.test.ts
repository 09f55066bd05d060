import { describe, expect, test } from 'vitest';
import { isAllWell } from '../../src/cli/output/imports.ts';
import { summaryOfImport } from '../../src/console/import-words.ts';
import { listImports, readImport } from '../../src/ledger/console/imports.ts';
import { readPurchaseOrder } from '../../src/ledger/console/purchase-order.ts';
import { countImports } from '../../src/ledger/import-counts.ts';
import { findPurchaseOrders } from '../../src/ledger/purchase-order-history.ts';
import { header, useStaging } from './stage-text.ts';

const staging = useStaging();
const { newAccount, stageText, setState } = staging;

/** What the console, its filter and the command line say of an import. */
const shownOf = async (importId: string) => {
  const { outcome, outcomeText } = summaryOfImport((await readImport(staging.pool, importId, null))!);
  const found = await listImports(staging.pool, { outcome: outcome as never }, { limit: 500 }, null);
  expect(found.map(({ id }) => id)).toContain(importId);
  const [counts] = await countImports(staging.pool, [importId]);
  return { outcome, outcomeText, isAllWell: isAllWell(counts!) };
};

describe('a file in which no order was found', () => {
  test('says that, and how many rows were left out for what, and is never complete', async () => {
    const { importId } = await stageText(newAccount(), `${header},,,\nTotal,,,\n,Ann,,\n`);
    expect(await shownOf(importId)).toEqual({
      outcome: 'nothing_ordered',
      outcomeText: expect.stringMatching(
        /^No order was found in this file: \d rows? (was|were) left out \(.*1 total.*\)\./,
      ),
      isAllWell: false,
    });
  });

  test('whose POs came before says what became of them', async () => {
    const account = newAccount();
    const text = `${header}A,Ann,S1,1\nB,Ann,S2,2\n`;
    const before = await stageText(account, text);
    await setState(before.importId, 'ordered');
    const { importId } = await stageText(account, text);
    expect(await shownOf(importId)).toEqual({
      outcome: 'complete',
      outcomeText: 'All its 2 POs came before in earlier files: 2 ordered.',
      isAllWell: true,
    });
  });
});

test('a file is not complete while a row with an issue belongs to no PO', async () => {
  const account = newAccount();
  const file = 'po_number,item_sku,quantity\n,S9,3\nA,S1,1\n';
  const { importId, counts } = await stageText(account, file);
  expect(counts).toMatchObject({ ready: 1, rejected: 0, issues: 1 });
  await setState(importId, 'ordered');
  expect(await shownOf(importId)).toEqual({
    outcome: 'partly_ordered',
    outcomeText: '1 PO ordered, 1 row without a PO number not ordered.',
    isAllWell: false,
  });
});

test('a row that is left out and names a PO stands on that PO’s page, as what it looks like, and holds nothing back', async () => {
  const { importId } = await stageText(
    newAccount(),
    'Brand,po_number,item_sku,quantity\nMobil,A,S1,2\nTotal,A,,2\n',
  );
  const message = 'Not ordered: it looks like a total ("Total" in Brand).';
  const { rows } = await staging.pool.query(
    'select id, account, state from purchase_orders where import_id = $1',
    [importId],
  );
  expect(rows).toMatchObject([{ state: 'ready' }]);
  const { id, account } = rows[0];
  const page = await readPurchaseOrder(staging.pool, id, null);
  expect(page!.issues).toMatchObject([{ rowNumber: 3, code: 'totals_row', message }]);
  const [history] = await findPurchaseOrders(staging.pool, 'A', account);
  expect(history!.issues).toMatchObject([{ rowNumber: 3, message }]);
});
