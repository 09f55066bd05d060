import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as xlsx from 'xlsx';
import { createStatusLedger } from '../../src/ledger/status-ledger.ts';
import { dayIn, writeStatusReport } from '../../src/reports/status-report.ts';
import { insertRow } from '../support/ledger-rows.ts';
import { openReportDesk, type ReportDesk } from './support/report-desk.ts';

let desk: ReportDesk;
beforeAll(async () => {
  desk = await openReportDesk();
});
afterAll(() => desk.close());

const report = () =>
  writeStatusReport({
    account: 'default',
    folder: desk.folder,
    ledger: createStatusLedger(desk.pool),
    formats: ['csv', 'xlsx', 'json'],
    date: '2026-11-20',
    timeZone: 'America/Chicago',
    rule: { lateAfterMs: 7 * 86_400_000, finalStatuses: ['Invoiced'] },
  });

test('an account without orders gets a report with its header', async () => {
  const { paths } = await report();
  expect(paths).toEqual([
    'reports/status-default-2026-11-20.csv',
    'reports/status-default-2026-11-20.lines.csv',
    'reports/status-default-2026-11-20.xlsx',
    'reports/status-default-2026-11-20.json',
  ]);
  const [csv, , sheet, json] = paths.map((path) => join(desk.folder, path)) as [
    string,
    string,
    string,
    string,
  ];
  expect(parse(await readFile(csv), { bom: true })).toHaveLength(1);
  expect(xlsx.utils.sheet_to_json(xlsx.read(await readFile(sheet)).Sheets.Orders!)).toEqual([]);
  expect(JSON.parse(await readFile(json, 'utf8'))).toEqual([]);
});

test('one row for each order with every field of the spec, in CSV, XLSX and JSON alike', async () => {
  const importId = await desk.take('november.csv', 'po,sku,qty\n-1001,A,5\n-1001,B,1\nS-2,A,1\n', {
    account: 'default',
  });
  await desk.set(importId, '-1001', { state: 'closed' });
  const { rows } = await desk.pool.query(`select id from purchase_orders where po_number = '-1001'`);
  /** Every format must show these unchanged. */
  const shown = {
    order_number: '000123',
    order_status: 'Invoiced',
    invoice_number: '900',
    freight: '12.5',
    misc_charges: '-3.25',
    order_total: '100.10',
    warehouse: 'ID',
    order_date: '2026-11-01',
    ship_date: '2026-11-02',
    ship_via: 'UPS',
    ship_address: '1 Elm St',
    ship_city: 'Boise',
    ship_state: 'ID',
    ship_zip: '02134',
  };
  const order = {
    ...shown,
    purchase_order_id: rows[0].id,
    account: 'default',
    po_number: '-1001',
    ship_name: '=cmd|calc',
    invoice_date: null,
    tracking_numbers: ['1Z1', '1Z2'],
    items: JSON.stringify([
      { sku: 'A', name: 'Axle', order_quantity: 5, ship_quantity: 3, backorder_quantity: 2, price: 12.5 },
      { what: 'else' },
    ]),
  };
  await insertRow(desk.pool, 'orders', order);
  await insertRow(desk.pool, 'orders', {
    ...order,
    order_number: '000124',
    order_status: 'Picking',
    ship_date: null,
    tracking_numbers: [],
    items: JSON.stringify([{ sku: 'B', order_quantity: 1, ship_quantity: 1 }]),
  });
  const { paths } = await report();
  const [csv, , sheet, json] = paths.map((path) => join(desk.folder, path)) as [
    string,
    string,
    string,
    string,
  ];
  const fromCsv = parse(await readFile(csv), { bom: true, columns: true }) as Record<string, string>[];
  expect(fromCsv).toHaveLength(2);
  expect(fromCsv[0]).toMatchObject({
    ...shown,
    po_number: "'-1001",
    po_state: 'complete',
    invoice_date: '',
    tracking_numbers: '1Z1, 1Z2',
    items: '5 x A Axle (3 shipped, 2 backordered) at 12.5; {"what":"else"}',
    ship_name: "'=cmd|calc",
    file: 'november.csv',
    import: importId,
  });
  expect(fromCsv[1]).toMatchObject({ order_number: '000124', items: '1 x B (1 to ship)' });
  const fromSheet = xlsx.utils.sheet_to_json<Record<string, unknown>>(
    xlsx.read(await readFile(sheet)).Sheets.Orders!,
  );
  expect(fromSheet[0]).toMatchObject({
    'PO number': '-1001',
    'Ship to': '=cmd|calc',
    ZIP: '02134',
    'Order number': '000123',
    'Misc. charges': -3.25,
    'Order total': 100.1,
  });
  const fromJson = JSON.parse(await readFile(json, 'utf8'));
  expect(fromJson).toHaveLength(2);
  expect(fromJson[0]).toMatchObject({
    poNumber: '-1001',
    orderTotal: '100.10',
    trackingNumbers: ['1Z1', '1Z2'],
  });
  const state = await desk.pool.query(`select report_path, report_written_at from account_states`);
  expect(state.rows).toEqual([{ report_path: paths[0], report_written_at: expect.any(Date) }]);
});

test('the day of a report is the day of the account’s time zone', () => {
  const at = new Date('2026-11-20T02:30:00Z');
  expect(dayIn('America/Chicago', at)).toBe('2026-11-19');
  expect(dayIn('UTC', at)).toBe('2026-11-20');
});
