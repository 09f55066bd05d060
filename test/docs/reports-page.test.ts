import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { orderColumns } from '../../src/reports/order-columns.ts';
import { renderReportsPage } from './reports-page.ts';

test('docs/reports.md shows the columns that the code has (npm run docs)', async () => {
  const page = await readFile(new URL('../../docs/reports.md', import.meta.url), 'utf8');
  expect(page).toBe(renderReportsPage(page));
});

test('the first columns of a status report in CSV are those of earlier versions, in their order', () => {
  expect(orderColumns.slice(0, 26).map(({ header }) => header)).toEqual([
    ...['po_number', 'po_state', 'order_number', 'order_status', 'invoice_number', 'freight', 'misc_charges'],
    ...[
      'order_total',
      'warehouse',
      'order_date',
      'ship_date',
      'invoice_date',
      'ship_via',
      'tracking_numbers',
    ],
    ...[
      'items',
      'ship_name',
      'ship_address',
      'ship_city',
      'ship_state',
      'ship_zip',
      'alarm',
      'file',
      'import',
    ],
    ...['taken_at', 'ordered_at', 'changed_at'],
  ]);
});
