import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { picturesFolder, useBrowser } from './use-browser.ts';

const use = useBrowser({ north: {} });
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const header = 'PO Number,SKU,Qty,Ship Name,Ship City,Ship Via,Description';
const night = [
  header,
  'FINE-1,SKU-1,2,Bo,Boston,,red',
  'BAD-1,SKU-1,two,Cy,Salem,,red',
  'BAD-1,SKU-2,1,Cy,Salem,,blue',
  'BAD-2,SKU-3,1,Di,Lynn,FAST,red',
  'BAD-3,SKU-4,0,Ed,Essex,,red',
  'BAD-3,SKU-5,none,Ed,Essex,,red',
  '',
].join('\n');

const cell = (page: Page, name: string) =>
  page.getByRole('textbox', { name, exact: true }).or(page.getByRole('combobox', { name, exact: true }));
const focused = (page: Page): Promise<string | null> =>
  page.evaluate('document.activeElement.getAttribute("aria-label")');
/** Drops a file, and waits until it is read and placed. */
const drop = async (name: string, text: string): Promise<void> => {
  const { rows } = await use.system.ledger.query<{ n: number }>('select count(*)::int as n from imports');
  await use.system.drop('north', name, text);
  await use.system.settled(rows[0]!.n + 1);
};
const isChecked = (page: Page, sentence: string) =>
  page.getByRole('status').filter({ hasText: sentence }).waitFor();

const seriousOf = async (page: Page): Promise<string[]> => {
  await page.evaluate(axe);
  const { violations } = (await page.evaluate('axe.run({ resultTypes: ["violations"] })')) as AxeResults;
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
};

test("last night's rejected POs are repaired without touching a file, with keyboard and paste", async () => {
  await drop('night.csv', night);
  const page = await use.open({ role: 'operator' });
  await page.goto('/');
  await page.getByRole('link', { name: 'Correct rows of night.csv …' }).click();
  await page.getByRole('table', { name: 'Rows to correct' }).waitFor();
  await isChecked(page, '4 cells to correct.');

  // Each wrong cell shows its mistake.
  const quantity = cell(page, 'Qty, row 2');
  const why = await quantity.getAttribute('aria-describedby');
  expect(await page.locator(`[id="${why}"]`).innerText()).toContain('whole number of at least 1');
  expect(await quantity.getAttribute('aria-invalid')).toBe('true');
  await page.screenshot({ path: join(picturesFolder, 'correct-1440.png') });

  // By keyboard: go to the next wrong cell, overwrite it, and move on with the arrow keys.
  await page.getByRole('button', { name: 'Next cell to correct' }).click();
  await expect.poll(() => focused(page)).toBe('Qty, row 2');
  await page.keyboard.type('2');
  await page.keyboard.press('Enter');
  await expect.poll(() => focused(page)).toBe('Qty, row 3');
  await isChecked(page, '3 cells to correct.');
  expect(await page.getByRole('button', { name: 'Order 1 corrected purchase order' }).isEnabled()).toBe(true);

  // Codes are chosen from a list.
  const method = cell(page, 'Ship Via, row 4');
  const list = await method.getAttribute('list');
  await expect.poll(() => page.locator(`[id="${list}"] option[value="BEST"]`).count()).toBe(1);
  await method.fill('BEST');
  await method.press('Tab');
  await isChecked(page, '2 cells to correct.');

  // Paste cells of a spreadsheet, starting at the focused cell.
  await cell(page, 'SKU, row 5').focus();
  await page.evaluate(`(() => {
    const data = new DataTransfer();
    data.setData('text/plain', 'SKU-6\\t4\\r\\nSKU-7\\t5\\r\\n');
    document.activeElement.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data }));
  })()`);
  await isChecked(page, 'No cell is marked.');
  expect(await cell(page, 'SKU, row 6').inputValue()).toBe('SKU-7');
  expect(await seriousOf(page)).toEqual([]);

  // Input survives a reload of the page.
  await page.reload();
  await isChecked(page, 'No cell is marked.');
  expect(await quantity.inputValue()).toBe('2');
  await page.getByText('What you changed before is shown again').waitFor();
  await page.getByText('In the file: two').waitFor();
  await page.getByText('Changed: 6 cells.').waitFor();
  await page.getByRole('textbox', { name: 'Note' }).fill('asked the shop');
  await page.getByRole('button', { name: 'Order 3 corrected purchase orders' }).click();
  await page.getByRole('heading', { level: 1, name: /night corrected\.csv/ }).waitFor();
  await page
    .getByText(`corrected by ${use.users.at(-1)}`, { exact: false })
    .first()
    .waitFor();
  const changes = page.getByRole('table', { name: 'What was corrected, cell by cell' });
  expect(await changes.getByRole('row', { name: /BAD-1/ }).innerText()).toMatch(/Qty\s+two\s+2/);
  await page.screenshot({ path: join(picturesFolder, 'corrected-import.png') });
  await use.system.settled(2);
  const { rows } = await use.system.ledger.query(
    `select po_number, state, reason_code from purchase_orders order by import_id, first_row`,
  );
  expect(rows.map((row) => [row.po_number, row.state, row.reason_code].filter(Boolean).join(' '))).toEqual([
    'FINE-1 ordered',
    'BAD-1 rejected corrected',
    'BAD-2 rejected corrected',
    'BAD-3 rejected corrected',
    'BAD-1 ordered',
    'BAD-2 ordered',
    'BAD-3 ordered',
  ]);
  await page.goto('/');
  await page
    .getByText(/^(All quiet|Nothing needs you)/)
    .first()
    .waitFor();
  await page.goto('/activity');
  await page.getByText('asked the shop').first().waitFor();
}, 180_000);

test('a failed PO is corrected from its own page, and what is still wrong stays', async () => {
  await drop('items.csv', `${header}\nGONE-1,OLD-1,2,Bo,Boston,,red\nGONE-2,SKU-1,x,Bo,Boston,,red\n`);
  await use.system.ledger.query(
    `with line as (update lines set refusal = 'no such item' where po_number = 'GONE-1')
     update purchase_orders set state = 'failed', reason_code = 'refused_by_service', reason_text = 'The service refused it: no such item.'
     where po_number = 'GONE-1'`,
  );
  const page = await use.open({ role: 'operator' });
  await page.goto('/purchase-orders?q=GONE-1');
  await page.getByRole('link', { name: 'GONE-1' }).click();
  const banner = page.getByRole('region', { name: 'Where this purchase order is' });
  await banner.getByRole('link', { name: 'Correct …' }).click();
  await page.getByRole('heading', { level: 1, name: 'Correct PO GONE-1' }).waitFor();
  await page.getByText('Nothing changed yet').waitFor();
  await page.getByText('The service refused this line: no such item').waitFor();
  expect(await page.getByRole('button', { name: /^Order 0/ }).isDisabled()).toBe(true);
  await cell(page, 'SKU, row 2').fill('SKU-9');
  await cell(page, 'SKU, row 2').press('Enter');
  await page.getByRole('button', { name: 'Order 1 corrected purchase order' }).click();
  await page.getByRole('heading', { level: 1, name: /items corrected\.csv/ }).waitFor();
  await use.system.settled(1);
  await page.goto('/purchase-orders?q=GONE');
  await page
    .getByRole('row', { name: /GONE-1/ })
    .getByText('Ordered')
    .first()
    .waitFor();
  await page
    .getByRole('row', { name: /GONE-2/ })
    .getByText('Rejected')
    .waitFor();
}, 180_000);

test('a thousand lines are paged, and rows and columns are added and removed', async () => {
  const lines = Array.from(
    { length: 1000 },
    (_, at) => `LONG-1,SKU-${at % 40},${at === 950 ? 'x' : 1},Bo,Boston,,red`,
  );
  await drop('long.csv', `${header}\n${lines.join('\n')}\n`);
  const page = await use.open({ role: 'operator' });
  await page.goto('/imports');
  await page.getByRole('link', { name: 'long.csv' }).click();
  await page.getByRole('link', { name: 'Correct this PO …' }).click();
  await isChecked(page, '1 cell to correct.');
  expect(await page.getByRole('row').count()).toBeLessThan(120);
  await page.getByRole('button', { name: 'Next cell to correct' }).click();
  await expect.poll(() => focused(page)).toBe('Qty, row 952');
  await page.getByRole('button', { name: 'Remove row 952' }).click();
  await isChecked(page, 'No cell is marked.');
  await page.getByRole('button', { name: 'Add a row' }).click();
  expect(await cell(page, 'PO Number, row 1,001').inputValue()).toBe('LONG-1');
  await isChecked(page, '1 cell to correct.');
  await page.getByRole('button', { name: 'Remove row 1,001' }).click();
  await page.getByRole('combobox', { name: 'Add a column' }).selectOption({ label: 'Ship-to ZIP' });
  await cell(page, 'ship_zip, row 902').waitFor();
  await page.getByText('Show 1 column that is not read').click();
  await cell(page, 'Description, row 902').waitFor();
  await page
    .getByRole('button', { name: 'Order 1 corrected purchase order' })
    .and(page.locator(':enabled'))
    .waitFor();
}, 180_000);

test.each([
  ['light', 390],
  ['dark', 390],
  ['light', 1024],
  ['dark', 1440],
] as const)(
  'the grid in %s colours at %i px has no serious accessibility problem and fits',
  async (scheme, width) => {
    const { rows } = await use.system.ledger.query<{ id: string }>(
      `select id::text from imports where file_name = 'items.csv'`,
    );
    const page = await use.open({ role: 'operator', scheme, width });
    await page.goto(`/imports/${rows[0]!.id}/correct`);
    await isChecked(page, '1 cell to correct.');
    expect(await seriousOf(page)).toEqual([]);
    await page.screenshot({ path: join(picturesFolder, `correct-${width}-${scheme}.png`), fullPage: true });
    expect(await page.evaluate('document.documentElement.scrollWidth > window.innerWidth')).toBe(false);
  },
);

test('a viewer is offered no correction', async () => {
  const { rows } = await use.system.ledger.query<{ id: string }>(
    `select id::text from imports where file_name = 'items.csv'`,
  );
  const page = await use.open({ role: 'viewer' });
  await page.goto(`/imports/${rows[0]!.id}`);
  await page.getByRole('heading', { level: 1, name: /items\.csv/ }).waitFor();
  expect(await page.getByRole('link', { name: /^Correct/ }).count()).toBe(0);
  await page.goto(`/imports/${rows[0]!.id}/correct`);
  await page.getByText('You may look, but not correct').waitFor();
});

test('what one person typed and did not order is not there for the next one in the same tab', async () => {
  await drop('shared.csv', `${header}\nTAB-1,SKU-1,many,Cy,Salem,,red\nTAB-1,SKU-2,1,Cy,Salem,,red\n`);
  const page = await use.open({ role: 'operator' });
  const next = await use.open({ role: 'operator' });
  const nextSession = await next.context().cookies();
  await page.goto('/');
  await page.getByRole('link', { name: 'Correct rows of shared.csv …' }).click();
  const other = cell(page, 'Qty, row 3');
  await other.fill('99');
  await other.press('Tab');
  await page.getByText('Changed: 1 cell.').waitFor();
  const address = page.url();
  const kept = () =>
    page.evaluate<number>(
      'Object.keys(sessionStorage).filter((key) => key.startsWith("cartwright ")).length',
    );
  expect(await kept()).toBe(1);

  // Another person's session, as after the end of this one.
  await page.context().addCookies(nextSession);
  await page.goto(address);
  await isChecked(page, '1 cell to correct.');
  expect(await other.inputValue()).toBe('1');
  expect(await page.getByText('What you changed before').count()).toBe(0);

  await page.getByRole('button', { name: /: menu$/ }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Password', { exact: true }).waitFor();
  expect(await kept()).toBe(0);
}, 120_000);
