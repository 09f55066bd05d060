import { expect, test } from 'vitest';
import { useBrowser } from './use-browser.ts';

const use = useBrowser({ north: {}, south: {} });

test('a wrong mapping is corrected, previewed, confirmed, placed, and its result downloaded', async () => {
  const page = await use.open({ role: 'operator' });
  await page.goto('/upload');
  // With several accounts, none is preselected.
  const choice = page.getByRole('combobox', { name: 'Account' });
  await choice.waitFor();
  expect(await choice.inputValue()).toBe('');
  expect(await page.getByRole('button', { name: 'Choose a file …' }).isDisabled()).toBe(true);
  await choice.selectOption('north');
  const rows = ['Bestellung,Kram,Stueck', 'UP-1,SKU-1,2', 'UP-2,SKU-2,3', ''].join('\n');
  await page.getByRole('button', { name: 'Choose a file …' }).and(page.locator(':enabled')).waitFor();
  await page.getByLabel('Purchase file').setInputFiles({
    name: 'strange.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(rows),
  });
  await page.getByRole('table', { name: /Columns of the file/ }).waitFor();
  const choose = (header: string, field: string) =>
    page.getByRole('combobox', { name: `Field of the column ${header}` }).selectOption(field);
  await choose('Bestellung', 'po_number');
  await choose('Kram', 'item_sku');
  await choose('Stueck', 'quantity');
  await page.getByRole('button', { name: 'Preview with these columns' }).click();
  await page.getByRole('row', { name: /UP-1/ }).getByText('Would be ordered').waitFor();
  await page.getByRole('button', { name: 'Order 2 purchase orders for north' }).click();
  await page.getByRole('link', { name: 'Open the import' }).waitFor({ timeout: 60_000 });
  await use.system.settled(1);
  const waiting = page.waitForEvent('download', { timeout: 60_000 });
  await page.getByRole('link', { name: /outcomes/ }).click({ timeout: 60_000 });
  expect((await waiting).suggestedFilename()).toMatch(/strange/);
}, 180_000);

test('an upload that was left is found again, with the columns that were chosen', async () => {
  const page = await use.open({ role: 'operator' });
  await page.goto('/upload?account=north');
  await page.getByRole('button', { name: 'Choose a file …' }).and(page.locator(':enabled')).waitFor();
  await page.getByLabel('Purchase file').setInputFiles({
    name: 'left.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('PO Number,SKU,Qty,Farbe\nLEFT-1,SKU-1,2,rot\n'),
  });
  await page.getByRole('table', { name: /Columns of the file/ }).waitFor();
  const row = page.getByRole('row', { name: /Farbe/ });
  // Nothing was recognised in it, so no column is marked as sure.
  expect(await row.getByText('Sure').count()).toBe(0);
  await row.getByText('Not recognised').waitFor();
  const colour = page.getByRole('combobox', { name: 'Field of the column Farbe' });
  await colour.selectOption('note');
  await page.getByRole('link', { name: 'Upload', exact: true }).click();
  await page
    .getByRole('table', { name: /not confirmed yet/ })
    .getByRole('link', { name: 'left.csv' })
    .click();
  await row.getByText('Your choice').waitFor();
  expect(await colour.inputValue()).toBe('note');
  await page.reload();
  await row.getByText('Your choice').waitFor();
  await page.getByRole('button', { name: 'Preview with these columns' }).click();
  await page
    .getByRole('row', { name: /LEFT-1/ })
    .getByText('Would be ordered')
    .waitFor();
}, 120_000);

test('a file that waits is opened in the mapping editor from Today', async () => {
  await use.system.drop('north', 'unreadable.csv', 'alpha,beta\n1,2\n');
  const page = await use.open({ role: 'operator' });
  await page.goto('/');
  await page.getByRole('button', { name: 'Say what it means …' }).click({ timeout: 60_000 });
  await page.getByRole('heading', { level: 1, name: 'unreadable.csv' }).waitFor();
  await page.getByRole('table', { name: /Columns of the file/ }).waitFor();
}, 120_000);

test('the template of an account is downloaded where files are uploaded, and on the page of the account', async () => {
  const page = await use.open({ role: 'operator' });
  for (const path of ['/upload?account=north', '/accounts/north']) {
    await page.goto(path);
    for (const [name, fileName] of [
      ['Template (Excel)', 'north-template.xlsx'],
      ['Template (CSV)', 'north-template.csv'],
    ] as const) {
      const waiting = page.waitForEvent('download', { timeout: 60_000 });
      await page.getByRole('link', { name }).click({ timeout: 60_000 });
      expect((await waiting).suggestedFilename()).toBe(fileName);
    }
  }
}, 120_000);
