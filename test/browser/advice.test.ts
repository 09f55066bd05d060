import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { insertImport, insertPurchaseOrder } from '../support/ledger-rows.ts';
import { picturesFolder, useBrowser } from './use-browser.ts';

const use = useBrowser({ north: { guards: { orderTotal: 50_000 } } });
const picture = (name: string) => join(picturesFolder, `${name}.png`);
const filled = '[data-variant="filled"]';

test('the preview shows what a guard will hold, and what nobody can know before', async () => {
  mkdirSync(picturesFolder, { recursive: true });
  const page = await use.open({ role: 'operator' });
  await page.goto('/upload?account=north');
  await page.getByRole('button', { name: 'Choose a file …' }).and(page.locator(':enabled')).waitFor();
  await page.getByLabel('Purchase file').setInputFiles({
    name: 'dear.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(
      'po_number,item_sku,quantity,expected_price\nDEAR,SKU-1,1000,84.00\nPO\u202e-1,SKU-1,1,1\n',
    ),
  });
  await page.getByRole('button', { name: 'Preview with these columns' }).click();
  const row = page.getByRole('row', { name: /DEAR/ });
  await row.getByText('Would be held').waitFor();
  expect(await row.innerText()).toContain('84000.00 at the prices of the file, above the limit of 50000.00');
  await page.getByText(/After its answer, a guard of the account holds a PO if/).waitFor();
  await page
    .getByText(/U\+202E \(right-to-left override\)/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Import 1 held purchase order for north' }).waitFor();
  await page.screenshot({ path: picture('preview-guards'), fullPage: true });
}, 120_000);

test('the main button does what the advice says, and what will not help says why', async () => {
  const { pool } = use.runtime.ledger;
  const importId = await insertImport(pool, { account: 'north', sha256: 'advice', state: 'read' });
  const add = (poNumber: string, row: object) =>
    insertPurchaseOrder(pool, importId, poNumber, { account: 'north', ...row });
  const conflict = await add('CONFLICT-1', { state: 'held', reason_code: 'conflicting_po' });
  const failed = await add('FAILED-1', {
    state: 'failed',
    reason_code: 'refused_by_service',
    reason_text: 'The service refused it: no such item.',
  });
  const page = await use.open({ role: 'operator' });
  await page.goto(`/purchase-orders/${conflict}`);
  const banner = page.getByRole('region', { name: 'Where this purchase order is' });
  await banner.getByRole('button', { name: 'Cancel …' }).waitFor();
  await expect.poll(() => banner.locator(filled).allInnerTexts()).toEqual(['Cancel …']);
  expect(await banner.getByRole('button', { name: 'Release …' }).isVisible()).toBe(false);
  await banner.getByText('More', { exact: true }).click();
  await banner.getByText('It helps only if the other PO with this number is cancelled.').waitFor();
  await page.screenshot({ path: picture('advice-conflict') });

  await page.goto(`/purchase-orders/${failed}`);
  await banner.getByRole('link', { name: 'Correct …' }).waitFor();
  await expect.poll(() => banner.locator(filled).allInnerTexts()).toEqual(['Correct …']);
  await banner.getByText('More', { exact: true }).click();
  await banner.getByText(/has refused exactly this request/).waitFor();
  await page.screenshot({ path: picture('advice-failed') });

  const refused = await insertImport(pool, {
    account: 'north',
    sha256: 'cut',
    file_name: 'cut.xlsx',
    state: 'refused',
    reason_code: 'damaged_workbook',
    reason_text:
      'The workbook is damaged or incomplete. Open it in a spreadsheet program, save it again, and send that file.',
  });
  const unclear = await insertImport(pool, {
    account: 'north',
    sha256: 'unclear',
    file_name: 'unclear.csv',
    state: 'refused',
    reason_code: 'delimiter_ambiguous',
    reason_text: 'Both could be the delimiter. Set intake.delimiter of the account to the right one.',
  });
  await page.goto('/');
  const entry = (name: string) => page.getByRole('listitem').filter({ hasText: name });
  await entry('cut.xlsx').getByRole('link', { name: 'Upload a corrected file' }).waitFor();
  expect(
    await entry('cut.xlsx')
      .getByRole('button', { name: /Read again/ })
      .count(),
  ).toBe(0);
  await entry('unclear.csv')
    .getByRole('button', { name: /Read again/ })
    .waitFor();
  await entry('unclear.csv').getByText('“Sign between the columns” under “Read again”').waitFor();
  await page.screenshot({ path: picture('advice-today'), fullPage: true });

  // An unknown tab is the first one, not an empty page.
  await page.goto(`/imports/${refused}?tab=unknown`);
  await page.getByRole('tab', { selected: true }).waitFor();
  expect(await page.getByRole('button', { name: /Read again/ }).count()).toBe(0);
  await page.getByRole('link', { name: 'Upload a corrected file' }).waitFor();
  await page.screenshot({ path: picture('advice-refused') });
  await page.goto(`/imports/${unclear}`);
  await page.locator(filled).filter({ hasText: 'Read again' }).waitFor();
  await page.goto('/purchase-orders');
  await page.getByRole('checkbox', { name: /CONFLICT-1/ }).check();
  const bar = page.getByRole('toolbar');
  await expect.poll(() => bar.locator(filled).allInnerTexts()).toEqual(['Cancel …']);
  await page.screenshot({ path: picture('advice-list') });
}, 180_000);
