import { expect, test } from 'vitest';
import { useBrowser } from './use-browser.ts';

const use = useBrowser();

const attack = '<img src=x onerror="document.body.dataset.owned=1">';
const link = 'javascript:alert(1)';
const turned = 'A\u202Egnp.exe\u2066B';
const long = 'L'.repeat(10_000);

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;
const file = [
  'po_number,item_sku,quantity,note,expected_price',
  ...[attack, link, turned, long.slice(0, 200)].map((text) =>
    // A plain number among other texts would make the file wait.
    [text === link ? `from ${link}` : text, text, '1', text, '0.50'].map(quoted).join(','),
  ),
  [long, long, long, long, long].map(quoted).join(','),
  '',
].join('\n');

/** Every page that shows text of the file or of the person. */
const visited = [
  '/',
  '/purchase-orders',
  '/imports',
  ...['orders', 'issues', 'reading', 'timeline', 'files'].map((tab) => `/imports/1?tab=${tab}`),
  '/activity',
  '/reports',
];

test('text of files and people is shown as text, isolated and no wider than its place', async () => {
  await use.system.drop('north', `${attack.replace('/', '')} ${turned}.csv`, file);
  await use.system.settled(1);
  const page = await use.open({ role: 'admin', width: 1280 });
  const ids = await use.system.ledger.query<{ id: string }>(
    'select id::text from purchase_orders order by id',
  );
  expect(ids.rows.length).toBeGreaterThan(2);
  const held = await use.system.ledger.query<{ id: string }>(
    `select id::text from purchase_orders where state = 'held' order by id limit 1`,
  );
  await page.goto(`/purchase-orders/${held.rows[0]!.id}`);
  await page.getByRole('button', { name: 'Release …' }).click();
  await page.getByRole('textbox', { name: 'Note' }).fill(`${attack} ${link} ${turned}`);
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Release / })
    .click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  for (const path of [...visited, ...ids.rows.map(({ id }) => `/purchase-orders/${id}`)]) {
    await page.goto(path);
    await page.getByRole('heading').first().waitFor();
    // Not with a function in the page, because the content security policy forbids evaluating one.
    await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
    expect(await page.evaluate('document.body.dataset.owned'), path).toBeUndefined();
    expect(await page.locator('img').count(), path).toBe(0);
    expect(await page.locator('a[href^="javascript:" i]').count(), path).toBe(0);
    expect(await page.locator('body').innerText(), path).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'), path).toBe(true);
  }
}, 120_000);

test('on a telephone long text wraps: nothing scrolls that the keyboard cannot reach', async () => {
  await use.system.ledger.query(
    `update account_states set pause_code = 'service_unreachable', pause_reason = $1, paused_since = now(),
       paused_until = now() + interval '1 hour'`,
    [long],
  );
  const page = await use.open({ role: 'viewer', width: 360 });
  for (const path of ['/', '/accounts', '/accounts/north', '/purchase-orders/1']) {
    await page.goto(path);
    await page.getByRole('heading').first().waitFor();
    await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0);
    const scrolling = await page.evaluate(`[...document.querySelectorAll('main *')]
      .filter((element) => /auto|scroll/.test(getComputedStyle(element).overflowY) &&
        element.scrollHeight > element.clientHeight + 1 && element.tabIndex < 0)
      .map((element) => element.className)`);
    expect(scrolling, path).toEqual([]);
    expect(await page.evaluate('document.documentElement.scrollWidth <= window.innerWidth'), path).toBe(true);
  }
}, 60_000);
