import { expect, test } from 'vitest';
import { pricedFile, useBrowser } from './use-browser.ts';

const use = useBrowser({ north: {} }, {}, { cuttable: true });

const waitsForTable = `select from pg_locks where not granted and relation = 'operator_actions'::regclass`;

test('without its database the page says that it is not live, and recovers without help', async () => {
  await use.system.drop('north', 'before.csv', pricedFile('DB-', 2));
  await use.system.settled(1);
  const page = await use.open({ role: 'operator' });
  await page.goto('/purchase-orders');
  await page.getByRole('link', { name: 'DB-1' }).waitFor();
  use.database.cut();
  await page.getByText('Not live, reconnecting.').waitFor();
  // Loaded data stays visible, and a page opened now says why it is empty.
  await page.getByRole('link', { name: 'DB-1' }).waitFor();
  await page.getByRole('link', { name: 'Imports', exact: true }).click();
  await page.getByText('The database cannot be reached at the moment').waitFor();
  await use.database.restore();
  await page.getByRole('link', { name: 'before.csv' }).waitFor();
  await page.getByText('Not live, reconnecting.').waitFor({ state: 'detached' });
}, 120_000);

test('with a frozen database the page says that it is not live, claims nothing of an action, and recovers', async () => {
  await use.system.drop('north', 'frozen.csv', pricedFile('FROZEN-', 1));
  const page = await use.open({ role: 'operator' });
  await page.goto('/purchase-orders');
  await page.getByRole('link', { name: 'FROZEN-1' }).click();
  await page.getByRole('button', { name: 'Release …' }).click();
  await page.getByTitle('Live', { exact: true }).waitFor();
  const { pool } = use.runtime.ledger;
  const blocker = await pool.connect();
  await blocker.query('begin; lock table operator_actions in share mode');
  await page.getByRole('button', { name: 'Release PO FROZEN-1' }).click();
  await expect.poll(async () => (await blocker.query(waitsForTable)).rowCount).toBeGreaterThan(0);
  use.database.freeze();
  await page.getByText('Not live, reconnecting.').waitFor();
  await page.getByText('it is not known whether this was done').waitFor();
  await page.getByRole('dialog').getByText('Close', { exact: true }).click();
  await page.getByRole('link', { name: 'Reports', exact: true }).click();
  await page.getByText('The database cannot be reached at the moment').waitFor();
  use.database.thaw();
  await blocker.query('rollback');
  blocker.release();
  await page.getByText('Not live, reconnecting.').waitFor({ state: 'detached' });
  await page.getByRole('link', { name: 'Purchase orders', exact: true }).click();
  await page.getByRole('link', { name: 'FROZEN-1' }).waitFor();
}, 120_000);

test('while the service is down Today says so, and orders continue without a click once it is back', async () => {
  const page = await use.open({ role: 'viewer' });
  await page.goto('/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  const { port } = new URL(use.service.url);
  await use.service.stop();
  await use.system.drop('north', 'while-down.csv', 'po_number,item_sku,quantity\nDOWN-1,SKU-1,1\n');
  await page.getByRole('link', { name: 'Account north is paused' }).waitFor({ timeout: 60_000 });
  use.service = await use.startService(Number(port));
  await page
    .getByRole('link', { name: 'Account north is paused' })
    .waitFor({ state: 'detached', timeout: 90_000 });
  await use.system.settled(3);
  const { rows } = await use.system.ledger.query(
    `select state from purchase_orders where po_number = 'DOWN-1'`,
  );
  expect(rows).toEqual([{ state: 'ordered' }]);
}, 240_000);

test('what is loaded ahead of its need and cannot be loaded is no error of the page', async () => {
  const page = await use.open({ role: 'operator' });
  const refused = ['DialogBox', 'SessionEnded'].map((part) =>
    page.waitForEvent('requestfailed', (request) => request.url().includes(`/assets/${part}-`)),
  );
  await page.route(/\/assets\/(DialogBox|SessionEnded)-/, (route) => route.abort());
  await page.goto('/');
  await Promise.all(refused);
  await page.getByTitle('Live', { exact: true }).waitFor();
});

test('a page whose code cannot be loaded while the console is down leaves the app in place, and opens afterwards', async () => {
  const page = await use.open({ role: 'operator' });
  await page.goto('/');
  await page.getByTitle('Live', { exact: true }).waitFor();
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Reports', exact: true }).click();
  const failed = page.getByRole('main').getByRole('alert').filter({ hasText: 'could not be loaded' });
  await failed.waitFor();
  expect(new URL(page.url()).pathname).toBe('/reports');
  await failed.getByRole('button', { name: 'Try again' }).click();
  await failed.waitFor();
  await page.getByRole('link', { name: 'Today', exact: true }).waitFor();
  // A failed part of a page is retried without leaving the page.
  await page.keyboard.press('/');
  const part = page.getByRole('banner').getByRole('alert');
  await part.waitFor();
  await page.context().setOffline(false);
  await part.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await failed.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { level: 1, name: 'Reports' }).waitFor();
}, 120_000);
