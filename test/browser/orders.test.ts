import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { fileOf } from '../support/run-system.ts';
import { picturesFolder, useBrowser } from './use-browser.ts';

const use = useBrowser({ north: {} });
const hourMs = 3_600_000;

beforeAll(async () => {
  // A quantity above the stock goes on back-order.
  const pos = new Map<string, Record<string, number>>([
    ['OR-1', { 'SKU-3': 2 }],
    ['OR-2', { 'SKU-2': 4000 }],
    ['OR-3', { 'SKU-3': 1, 'SKU-4': 3 }],
  ]);
  await use.system.drop('north', 'orders.csv', fileOf(pos));
  await use.system.settled(1);
}, 120_000);

test('a status changes while I look, and what is late, on back-order or was spent is found', async () => {
  const page = await use.open({ role: 'operator', width: 1440 });
  await page.goto('/');
  await page.getByRole('link', { name: 'Orders', exact: true }).click();
  await page.getByText('3 at the service').waitFor();
  const rowOf = (po: string) => page.getByRole('row').filter({ hasText: po });
  const readStatuses = async () => {
    await page.getByRole('button', { name: 'Read statuses now …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Read statuses now' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  };
  await readStatuses();
  await rowOf('OR-1').getByText('In O/E').waitFor();

  // Two days later at the service, while the page stays open.
  await use.service.control.clock({ advanceMs: 20 * hourMs });
  await readStatuses();
  await expect.poll(() => rowOf('OR-1').innerText(), { timeout: 20_000 }).toMatch(/Shipped|Invoiced/);
  await rowOf('OR-2').getByText('B/O').waitFor();
  await page.screenshot({ path: join(picturesFolder, 'orders.png') });

  // Show the orders that this back-order delays.
  await page.getByRole('combobox', { name: 'What to look at' }).selectOption('backordered');
  await page.getByText('1 match').waitFor();
  await rowOf('OR-2')
    .getByText(/back-ordered/)
    .waitFor();
  await rowOf('OR-2').getByRole('link').first().click();
  await page.getByText('Still to come').waitFor();
  await page.getByText(/pieces on back-order, the shipment, a tracking number and the invoice/).waitFor();
  await page.screenshot({ path: join(picturesFolder, 'order-items.png'), fullPage: true });
  // Refresh only this order.
  await use.service.control.clock({ advanceMs: 90 * hourMs });
  await page.getByRole('button', { name: 'Read its status now' }).click();
  await page.getByText('1 PO read, ').waitFor();
  await page.getByText(/the service reports (Shipped|Invoiced)/).waitFor();
  expect(
    (await use.system.ledger.query(`select order_status as status from orders where po_number = 'OR-3'`))
      .rows[0].status,
  ).toBe('Shipped');
  await use.system.ledger.query(
    `update orders set order_status = 'B/O', ship_date = null where po_number = 'OR-2'`,
  );
  await page.goBack();

  // Show orders that have not shipped after a week.
  await use.system.ledger.query(
    `update purchase_orders set ordered_at = ordered_at - interval '8 days' where po_number = 'OR-2'`,
  );
  await page.getByRole('combobox', { name: 'What to look at' }).selectOption('late');
  await rowOf('OR-2').getByText('Late, 8 d').waitFor();
  expect(new URL(page.url()).search).toBe('?look=late');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'CSV' }).click(),
  ]);
  const lines = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain('OR-2');

  // The list of purchase orders shows the status beside the state.
  await page.goto('/purchase-orders');
  await rowOf('OR-2').getByText('B/O').waitFor();
  await page.screenshot({ path: join(picturesFolder, 'purchase-orders-status.png') });

  // Refresh the shown orders one after the other.
  await page.goto('/orders');
  await rowOf('OR-3').waitFor();
  await page.getByRole('button', { name: 'Read these 3 now' }).click();
  await page.getByText(/^3 purchase orders read, \d+ changes?\.$/).waitFor();
  await rowOf('OR-2')
    .getByText(/Shipped|Invoiced|B\/O/)
    .waitFor();
  await page.screenshot({ path: join(picturesFolder, 'orders-read.png') });
  // Refresh only some of them.
  await page
    .getByRole('checkbox', { name: /^Select order / })
    .first()
    .check();
  await page
    .getByRole('checkbox', { name: /^Select order / })
    .last()
    .check();
  await page.getByRole('button', { name: 'Read 2 selected now' }).click();
  await page.getByText(/^2 purchase orders read, /).waitFor();
}, 120_000);
