import { describe, expect, test } from 'vitest';
import { isAllWell } from '../../src/cli/output/imports.ts';
import { summaryOfImport } from '../../src/console/import-words.ts';
import { listImports, listPosElsewhere, readImport } from '../../src/ledger/console/imports.ts';
import { listNotOrdered } from '../../src/ledger/console/needs-person.ts';
import { readPurchaseOrder } from '../../src/ledger/console/purchase-order.ts';
import { countImports } from '../../src/ledger/import-counts.ts';
import { applyOperatorAction, findActionTargets } from '../../src/ledger/po/operator-actions.ts';
import { header, useStaging } from './stage-text.ts';

const staging = useStaging();
const { newAccount, stageText, setState } = staging;

/** The texts about an import in the console, its filter and the command line. */
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
      outcomeText: '2 POs ordered. All its 2 POs belong to other files.',
      isAllWell: true,
    });
  });
});

describe('a PO number that fails, comes again with a mistake, and comes a third time', () => {
  const right = `${header}OS-900,Ann,S1,1\n`;
  const wrong = `${header}OS-900,Ann,S1,one\n`;
  const failed = async () => {
    const account = newAccount();
    const first = await stageText(account, right);
    await setState(first.importId, 'failed');
    const needed = async () =>
      (await listNotOrdered(staging.pool, [account])).map(({ state, n }) => [state, n]);
    return { account, first, needed };
  };

  test('stays with what needs a person, and its files are red, until it is ordered', async () => {
    const { account, first, needed } = await failed();
    expect(await needed()).toEqual([['failed', 1]]);
    const second = await stageText(account, wrong);
    expect(await needed()).toEqual([['rejected', 1]]);
    // Same content as the first time: nothing is new, and nothing is ordered.
    const third = await stageText(account, right);
    expect(await needed()).toEqual([['failed', 1]]);
    for (const { importId } of [first, second, third]) {
      const shown = await shownOf(importId);
      expect(shown).toMatchObject({ outcome: 'nothing_ordered', isAllWell: false });
      expect(shown.outcomeText).toMatch(/^Nothing was ordered: 1 failed\./);
    }
    expect(await listPosElsewhere(staging.pool, third.importId)).toMatchObject([
      { poNumber: 'OS-900', state: 'failed', importId: first.importId },
    ]);
    expect(await listPosElsewhere(staging.pool, first.importId)).toEqual([]);

    await setState(first.importId, 'ordered');
    expect(await needed()).toEqual([]);
    for (const { importId } of [first, second, third])
      expect(await shownOf(importId)).toMatchObject({ outcome: 'complete' });
  });

  const settle = async (account: string) => {
    const { pool } = staging;
    const targets = await findActionTargets(pool, 'settle', { account, poNumber: 'OS-900' });
    const by = { who: 'Ada', note: 'the dealer has bought it elsewhere' };
    expect(await applyOperatorAction(pool, 'settle', targets, by)).toMatchObject([
      { outcome: { kind: 'done', state: 'failed' } },
    ]);
  };

  test('is no longer counted once a person says that it is not needed, until a file asks for it again', async () => {
    const { account, first, needed } = await failed();
    await settle(account);
    expect(await needed()).toEqual([]);
    expect(await shownOf(first.importId)).toMatchObject({
      outcome: 'not_needed',
      outcomeText: 'Nothing was ordered, and nothing is left to do: 1 not needed.',
    });
    // Nothing is ordered, and a person looks at the file again.
    const again = await stageText(account, `${right}OS-901,Ann,S1,1\n`);
    expect((await shownOf(again.importId)).outcome).toBe('placing');
    const { rows } = await staging.pool.query(
      'select po_number, state from purchase_orders where import_id = $1 order by 1',
      [again.importId],
    );
    expect(rows).toEqual([{ po_number: 'OS-901', state: 'ready' }]);
    expect(await needed()).toEqual([['failed', 1]]);
  });

  test('what one person says is for all files that have come with it', async () => {
    const { account, needed } = await failed();
    const later = await stageText(account, right);
    await settle(account);
    expect(await needed()).toEqual([]);
    expect(await shownOf(later.importId)).toMatchObject({
      outcomeText: expect.stringContaining('1 not needed'),
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
  const { rows } = await staging.pool.query('select id, state from purchase_orders where import_id = $1', [
    importId,
  ]);
  expect(rows).toMatchObject([{ state: 'ready' }]);
  const page = await readPurchaseOrder(staging.pool, rows[0].id, null);
  expect(page!.issues).toMatchObject([{ rowNumber: 3, code: 'totals_row', message }]);
});
