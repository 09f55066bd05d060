import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as xlsx from 'xlsx';
import { createStatusLedger } from '../../src/ledger/status-ledger.ts';
import { writeStatusReport } from '../../src/reports/status-report.ts';
import type { ReportFilter } from '../../src/reports/types.ts';
import { insertRow } from '../support/ledger-rows.ts';
import { haveLibreOffice, throughLibreOffice } from './support/libre-office.ts';
import { openReportDesk, type ReportDesk } from './support/report-desk.ts';

let desk: ReportDesk;
let importId: string;
const orderIds = new Map<string, string>();

const ups = '1Z999AA10123456784';

/** Four POs: shipped, back-ordered for 20 days, new, and one that the service does not show yet; a fifth is held. */
beforeAll(async () => {
  desk = await openReportDesk();
  const file = 'po,sku,qty\nA-1,A,5\nA-2,B,10\nA-3,C,1\nA-4,D,1\nA-5,E,1\n';
  importId = await desk.take('november.csv', file, { account: 'north' });
  await desk.set(importId, 'A-5', { state: 'held', reason_code: 'backorder' });
  const placed = { 'A-1': '20 days', 'A-2': '20 days', 'A-3': '1 hour', 'A-4': '1 hour' };
  for (const [poNumber, ago] of Object.entries(placed)) {
    const { rows } = await desk.pool.query<{ id: string }>(
      `update purchase_orders set state = 'ordered', ordered_at = now() - $2::interval where po_number = $1 returning id`,
      [poNumber, ago],
    );
    const known = {
      'A-1': {
        order_status: 'Shipped',
        ship_date: '2026-11-02',
        order_date: '2026-02-30',
        order_total: '1234.50',
        freight: '11.2',
        tracking_numbers: ['unknown 7', ups],
        items: JSON.stringify([
          {
            sku: 'A',
            name: 'Axle',
            order_quantity: 5,
            ship_quantity: 5,
            backorder_quantity: 0,
            price: 0.125,
          },
        ]),
      },
      'A-2': {
        order_status: 'B/O',
        // Dated after its PO was ordered, so that it waits since then.
        order_date: '2036-11-03',
        order_total: '0.1',
        alarm: null,
        items: JSON.stringify([
          { sku: 'B', name: 'Bolt', order_quantity: 10, ship_quantity: 3, backorder_quantity: 7, price: 2 },
          { odd: true },
        ]),
      },
      'A-3': { order_status: 'Picking', order_date: '2036-11-22', order_total: '0.2', items: '[]' },
      'A-4': {},
    }[poNumber] as Record<string, unknown>;
    const { alarm: _, ...columns } = known;
    const order = { purchase_order_id: rows[0]!.id, account: 'north', po_number: poNumber };
    const id = await insertRow(desk.pool, 'orders', { ...order, order_number: `SO-${poNumber}`, ...columns });
    orderIds.set(poNumber, id);
  }
});
afterAll(() => desk.close());

const report = async (date: string, filter?: ReportFilter) => {
  const { paths } = await writeStatusReport({
    account: 'north',
    folder: desk.folder,
    ledger: createStatusLedger(desk.pool),
    formats: ['xlsx', 'csv'],
    date,
    timeZone: 'America/Chicago',
    rule: { lateAfterMs: 7 * 86_400_000, finalStatuses: ['Invoiced'] },
    ...(filter ? { filter } : {}),
  });
  const [book, orders, lines] = paths.map((path) => join(desk.folder, path)) as [string, string, string];
  return { paths, book, orders, lines };
};

const open = async (path: string): Promise<xlsx.WorkBook> =>
  xlsx.read(await readFile(path), { cellNF: true, cellStyles: true });
/** The visible text of a sheet's cells. */
const shown = (book: xlsx.WorkBook, name: string): string[][] =>
  xlsx.utils.sheet_to_json<string[]>(book.Sheets[name]!, { header: 1, raw: false, defval: '', UTC: true });
/** The cell of a PO's row in the column with this title. */
const cellOf = (book: xlsx.WorkBook, name: string, poNumber: string, title: string): xlsx.CellObject => {
  const rows = shown(book, name);
  const [at, column] = [rows.findIndex(([first]) => first === poNumber), rows[0]!.indexOf(title)];
  return book.Sheets[name]![xlsx.utils.encode_cell({ r: at, c: column })];
};
const csv = async (path: string): Promise<Record<string, string>[]> =>
  parse(await readFile(path), { bom: true, columns: true });

test('the first report has a summary, orders and lines with real dates, money, colours and links', async () => {
  const { paths, book: path } = await report('2026-11-20');
  expect(paths).toEqual([
    'reports/status-north-2026-11-20.xlsx',
    'reports/status-north-2026-11-20.csv',
    'reports/status-north-2026-11-20.lines.csv',
  ]);
  const book = await open(path);
  expect(book.SheetNames).toEqual(['Summary', 'Orders', 'Lines']);
  expect(shown(book, 'Summary').map((row) => row.filter((cell) => cell !== '').join(' | '))).toEqual([
    'Status report of north',
    expect.stringMatching(/^As of \| \d{4}-\d\d-\d\d \d\d:\d\d \| America\/Chicago$/),
    '',
    'Order status | Orders | Late | Order totals | Freight',
    'Shipped | 1 | 0 | 1,234.50 | 11.20',
    'B/O | 1 | 1 | 0.10',
    'Picking | 1 | 0 | 0.20',
    'not shown yet | 1 | 0',
    'Total | 4 | 1 | 1,234.80 | 11.20',
    '',
    'Purchase orders without an order | POs',
    'held | 1',
    '',
    'Back-ordered: 7 pieces in 1 line of 1 order',
    'PO number | Order number | Order status | SKU | Item | Back-ordered | Ordered',
    'A-2 | SO-A-2 | B/O | B | Bolt | 7 | 10',
    '',
    'Late: 1 order not shipped within 7 days',
    'PO number | Order number | Order status | Ordered | Days',
    expect.stringMatching(/^A-2 \| SO-A-2 \| B\/O \| [\d-]+ [\d:]+ \| 20$/),
    '',
    'There is no report of an earlier day to compare with.',
  ]);

  const order = (poNumber: string, title: string) => cellOf(book, 'Orders', poNumber, title);
  expect(order('A-1', 'Order total')).toMatchObject({ t: 'n', v: 1234.5, z: '#,##0.00', w: '1,234.50' });
  expect(order('A-1', 'Freight')).toMatchObject({ t: 'n', v: 11.2, w: '11.20' });
  expect(order('A-1', 'Ship date')).toMatchObject({ t: 'n', z: 'yyyy-mm-dd', w: '2026-11-02' });
  // An invalid day stays verbatim.
  expect(order('A-1', 'Order date')).toMatchObject({ t: 's', v: '2026-02-30' });
  expect(order('A-1', 'Tracking numbers')).toMatchObject({
    t: 's',
    v: `unknown 7, ${ups}`,
    l: { Target: `https://www.ups.com/track?tracknum=${ups}` },
  });
  const colours = ['A-1', 'A-2', 'A-3'].map((po) => order(po, 'Order status').s.fgColor.rgb);
  expect(colours).toEqual(['E2F0D9', 'F8CBAD', 'DDEBF7']);
  expect(book.Sheets.Orders!['!autofilter']).toEqual({ ref: expect.stringMatching(/^A1:[A-Z]+5$/) });

  const line = (poNumber: string, title: string) => cellOf(book, 'Lines', poNumber, title);
  expect(line('A-1', 'Price')).toMatchObject({ t: 'n', v: 0.125, w: '0.125' });
  expect(line('A-1', 'Amount')).toMatchObject({ t: 'n', w: '0.63' });
  expect(line('A-1', 'Shipped')).toMatchObject({ t: 'n', v: 5 });
  expect(line('A-2', 'To ship')).toMatchObject({ t: 'n', v: 3 });
  expect(line('A-2', 'Back-ordered')).toMatchObject({ t: 'n', v: 7 });
  expect(shown(book, 'Lines').map(([po]) => po)).toEqual(['PO number', 'A-1', 'A-2', 'A-2', 'A-3', 'A-4']);
});

test('CSV has one file of orders and one of lines, and every file has a copy called latest', async () => {
  const { orders, lines, paths } = await report('2026-11-20');
  expect((await csv(orders)).map(({ backordered, tracking_link }) => [backordered, tracking_link])).toEqual([
    ['', `https://www.ups.com/track?tracknum=${ups}`],
    ['7', ''],
    ['', ''],
    ['', ''],
  ]);
  expect((await csv(lines)).map((row) => [row.sku, row.ordered, row.price, row.note])).toEqual([
    ['A', '5', '0.125', ''],
    ['B', '10', '2', ''],
    ['', '', '', '{"odd":true}'],
    ['', '', '', 'The service shows no items for this order.'],
    ['', '', '', 'The service shows no items for this order.'],
  ]);
  for (const path of paths) {
    const latest = join(desk.folder, path.replace('2026-11-20', 'latest'));
    expect(await readFile(latest)).toEqual(await readFile(join(desk.folder, path)));
  }
});

test('the next day’s report says what has changed since, also when it is written twice', async () => {
  const change = { order_id: orderIds.get('A-3'), field: 'order_status', was: 'Picking', became: 'Shipped' };
  await insertRow(desk.pool, 'status_changes', change);
  await desk.pool.query(
    `update orders set order_status = 'Shipped', changed_at = clock_timestamp() where id = $1`,
    [orderIds.get('A-3')],
  );
  for (const time of ['first', 'second']) {
    const { book } = await report('2026-11-21');
    const summary = shown(await open(book), 'Summary');
    const at = summary.findIndex(([first]) => first === 'Since the last report: 0 new orders, 1 change');
    // A cell beside it would cut it off.
    expect(summary[at]!.slice(1).join('')).toBe('');
    expect(
      summary.slice(at + 3).map((row) => row.slice(0, 5)),
      time,
    ).toEqual([['A-3', 'SO-A-3', 'Status', 'Picking', 'Shipped']]);
  }
});

test('a report of some orders has a name of its own, and the daily report is not compared with it', async () => {
  const before = await desk.pool.query('select * from account_states');
  const changes = await report('2026-11-22', { changedOnly: true });
  expect(changes.paths[0]).toBe('reports/status-north-2026-11-22.changes.xlsx');
  expect(await csv(changes.orders)).toEqual([]);
  const ofImport = await report('2026-11-22', { importId });
  expect(ofImport.paths[1]).toBe(`reports/status-north-2026-11-22.import-${importId}.csv`);
  expect(await csv(ofImport.orders)).toHaveLength(4);
  expect(shown(await open(ofImport.book), 'Summary')[2]![0]).toBe(`Only orders of import ${importId}.`);
  expect(await csv((await report('2026-11-22', { importId: '999' })).orders)).toEqual([]);
  const today = new Intl.DateTimeFormat('en-CA', { timeZone: 'America/Chicago' });
  const old = today.format(Date.now() - 20 * 86_400_000);
  const range = await report('2026-11-22', { from: old, to: old });
  expect((await csv(range.orders)).map(({ po_number }) => po_number)).toEqual(['A-1', 'A-2']);
  expect((await desk.pool.query('select * from account_states')).rows).toEqual(before.rows);
});

test('LibreOffice shows the dates, the money and the links', async ({ skip }) => {
  if (!haveLibreOffice()) skip();
  const { book: path } = await report('2026-11-20');
  const opened = await throughLibreOffice(path);
  try {
    const book = await open(opened.path);
    expect(cellOf(book, 'Orders', 'A-1', 'Ship date').w).toBe('2026-11-02');
    expect(cellOf(book, 'Orders', 'A-1', 'Order total').w).toBe('1,234.50');
    expect(cellOf(book, 'Orders', 'A-1', 'Tracking numbers').l?.Target).toContain(ups);
  } finally {
    await rm(opened.folder, { recursive: true, force: true });
  }
});
