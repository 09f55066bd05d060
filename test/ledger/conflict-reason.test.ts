import { expect, test } from 'vitest';
import { readPurchaseOrdersNamed } from '../../src/ledger/console/purchase-order.ts';
import { withdrawUnsent } from '../../src/ledger/console/reread-imports.ts';
import { inTransaction } from '../../src/ledger/transaction.ts';
import { header, useStaging } from './stage-text.ts';

const staging = useStaging();
const { newAccount, stageText, setState } = staging;

/** The current text about the PO of this import. */
const reasonIn = async (account: string, importId: string, poNumber = 'PO-7') => {
  const found = await readPurchaseOrdersNamed(staging.pool, poNumber, account);
  return found.find((po) => po.importId === importId)?.reasonText;
};
const text = (quantity: number) => `${header}PO-7,Ann,S1,${quantity}\n`;
const readAgain = (importId: string) =>
  inTransaction(staging.pool, {}, (client) => withdrawUnsent(client, importId));
const isDue = async (importId: string) =>
  (await staging.pool.query('select result_due from imports where id = $1', [importId])).rows[0].result_due;
const resultsWritten = () => staging.pool.query('update imports set result_due = false');

test('a conflict names the PO that is live now, also after the file of the first one was read again', async () => {
  const account = newAccount();
  const first = await stageText(account, text(1), { fileName: 'monday.csv' });
  const later = await stageText(account, text(2), { fileName: 'tuesday.csv' });
  expect(await reasonIn(account, later.importId)).toContain(`import ${first.importId} (monday.csv, row 2)`);
  await resultsWritten();

  await readAgain(first.importId);
  expect(await reasonIn(account, later.importId)).toBe(
    `PO-7 in import ${first.importId} (monday.csv, row 2) is cancelled now, so this one no longer conflicts with it. Release this one to order it, or cancel it.`,
  );
  expect(await isDue(later.importId)).toBe(true);
  await resultsWritten();

  const again = await stageText(account, `${header}PO-6,Ann,S1,1\n${text(3).slice(header.length)}`, {
    fileName: 'monday.csv',
  });
  const live = `import ${again.importId} (monday.csv, row 3) and is waiting to be placed`;
  expect(await reasonIn(account, later.importId)).toContain(live);
  expect(await isDue(later.importId)).toBe(true);
  // A later file conflicts from the start, and the first reading of this one is no conflict.
  const last = await stageText(account, text(4));
  expect(await reasonIn(account, last.importId)).toContain(live);
  const asFirst = await stageText(account, text(1));
  expect(await reasonIn(account, asFirst.importId)).toContain(live);
});

test('a conflict offers to cancel the first PO only while that is possible', async () => {
  const account = newAccount();
  const first = await stageText(account, text(1));
  const later = await stageText(account, text(2));
  expect(await reasonIn(account, later.importId)).toContain('Or cancel the first one');
  await setState(first.importId, 'closed');
  expect(await reasonIn(account, later.importId)).toMatch(
    /and is complete\. Send the new order .* cancel this one\.$/,
  );
});

test('a conflict within a file names both spellings, whatever earlier files have', async () => {
  const account = newAccount();
  await stageText(account, `${header}po-7,Ann,S1,1\n`);
  const both = await stageText(account, `${header}PO-7,Ann,S1,2\nPo-7,Ann,S1,3\n`);
  expect(await reasonIn(account, both.importId)).toContain('PO-7 (row 2), Po-7 (row 3)');
});
