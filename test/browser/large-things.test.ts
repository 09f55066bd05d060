import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, expect, test } from 'vitest';
import { noteItems } from '../../src/ledger/item-numbers.ts';
import { insertImport, insertPurchaseOrder } from '../support/ledger-rows.ts';
import { fileOf, somePos } from '../support/run-system.ts';
import { picturesFolder, useBrowser } from './use-browser.ts';

const use = useBrowser({ north: {}, rhein: { schedule: { timeZone: 'Asia/Tokyo' } } });
let large: string;

beforeAll(async () => {
  await use.system.drop('north', 'northside-autumn-restock.csv', fileOf(somePos('AUT-77-', 3)));
  await use.system.drop('rhein', 'b-file.csv', fileOf(somePos('RH-', 2)));
  await use.system.settled(2);
  const { pool } = use.runtime.ledger;
  await noteItems(pool, () => false);
  // A thousand lines, sixty of them with a mistake, and a long day at the service.
  const file = await insertImport(pool, {
    account: 'north',
    file_name: 'large.csv',
    sha256: 'large',
    row_count: 1000,
    items_noted: true,
  });
  large = await insertPurchaseOrder(pool, file, 'LARGE-1', {
    account: 'north',
    line_count: 1000,
    state: 'rejected',
    reason_code: 'row_issues',
    reason_text: 'Row 500, column Qty: Quantity must be a whole number of at least 1. (and 59 more)',
  });
  await pool.query(
    `insert into lines (import_id, row_number, po_number, item_sku, quantity, expected_price, sku, name, dealer_price, available_quantity, backorder_quantity)
     select $1, n + 1, 'LARGE-1', 'ITEM-' || n, case when n between 500 and 559 then null else n end, 9.5, 'ITEM-' || n, 'Garden chair ' || n,
       case when n = 100 then 12 else 9.5 end, 40, case when n = 200 then 3 else 0 end from generate_series(1, 1000) n`,
    [file],
  );
  await pool.query(
    `insert into row_issues (import_id, row_number, po_number, column_name, code, message, found)
     select $1, n + 1, 'LARGE-1', 'Qty', 'not_a_number', 'Quantity must be a whole number of at least 1.', 'x' from generate_series(500, 559) n`,
    [file],
  );
  await pool.query(
    `insert into intents (purchase_order_id, epoch, step, begun_at, outcome, ended_at)
     select $1, n, 'add_items', now() - interval '1 hour' + n * interval '1 minute', case when n = 7 then 'refused' else 'done' end, now()
     from generate_series(1, 45) n`,
    [large],
  );
}, 180_000);

const nodesOf = (page: Page): Promise<number> => page.evaluate('document.querySelectorAll("*").length');

test('a PO of 1,000 lines shows what is wrong first, pages the rest, and goes to the row that failed', async () => {
  const page = await use.open({ role: 'operator', width: 1440 });
  await page.goto(`/purchase-orders/${large}`);
  const lines = page.getByRole('table', { name: 'Lines of the purchase order' });
  await page.getByText('1,000 lines, 62 with a problem first').waitFor();
  await expect.poll(() => lines.getByRole('row').count()).toBe(41);
  expect(await lines.getByRole('row').nth(1).innerText()).toContain('ITEM-500');
  expect(await nodesOf(page)).toBeLessThanOrEqual(3000);
  await page.screenshot({ path: join(picturesFolder, 'large-po.png'), fullPage: true });

  // Refused lines come first, then the back-order and the price, then the others.
  const pages = page.getByRole('navigation', { name: 'Pages of Lines of the purchase order' });
  await pages.getByRole('button', { name: 'Next' }).click();
  await pages.getByText('41 to 80 of 1,000').waitFor();
  const shown = (await lines.getByRole('row').allInnerTexts())
    .slice(20, 25)
    .map((one) => /ITEM-\d+/.exec(one)?.[0]);
  expect(shown).toEqual(['ITEM-559', 'ITEM-200', 'ITEM-100', 'ITEM-1', 'ITEM-2']);
  await pages.getByRole('button', { name: 'Previous' }).click();

  // The row of a mistake leads to its line on any page, and so does the address.
  const issues = page.getByRole('navigation', { name: /^Pages of Issues/ });
  await issues.getByRole('button', { name: 'Next' }).click();
  await issues.getByRole('button', { name: 'Next' }).click();
  await issues.getByRole('button', { name: 'Next' }).click();
  await page.getByRole('link', { name: 'Row 560', exact: true }).click();
  const target = lines.getByRole('row').filter({ hasText: 'ITEM-559' });
  await target.waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toContain('ITEM-559');
  expect(new URL(page.url()).search).toBe('?row=560');
  await page.goto(`/purchase-orders/${large}?row=1001`);
  await lines.getByRole('row').filter({ hasText: 'ITEM-1000' }).waitFor();
  expect(await nodesOf(page)).toBeLessThanOrEqual(3000);
});

test('a long timeline has what failed first, and its end', async () => {
  const page = await use.open({ role: 'viewer' });
  await page.goto(`/purchase-orders/${large}`);
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await timeline.getByText('What failed, latest first').waitFor();
  const [failed, everything] = await timeline.getByRole('list').allInnerTexts();
  expect(failed).toMatch(/^Rejected[\s\S]*refused by the service/);
  expect(failed).not.toContain(': done');
  expect(everything).toContain('attempt 46');
  await timeline.getByRole('button', { name: 'Previous' }).click();
  await timeline.getByText('21 to 40 of 47').waitFor();
});

test('a card on a telephone shows three facts, and the others once it is opened', async () => {
  const page = await use.open({ role: 'operator', width: 390 });
  await page.goto('/purchase-orders');
  const card = page.getByRole('row').filter({ hasText: 'LARGE-1' });
  await card.waitFor();
  const facts = async () => {
    const cells = await card.locator('td[data-title]:visible').all();
    return Promise.all(cells.map((cell) => cell.getAttribute('data-title')));
  };
  expect(await facts()).toEqual(['State', 'Reason or order', 'Changed']);
  await page.screenshot({ path: join(picturesFolder, 'cards.png') });
  await card.getByRole('button', { name: 'More' }).click();
  expect(await facts()).toEqual(['State', 'Reason or order', 'Lines', 'Account', 'File', 'Changed']);
  await card.getByRole('button', { name: 'Less' }).click();
  expect(await facts()).toHaveLength(3);
});

/** Click targets less than 24 px high or wide, except links within a sentence. */
const smallTargets = `[...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary, [role=option]')].flatMap((one) => {
  const area = (one.closest('label') ?? one.labels?.[0] ?? one).getBoundingClientRect();
  const own = one.getBoundingClientRect();
  if (own.width === 0 || own.height === 0 || getComputedStyle(one).visibility === 'hidden' || one.disabled) return [];
  if (own.right <= 0 || own.bottom <= 0) return [];
  const isInSentence = one.matches('a') && getComputedStyle(one).display === 'inline'
    && one.parentElement.textContent.trim().length > one.textContent.trim().length;
  const width = Math.max(area.width, own.width);
  const height = Math.max(area.height, own.height);
  return isInSentence || (width >= 23.5 && height >= 23.5) ? [] : [one.outerHTML.slice(0, 140) + ' ' + Math.round(width) + ' x ' + Math.round(height)];
})`;

test.each([390, 1280])(
  'everything that is clicked is at least 24 px high and wide, at %i px',
  async (width) => {
    const page = await use.open({ role: 'admin', width });
    const small: string[] = [];
    for (const path of [
      ...[
        '/',
        '/purchase-orders',
        `/purchase-orders/${large}`,
        '/orders',
        '/imports',
        '/upload',
        '/accounts',
      ],
      ...['/accounts/north', '/statistics', '/reports', '/activity', '/users', '/tokens', '/settings/me'],
    ]) {
      await page.goto(path);
      await page.getByRole('heading').first().waitFor();
      await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
      const found = (await page.evaluate(smallTargets)) as string[];
      small.push(...found.map((one) => `${path}: ${one}`));
    }
    expect(small).toEqual([]);
  },
);

test('a list is sorted by the headings of its columns, and its address says how', async () => {
  const page = await use.open({ role: 'viewer', width: 1440 });
  await page.goto('/imports');
  const heading = (name: string | RegExp) => page.getByRole('columnheader', { name });
  const first = () => page.getByRole('row').nth(1);
  await heading('File').getByRole('button').click();
  await expect.poll(() => first().innerText()).toContain('b-file.csv');
  expect(new URL(page.url()).search).toBe('?sort=file.oldest');
  expect(await heading('File').getAttribute('aria-sort')).toBe('ascending');
  await heading('File').getByRole('button').click();
  await expect.poll(() => first().innerText()).toContain('northside-autumn-restock.csv');
  await heading('Rows').getByRole('button').click();
  await expect.poll(() => first().innerText()).toContain('large.csv');
  expect(await heading('Rows').getAttribute('aria-sort')).toBe('descending');
  expect(await heading('File').getAttribute('aria-sort')).toBe('none');
  expect(await heading('Issues').getByRole('button').count()).toBe(0);
  await page.goBack();
  await expect.poll(() => heading('File').getAttribute('aria-sort')).toBe('descending');
  await heading(/^Received/)
    .getByRole('button')
    .click();
  await expect.poll(() => new URL(page.url()).search).toBe('');
  await page.goto('/purchase-orders');
  await heading('PO').getByRole('button').click();
  await expect.poll(() => first().innerText()).toContain('AUT-77-');
  expect(new URL(page.url()).search).toBe('?sort=number.oldest');
});

const openSearch = async (page: Page) => {
  const field = page.getByRole('combobox', { name: /^Search/ });
  // A page whose program takes longer than ten seconds to load stops capturing the key.
  await expect
    .poll(async () => {
      if (!(await field.isVisible())) await page.keyboard.press('/');
      return field.isVisible();
    })
    .toBe(true);
  return field;
};

test('a part of a name or number is found in the search and in the lists', async () => {
  const page = await use.open({ role: 'viewer' });
  await page.goto('/');
  const field = await openSearch(page);
  for (const [text, hit] of [
    ['autumn', 'northside-autumn-restock.csv'],
    ['T-77-2', 'AUT-77-2'],
    ['arge-1', 'LARGE-1'],
  ] as const) {
    await field.fill(text);
    await page.getByRole('option', { name: hit }).first().waitFor();
  }
  await page.keyboard.press('Escape');
  await page.goto('/imports');
  await page.getByRole('textbox', { name: 'Part of the file name' }).fill('autumn');
  await page.keyboard.press('Enter');
  await expect.poll(() => page.getByRole('row').count()).toBe(2);
  await page.goto('/purchase-orders');
  await page.getByRole('textbox', { name: 'Part of the PO number' }).fill('77');
  await page.keyboard.press('Enter');
  await page.getByText('No purchase order matches').waitFor();
  await page.getByRole('textbox', { name: 'Part of the PO number' }).fill('-77-');
  await page.keyboard.press('Enter');
  await page.getByText('3 match').waitFor();
});

test('a view has a name, is opened by others where it is shared, and is removed', async () => {
  const page = await use.open({ role: 'operator' });
  const author = use.users.at(-1)!;
  await page.goto('/imports?account=north&sort=file.oldest');
  const button = page.getByRole('button', { name: /^Views?/ });
  await button.click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('No views yet').waitFor();
  await dialog.getByRole('textbox', { name: 'Name' }).fill('North by name');
  await dialog.getByRole('checkbox', { name: /^Everybody/ }).check();
  await page.screenshot({ path: join(picturesFolder, 'views.png') });
  await dialog.getByRole('button', { name: 'Save the view' }).click();
  await dialog.getByRole('link', { name: 'North by name' }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'View: North by name' }).waitFor();

  const other = await use.open({ role: 'viewer' });
  await other.goto('/imports');
  await other.getByRole('button', { name: 'Views' }).click();
  await other.getByText(`shared by ${author}`).waitFor();
  expect(await other.getByRole('button', { name: /^Remove the view/ }).count()).toBe(0);
  await other.getByRole('link', { name: 'North by name' }).click();
  await expect.poll(() => new URL(other.url()).search).toBe('?account=north&sort=file.oldest');
  const stranger = await use.open({ role: 'viewer', accounts: ['rhein'] });
  await stranger.goto('/imports');
  await stranger.getByRole('button', { name: 'Views' }).click();
  await stranger.getByText('No views yet').waitFor();

  await button.click();
  await dialog.getByRole('button', { name: 'Remove the view North by name' }).click();
  await dialog.getByText('No views yet').waitFor();
});

test('a number that is no PO is looked for in files that are not read, from the search', async () => {
  // A file without its last line break waits for the rest of the upload.
  await use.system.drop('north', 'half.csv', 'po_number,item_sku,quantity\nWAIT-77,A-1,1');
  const page = await use.open({ role: 'viewer' });
  await page.goto('/');
  const field = await openSearch(page);
  await field.fill('WAIT-77');
  await page.getByRole('button', { name: 'Look for this PO number in files that are not read' }).click();
  await page.getByText('half.csv', { exact: true }).waitFor();
  await page.getByText(/\(north, row 2\)/).waitFor();
  await page.screenshot({ path: join(picturesFolder, 'files-with-number.png') });
});

test('times are written as each user wants them, on every page', async () => {
  const page = await use.open({ role: 'viewer', width: 1440 });
  const changed = () => page.getByRole('row').filter({ hasText: 'RH-1' }).locator('time').last();
  await page.goto('/purchase-orders?account=rhein');
  await expect.poll(() => changed().innerText()).toMatch(/ago|just now/);
  const choose = async (name: RegExp) => {
    const saved = page.waitForResponse((answer) => answer.url().endsWith('/me/times') && answer.ok());
    await page.getByRole('radio', { name }).check();
    await saved;
  };
  await page.goto('/settings/me');
  await choose(/^Always the time/);
  await page.getByText('Saved how you see times.').waitFor();
  await page.screenshot({ path: join(picturesFolder, 'own-settings.png') });
  await page.goto('/purchase-orders?account=rhein');
  await page.getByRole('columnheader', { name: 'Changed (Asia/Tokyo)' }).waitFor();
  await expect.poll(() => changed().innerText()).toMatch(/^\d+ \w+, \d\d:\d\d$/);
  expect(await changed().getAttribute('title')).toContain('Asia/Tokyo');
  await page.goto('/settings/me');
  await choose(/^That of this browser/);
  await choose(/^Always how long ago/);
  await page.goto('/imports?account=rhein');
  await expect.poll(() => page.locator('tbody time').first().innerText()).toMatch(/ago|just now/);
  expect(await page.locator('tbody time').first().getAttribute('title')).not.toContain('Asia/Tokyo');
});
