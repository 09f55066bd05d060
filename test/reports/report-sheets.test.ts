import { expect, test } from 'vitest';
import { ordersSheet } from '../../src/reports/report-sheets.ts';
import type { ReportedOrder } from '../../src/reports/types.ts';
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
  const rule = { lateAfterMs: 1, finalStatuses: [] };
  const { rows } = ordersSheet({ pages: pages(), timeZone: 'UTC', asOf: new Date(), rule });
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
