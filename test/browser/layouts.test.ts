import { expect, test } from 'vitest';
import { useBrowser } from './use-browser.ts';

const use = useBrowser();

/** The export of a dealer's shop, with headers that nobody knows. */
const night = (...lines: string[]) =>
  `Vorgang;Teil;Stueckzahl;Zustand\n${lines.map((line) => `${line}\n`).join('')}`;

const openedAs = async (path: string) => {
  const page = await use.open({ role: 'operator' });
  await page.goto(path);
  return page;
};

test('a new dealer’s first file, the file of the next night, and the night of the first cancelled row', async () => {
  await use.system.drop('north', 'shop-1.csv', night('V-1;SKU-1;2;offen', 'V-2;SKU-2;3;offen'));
  await use.system.settled(1);
  const page = await openedAs('/');
  await page.getByText('1 file with an unknown meaning').waitFor({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Say what it means …' }).click();
  await page.getByRole('table', { name: /Columns of the file/ }).waitFor();
  for (const [header, field] of [
    ['Vorgang', 'po_number'],
    ['Teil', 'item_sku'],
    ['Stueckzahl', 'quantity'],
  ] as const)
    await page.getByRole('combobox', { name: `Field of the column ${header}` }).selectOption(field);
  await page.getByRole('button', { name: 'Preview with these columns' }).click();
  await page.getByRole('button', { name: 'Order 2 purchase orders' }).click();
  await use.system.settled(1);
  await page.getByRole('link', { name: 'Open the import' }).waitFor({ timeout: 60_000 });

  // The next night needs nobody.
  await use.system.drop('north', 'shop-2.csv', night('V-3;SKU-1;4;offen'));
  await use.system.settled(2);
  await page.goto('/imports');
  await page
    .getByRole('row', { name: /shop-2\.csv/ })
    .getByText('1 ordered')
    .waitFor({ timeout: 60_000 });

  await use.system.drop(
    'north',
    'shop-3.csv',
    night('V-4;SKU-1;4;offen', 'V-5;SKU-1;1;offen', 'V-5;SKU-2;9;storniert'),
  );
  await use.system.settled(3);
  await page.goto('/');
  const question = page.getByRole('listitem').filter({ hasText: '"Zustand" says "storniert"' });
  await question.getByRole('button', { name: 'Leave them out …' }).click({ timeout: 60_000 });
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Note' }).fill('as the shop says');
  await dialog.getByRole('button', { name: 'Leave them out' }).click();
  await question.waitFor({ state: 'detached', timeout: 60_000 });
  await use.system.settled(3);
  await expect
    .poll(
      async () =>
        (
          await use.system.ledger.query(
            `select p.po_number, p.state, p.line_count from purchase_orders p where p.account = 'north' and p.po_number in ('V-4', 'V-5') order by 1`,
          )
        ).rows,
      { timeout: 60_000 },
    )
    .toEqual([
      { po_number: 'V-4', state: 'ordered', line_count: 1 },
      { po_number: 'V-5', state: 'ordered', line_count: 1 },
    ]);
  await page.goto('/accounts/north');
  await page.getByRole('row', { name: /Vorgang → po_number/ }).waitFor();
}, 240_000);

test('a price list is refused as no order, and so are the next ones', async () => {
  await use.system.drop('north', 'prices-1.csv', 'Artikel;Preis\nSKU-1;4,50\n');
  const page = await openedAs('/');
  await page.getByRole('link', { name: 'prices-1.csv waits' }).click({ timeout: 60_000 });
  await page.getByRole('button', { name: 'It is no order …' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('checkbox', { name: /all files with this header/ }).check();
  await dialog.getByRole('button', { name: 'It is no order' }).click();
  await page.getByText('said that this file is no order').first().waitFor();
  await use.system.drop('north', 'prices-2.csv', 'Artikel;Preis\nSKU-2;4,90\n');
  await page.goto('/imports');
  await page
    .getByRole('row', { name: /prices-2\.csv/ })
    .getByText('Refused')
    .waitFor({ timeout: 60_000 });
}, 120_000);
