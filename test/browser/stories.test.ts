import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { fileOf } from '../support/run-system.ts';
import { pricedFile, useBrowser } from './use-browser.ts';

const use = useBrowser();

test('where is a PO: its number typed into the palette leads to where it is, why, and what is next', async () => {
  await use.system.drop('north', 'monday.csv', fileOf(new Map([['MON-4711', { 'SKU-1': 2 }]])));
  await use.system.settled(1);
  const page = await use.open({ role: 'viewer' });
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('/');
  await page.getByRole('combobox').fill('mon-4711');
  await page.getByRole('option', { name: /MON-4711/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: /MON-4711/ }).waitFor();
  const banner = page.getByRole('region', { name: 'Where this purchase order is' });
  expect(await banner.innerText()).toMatch(/ordered/i);
  expect(await page.getByRole('table', { name: 'Lines of the purchase order' }).innerText()).toContain(
    'SKU-1',
  );
});

test('what is typed at once after / is searched, also while the palette is loaded for the first time', async () => {
  const page = await use.open({ role: 'viewer' });
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.type('/MON-4711');
  await page.getByRole('option', { name: /MON-4711/ }).waitFor();
  await expect.poll(() => page.getByRole('combobox').inputValue()).toBe('MON-4711');
  await page.keyboard.press('Escape');
  await page.getByRole('combobox').waitFor({ state: 'detached' });
  await page.keyboard.type('/S');
  await expect.poll(() => page.getByRole('combobox').inputValue()).toBe('S');
});

test('why did a file fail: the rows, the reason, how to fix it, and the source to download', async () => {
  const source = 'po_number,item_sku,quantity\nBAD-1,SKU-1,two\nBAD-2,SKU-2,3 pcs\nBAD-3,,4\n';
  await use.system.drop('north', 'night.csv', source);
  await use.system.settled(2);
  const page = await use.open({ role: 'viewer' });
  await page.goto('/');
  await page.getByRole('link', { name: 'Imports', exact: true }).click();
  await page.getByRole('link', { name: 'night.csv' }).click();
  await page.getByRole('tab', { name: /Issues/ }).click();
  const issues = page.getByRole('region', { name: 'Issues by column and cause' });
  await issues.getByText('How to fix it:').first().waitFor();
  expect(await issues.innerText()).toContain('Row 2');
  await page.getByRole('tab', { name: 'Files' }).click();
  const waiting = page.waitForEvent('download');
  await page.getByRole('link', { name: /as it came/ }).click();
  const download = await waiting;
  expect(download.suggestedFilename()).toBe('night.csv');
  expect(await readFile((await download.path())!, 'utf8')).toBe(source);
});

test('a file whose meaning nobody knows is on the front page, with the reason and its source', async () => {
  await use.system.drop('north', 'strange.csv', 'alpha,beta\n1,2\n');
  await use.system.settled(3);
  const page = await use.open({ role: 'viewer' });
  await page.goto('/');
  await page.getByRole('link', { name: 'strange.csv waits' }).click();
  await page.getByText('no column is recognised').first().waitFor();
  await page.getByRole('tab', { name: 'Files' }).click();
  await page.getByRole('link', { name: /as it came/ }).waitFor();
});

test('of POs held by a price change, those of one import are released with a note, and become ordered', async () => {
  await use.system.drop('north', 'prices.csv', pricedFile('PRC-', 300));
  await use.system.drop('north', 'others.csv', pricedFile('OTH-', 5));
  await use.system.settled(5);
  const page = await use.open({ role: 'operator' });
  await page.goto('/');
  await page.getByRole('link', { name: /^305 held/ }).waitFor();
  await page.getByRole('link', { name: 'Imports', exact: true }).click();
  await page.getByRole('link', { name: 'prices.csv' }).click();
  const group = page.getByRole('listitem').filter({ hasText: '300: A price is higher' });
  await group.getByRole('button', { name: /^Release/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Note' }).fill('agreed with the dealer');
  await dialog.getByRole('button', { name: 'Release 300 purchase orders' }).click();
  await dialog.getByText('300 of 300 purchase orders tried, 300 changed').waitFor({ timeout: 60_000 });
  await dialog.getByText('Close', { exact: true }).click();
  await use.system.settled(5);
  await page.goto('/imports');
  await page
    .getByRole('row', { name: /prices\.csv/ })
    .getByText('300 ordered')
    .waitFor();
  await page
    .getByRole('row', { name: /others\.csv/ })
    .getByText('5 held')
    .waitFor();
  await page.goto('/activity');
  await page.getByText('agreed with the dealer').first().waitFor();
}, 180_000);

test('a viewer sees everything and is offered no action', async () => {
  const page = await use.open({ role: 'viewer' });
  await page.goto('/purchase-orders');
  await page.getByRole('table', { name: 'Purchase orders' }).waitFor();
  expect(await page.getByRole('checkbox').count()).toBe(0);
  await page.goto('/upload');
  await page.getByText('You may look, but not upload').waitFor();
});

test('two operators press at once: the second is told what happened', async () => {
  await use.system.drop('north', 'one.csv', pricedFile('ONE-', 1));
  await use.system.settled(6);
  const [first, second] = [await use.open({ role: 'operator' }), await use.open({ role: 'operator' })];
  for (const page of [first, second]) {
    await page.goto('/purchase-orders?q=ONE-1');
    await page.getByRole('link', { name: 'ONE-1' }).click();
    await page.getByRole('button', { name: 'Release …' }).click();
  }
  await first.getByRole('dialog').getByRole('button', { name: 'Release PO ONE-1' }).click();
  await first.getByRole('dialog').waitFor({ state: 'detached' });
  await second.getByRole('dialog').getByRole('button', { name: 'Release PO ONE-1' }).click();
  await second.getByText('This changed while you were looking at it').waitFor();
});
