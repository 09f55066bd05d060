import { expect, test } from 'vitest';
import { ordersSheet, statusFill } from '../../src/reports/report-sheets.ts';
import { createStatusSummary } from '../../src/reports/status-summary.ts';
import type { ReportedOrder, ReportSnapshot } from '../../src/reports/types.ts';
import type { SheetRow } from '../../src/reports/workbook/sheet-xml.ts';

const mostRows = 1_048_576;
const order = {
  poNumber: 'A-1',
  orderNumber: 'SO-1',
  poState: 'ordered',
  orderStatus: 'Picking',
  trackingNumbers: [],
  items: null,
  alarm: null,
  orderedAt: null,
  waitingSince: new Date(),
  takenAt: null,
  changedAt: null,
  shipDate: null,
} as unknown as ReportedOrder;

test('a sheet that is full ends with a note, and its orders are read to their end for the summary', async () => {
  const page = Array.from({ length: 100_000 }, () => order);
  let read = 0;
  async function* pages() {
    for (let nth = 0; nth < 12; nth += 1) {
      read += page.length;
      yield page;
    }
  }
  const rule = { lateAfterMs: 3_600_000, finalStatuses: [] };
  const { rows } = ordersSheet({ pages: pages(), timeZone: 'UTC', asOf: new Date(), ruleOf: () => rule });
  let written = 0;
  let last: SheetRow | undefined;
  for await (const batch of rows) {
    written += batch.length;
    last = batch.at(-1) ?? last;
  }
  expect(written).toBe(mostRows);
  expect(last).toMatchObject({
    rowNumber: mostRows,
    cells: ['The sheet is full; the CSV report has all orders.'],
  });
  expect(read).toBe(1_200_000);
});

test('an order is yellow while pieces of it are back-ordered, whatever its status is', () => {
  const rule = { lateAfterMs: 3_600_000, finalStatuses: [] };
  const fillOf = (more: object) => statusFill({ ...order, ...more } as ReportedOrder, new Date(), rule);
  const items = [{ sku: 'A', order_quantity: 3, ship_quantity: 1, backorder_quantity: 2 }];
  expect([{}, { items }, { orderStatus: 'B/O' }, { items, orderStatus: 'Shipped' }].map(fillOf)).toEqual([
    ...['blue', 'yellow', 'yellow', 'green'],
  ]);
});

test('a column is as wide as its header with the time zone', () => {
  async function* pages(): AsyncGenerator<ReportedOrder[]> {}
  const rule = { lateAfterMs: 3_600_000, finalStatuses: [] };
  const { columns } = ordersSheet({
    pages: pages(),
    timeZone: 'America/Chicago',
    asOf: new Date(),
    ruleOf: () => rule,
  });
  const widest = 'File picked up (America/Chicago)'.length;
  expect(Math.max(...columns.slice(20).map(({ width }) => width!))).toBeGreaterThan(widest + 2);
});

test('an order with the status B/O whose pieces are not shown contradicts no sentence of the summary', async () => {
  const snapshot = { asOf: new Date(), since: null, notOrdered: async () => [] } as unknown as ReportSnapshot;
  const rule = { lateAfterMs: 3_600_000, finalStatuses: [] };
  const summary = createStatusSummary({ account: 'a', timeZone: 'UTC', rule, scope: undefined, snapshot });
  summary.add({ ...order, orderStatus: 'B/O' });
  const texts = (await summary.rows())
    .flatMap(({ cells }) => cells)
    .filter((cell) => typeof cell === 'string');
  expect(texts).not.toContain('Nothing is back-ordered.');
  expect(texts).toContain(
    '1 order with the status B/O: the service does not show which pieces are back-ordered.',
  );
});
