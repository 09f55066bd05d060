import { expect, test } from 'vitest';
import { useBrowser } from './use-browser.ts';

const use = useBrowser();

test('a wrong mapping is corrected, previewed, confirmed, placed, and its result downloaded', async () => {
  const page = await use.open({ role: 'operator' });
  await page.goto('/upload');
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
  await page.getByRole('button', { name: 'Order 2 purchase orders' }).click();
  await page.getByRole('link', { name: 'Open the import' }).waitFor({ timeout: 60_000 });
  await use.system.settled(1);
  const waiting = page.waitForEvent('download', { timeout: 60_000 });
  await page.getByRole('link', { name: /outcomes/ }).click({ timeout: 60_000 });
  expect((await waiting).suggestedFilename()).toMatch(/strange/);
}, 180_000);
