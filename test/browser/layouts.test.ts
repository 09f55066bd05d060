import { expect, test } from 'vitest';
import { picturesFolder, useBrowser } from './use-browser.ts';

const use = useBrowser();

/** The export of a dealer's shop, with unknown headers. */
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

  // The next night's file needs no person.
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

test('a file of 40 columns with three wrong proposals is confirmed and ordered in at most 12 interactions', async () => {
  // From an unknown system: the columns of PO number, item and quantity are proposed wrongly or not at all.
  const fields = { Kennung: 'po_number', Sache: 'item_sku', Anzahl_neu: 'quantity' } as const;
  const others = Array.from({ length: 36 }, (_, at) => `Spalte ${at + 1}`);
  const header = [...others.slice(0, 20), ...Object.keys(fields), 'Zustand', ...others.slice(20)];
  const row = (po: string, item: string, quantity: number, state: string) =>
    header
      .map((name) => ({ Kennung: po, Sache: item, Anzahl_neu: String(quantity), Zustand: state })[name] ?? '')
      .join(';');
  const lines = [row('W-1', 'SKU-1', 2, 'offen'), row('W-2', 'SKU-2', 3, 'storniert')];
  await use.system.drop('north', 'wide.csv', `${header.join(';')}\n${lines.join('\n')}\n`);
  const page = await openedAs('/');
  let interactions = 0;
  const step = async (work: () => Promise<unknown>) => {
    interactions += 1;
    await work();
  };
  const waiting = page.getByRole('listitem').filter({ hasText: 'wide.csv' });
  await waiting.waitFor({ timeout: 60_000 });
  await step(() => waiting.getByRole('button', { name: 'Say what it means …' }).click());
  for (const [name, field] of Object.entries(fields)) {
    const choice = page.getByRole('combobox', { name: `Field of the column ${name}` });
    expect(await choice.inputValue()).not.toBe(field);
    await step(() => choice.selectOption(field));
  }
  await step(() => page.getByRole('button', { name: 'Preview with these columns' }).click());
  const rows = page.getByRole('combobox', { name: 'Rows in which Zustand says storniert' });
  await step(() => rows.selectOption('leave_out'));
  await page.screenshot({ path: `${picturesFolder}/what-else-the-rows-say.png`, fullPage: true });
  await step(() => page.getByRole('button', { name: 'Order 1 purchase order' }).click());
  await use.system.settled(1);
  await expect
    .poll(
      async () =>
        (
          await use.system.ledger.query(
            `select po_number, state from purchase_orders where account = 'north' and po_number like 'W-%' order by 1`,
          )
        ).rows,
      { timeout: 60_000 },
    )
    .toEqual([{ po_number: 'W-1', state: 'ordered' }]);
  expect(interactions).toBeLessThanOrEqual(12);
}, 240_000);

test('header, decimal sign and rows that continue are set on the page, and the next file is read with them', async () => {
  const file = (po: string) =>
    [
      'Bestellliste;Nord;;',
      'Stand;heute;;',
      'Kenn;Sache;Stk;Ort',
      `${po};SKU-1;2,00;hier`,
      ';SKU-2;3,00;hier',
    ].join('\n');
  await use.system.drop('north', 'list-1.csv', `${file('X-1')}\n`);
  const page = await openedAs('/');
  const waiting = page.getByRole('listitem').filter({ hasText: 'list-1.csv' });
  await waiting.getByRole('button', { name: 'Say what it means …' }).click({ timeout: 60_000 });
  const settings = page.getByText('How the file is written', { exact: true }).first();
  await settings.click();
  await page.getByRole('combobox', { name: 'Header', exact: true }).selectOption('3');
  await page.getByRole('combobox', { name: 'Field of the column Stk' }).waitFor();
  await page.screenshot({ path: `${picturesFolder}/how-the-file-is-written.png`, fullPage: true });
  for (const [header, field] of [
    ['Kenn', 'po_number'],
    ['Sache', 'item_sku'],
    ['Stk', 'quantity'],
  ] as const)
    await page.getByRole('combobox', { name: `Field of the column ${header}` }).selectOption(field);
  // While one setting is saved, the others are disabled at once, or the next request would lack it.
  const decimal = page.getByRole('combobox', { name: 'Decimal sign' });
  const areOff = await decimal.evaluate(async (node) => {
    type Control = EventTarget & { value: string; matches(selector: string): boolean };
    const select = node as unknown as Control;
    const page = node.ownerDocument as unknown as { querySelector(selector: string): Control };
    const column = page.querySelector('[aria-label="Field of the column Kenn"]');
    select.value = 'comma';
    select.dispatchEvent(new Event('change', { bubbles: true }));
    // Before the next event of the page.
    for (let turn = 0; turn < 100; turn += 1) await null;
    return [select, column].map((one) => one.matches(':disabled'));
  });
  // A choice made meanwhile would be lost with the answer.
  expect(areOff).toEqual([true, true]);
  const continues = page.getByRole('checkbox', { name: /A row without a PO number/ });
  await expect.poll(() => continues.isEnabled()).toBe(true);
  await continues.setChecked(true);
  await page.getByRole('button', { name: 'Preview with these columns' }).click();
  await page.getByRole('button', { name: 'Order 1 purchase order' }).click();
  await use.system.settled(1);
  await use.system.drop('north', 'list-2.csv', `${file('X-2')}\n`);
  await expect
    .poll(
      async () =>
        (
          await use.system.ledger.query(
            `select po_number, state, line_count from purchase_orders where account = 'north' and po_number like 'X-%' order by 1`,
          )
        ).rows,
      { timeout: 60_000 },
    )
    .toEqual([
      { po_number: 'X-1', state: 'ordered', line_count: 2 },
      { po_number: 'X-2', state: 'ordered', line_count: 2 },
    ]);
}, 240_000);

test('a file that cannot be read as it is set can be set otherwise on the page', async () => {
  const page = await openedAs('/upload?account=north');
  await page.locator('input[type=file]').setInputFiles({
    name: 'odd.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('PO Number;SKU;Qty\nY-1;SKU-1;2\n'),
  });
  await page.getByText('How the file is written', { exact: true }).first().click();
  await page.getByRole('combobox', { name: 'Sign between the columns' }).selectOption('|');
  await page.getByText('This file cannot be read').waitFor();
  await page.screenshot({ path: `${picturesFolder}/set-otherwise.png`, fullPage: true });
  await page.getByRole('combobox', { name: 'Sign between the columns' }).selectOption('');
  await page.getByRole('button', { name: 'Preview with these columns' }).click();
  await page.getByRole('button', { name: 'Order 1 purchase order' }).waitFor();
}, 120_000);

test('before a person agrees, what says not to order is marked, and what describes the items is named', async () => {
  const lines = [
    ...['MK-1;T-1;2;Motoroel 5W30;', 'MK-1;T-2;3;Oelfilter kurz;STORNIERT', 'MK-2;T-1;1;Motoroel 5W30;'],
    ...['MK-3;T-3;4;Wischerblatt;', 'MK-3;T-4;1;Bremsenreiniger;'],
  ];
  const text = `Auftrag Nr;Teilecode;Kolli;Bezeichnung;Vermerk\n${lines.join('\n')}\n`;
  await use.system.drop('north', 'marked.csv', text);
  await use.system.settled(1);
  const page = await openedAs('/');
  await page.getByRole('button', { name: 'Say what it means …' }).click({ timeout: 60_000 });
  await page.getByRole('table', { name: /Columns of the file/ }).waitFor();
  for (const [header, field] of [
    ['Auftrag Nr', 'po_number'],
    ['Teilecode', 'item_sku'],
    ['Kolli', 'quantity'],
  ] as const)
    await page.getByRole('combobox', { name: `Field of the column ${header}` }).selectOption(field);
  await page.getByRole('button', { name: 'Preview with these columns' }).click();
  const stops = page.getByRole('row', { name: /STORNIERT/ }).filter({ hasText: 'not to be ordered?' });
  await stops.waitFor({ timeout: 60_000 });
  await page.getByText('Bezeichnung describes the items: each item has a text of its own').waitFor();
  const later = page.getByRole('row', { name: /anything else, in later files/ });
  expect(await later.allInnerTexts()).toEqual([expect.stringContaining('Vermerk')]);
  await stops.scrollIntoViewIfNeeded();
  await page.screenshot({ path: `${picturesFolder}/marked.png` });
  await stops.getByRole('combobox').selectOption('leave_out');
  await page.getByRole('button', { name: 'Order 3 purchase orders' }).click();
  await page.getByRole('link', { name: 'Open the import' }).waitFor({ timeout: 60_000 });
  await expect
    .poll(
      async () =>
        (
          await use.system.ledger.query(
            `select po_number, state, line_count from purchase_orders where po_number like 'MK-%' order by 1`,
          )
        ).rows.map(({ po_number, state, line_count }) => `${po_number} ${state} ${line_count}`),
      { timeout: 60_000 },
    )
    .toEqual(['MK-1 ordered 1', 'MK-2 ordered 1', 'MK-3 ordered 2']);
});

test('what was answered for the files of one header is proposed for those of another', async () => {
  const confirm = async (file: string, answer?: string) => {
    const page = await openedAs('/');
    const waiting = page.getByRole('listitem').filter({ hasText: file });
    await waiting.getByRole('button', { name: 'Say what it means …' }).click({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Preview with these columns' }).click();
    const choice = page.getByRole('combobox', { name: 'Rows in which Gebinde says KT' });
    await choice.waitFor();
    if (answer) await choice.selectOption(answer);
    return { page, choice };
  };
  const header = 'PO Number;SKU;Qty;Gebinde';
  await use.system.drop('north', 'packs-1.csv', `${header}\nK-1;SKU-1;2;ST\nK-2;SKU-2;3;KT\n`);
  const first = await confirm('packs-1.csv', 'leave_out');
  await first.page.getByRole('button', { name: 'Order 1 purchase order' }).click();
  await first.page.getByRole('link', { name: 'Open the import' }).waitFor({ timeout: 60_000 });

  await use.system.drop('north', 'packs-2.csv', `${header};Rampe\nK-3;SKU-1;2;ST;1\nK-4;SKU-2;3;KT;2\n`);
  const { page, choice } = await confirm('packs-2.csv');
  await page.getByText('proposed as in the layout packs').waitFor();
  await expect.poll(() => choice.inputValue()).toBe('leave_out');
  // A person may change the decision.
  await page.getByRole('button', { name: 'Order 1 purchase order' }).waitFor();
  await choice.selectOption('order');
  await page.getByRole('button', { name: 'Order 2 purchase orders' }).waitFor();
}, 120_000);
