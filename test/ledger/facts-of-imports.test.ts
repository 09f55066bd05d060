import { expect, test } from 'vitest';
import { drawImports } from '../../src/cli/output/imports.ts';
import { stepsOf, summaryOfImport } from '../../src/console/import-words.ts';
import { listImportEvents } from '../../src/ledger/console/import-events.ts';
import { listPosElsewhere, readImport } from '../../src/ledger/console/imports.ts';
import { countImports } from '../../src/ledger/import-counts.ts';
import { header, useStaging } from './stage-text.ts';

const staging = useStaging();
const { newAccount, stageText } = staging;

const wide = { columns: 200, paint: (_: string, text: string) => text };
const lineOf = (poNumber: string, sku = 'S1') => `${poNumber},Ann,${sku},1\n`;

/** Facts that must not change once an import is finished. */
const factsOf = async (importId: string) => {
  const shown = (await readImport(staging.pool, importId, null))!;
  const { poCount, finishedAt, durationMs } = summaryOfImport(shown);
  const events = await listImportEvents(staging.pool, importId);
  const failed = events.filter(({ state }) => state === 'failed').map(({ at, count }) => [at, count]);
  expect(finishedAt).not.toBeNull();
  return { ...{ poCount, finishedAt, durationMs }, failed, read: stepsOf(shown)[1]!.text };
};
const endAs = async (importId: string, poNumber: string, state: string) => {
  const { rows } = await staging.pool.query(
    `update purchase_orders set state = $3, changed_at = clock_timestamp(), ordered_at = case when $3 = 'ordered' then clock_timestamp() end
     where import_id = $1 and po_number = $2 returning id`,
    [importId, poNumber, state],
  );
  await staging.pool.query(
    `insert into intents (purchase_order_id, epoch, step, outcome, ended_at)
     select p.id, 1, 'add_items', 'refused', p.changed_at from purchase_orders p where p.id = $1 and p.state = 'failed'`,
    [rows[0].id],
  );
};
const imported = async (account: string) => {
  const { importId } = await stageText(
    account,
    `${header}${['A', 'B', 'C', 'D'].map((po) => lineOf(po)).join('')}`,
  );
  await endAs(importId, 'A', 'ordered');
  for (const poNumber of ['C', 'D']) await endAs(importId, poNumber, 'cancelled');
  await endAs(importId, 'B', 'failed');
  return { importId, before: await factsOf(importId) };
};

test('a later file with the same POs changes no count and no time of an import; what was cancelled stays cancelled', async () => {
  const account = newAccount();
  const { importId, before } = await imported(account);
  expect(before).toMatchObject({ poCount: 4, read: expect.stringContaining('4 POs found') });
  const again = await stageText(
    account,
    `${header}${['A', 'B', 'C', 'D'].map((po) => lineOf(po)).join('')}\n`,
  );
  expect(again.counts).toMatchObject({ held: 2, repeated: 2 });

  expect(await factsOf(importId)).toEqual(before);
  const shown = (await readImport(staging.pool, importId, null))!;
  expect(shown).toMatchObject({ states: { ordered: 1, failed: 1, cancelled: 2 }, elsewhere: {} });
  expect(summaryOfImport(shown).outcomeText).toBe(
    '1 PO ordered, 1 failed, 2 cancelled. 2 of the cancelled POs came again in other files.',
  );
  expect(await listPosElsewhere(staging.pool, importId)).toMatchObject(
    ['C', 'D'].map((poNumber) => ({ poNumber, state: 'held', importId: again.importId })),
  );
  const table = drawImports(wide as never, await countImports(staging.pool, [importId]));
  expect(table).toContain('2 cancelled (2 came again in other files)');

  await endAs(again.importId, 'C', 'ordered');
  expect(await factsOf(importId)).toEqual(before);
});

test('a later file that corrects what failed changes no time of an import, also while it is being placed', async () => {
  const account = newAccount();
  const { importId, before } = await imported(account);
  const corrected = await stageText(account, header + lineOf('B', 'S2'));
  expect(await factsOf(importId)).toEqual(before);
  const outcome = async () => summaryOfImport((await readImport(staging.pool, importId, null))!).outcomeText;
  expect(await outcome()).toBe('1 of 4 POs is still being placed. 1 of its POs belongs to other files.');
  await endAs(corrected.importId, 'B', 'ordered');
  expect(await factsOf(importId)).toEqual(before);
  expect(await outcome()).toBe('2 POs ordered, 2 cancelled. 1 of its POs belongs to other files.');
});
