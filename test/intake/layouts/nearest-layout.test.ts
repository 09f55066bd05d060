import { expect, test } from 'vitest';
import type { Layout } from '../../../src/intake/layouts/layout.ts';
import { nearestLayout, sayDifference } from '../../../src/intake/layouts/nearest-layout.ts';

const layoutOf = (
  name: string,
  header: string[],
  settings: Layout['settings'],
  kind: Layout['kind'] = 'order',
): Layout => ({
  ...{ id: name, headerKey: name, name, version: 1, kind, header, settings, who: 'anna', via: 'console' },
  confirmedAt: new Date(),
});
const weekly = layoutOf('Weekly', ['Our order', 'Art. no.', 'Pcs', 'Net price'], {
  columns: {
    'Our order': 'po_number',
    'Art. no.': 'item_sku',
    Pcs: 'quantity',
    'Net price': 'expected_price',
  },
  ...{ decimal: 'comma', sheet: 'Week 47' },
});
const other = layoutOf('Other', ['Our order', 'Code', 'Number'], {
  columns: { 'Our order': 'po_number', Code: 'item_sku', Number: 'quantity' },
});

test('a header with a new and a renamed column is that of the layout with most of its names, without what does not fit', () => {
  const nearest = nearestLayout(
    [other, weekly],
    ['our ORDER', 'Art. No', 'Pieces', 'Net price', 'Remark', ''],
  )!;
  expect(nearest).toEqual({
    name: 'Weekly',
    // Its sheet belongs to another workbook.
    mapping: {
      decimal: 'comma',
      columns: { 'Our order': 'po_number', 'Art. no.': 'item_sku', 'Net price': 'expected_price' },
    },
    added: ['Pieces', 'Remark'],
    missing: ['Pcs'],
  });
  expect(sayDifference(nearest)).toBe(
    'This is nearly the layout "Weekly": the columns "Pieces", "Remark" are new, and the column "Pcs" is missing.',
  );
});

test.each([
  ['half of the names', ['Our order', 'Art. no.', 'A', 'B']],
  ['a wide file with a few of the names', ['Our order', 'Art. no.', 'Pcs', 'A', 'B', 'C', 'D']],
  ['no header', []],
])('%s is another kind of file', (_, header) => {
  expect(nearestLayout([weekly], header)).toBeUndefined();
});

test('what is no order, and joined sheets, are no proposal', () => {
  const header = [...weekly.header, 'Remark'];
  const joined = { ...weekly, settings: { join: { orders: 'A', lines: 'B', by: 'Our order' } } };
  expect(nearestLayout([layoutOf('Stock', weekly.header, {}, 'no_order'), joined], header)).toBeUndefined();
});

test('where only standard names are shared, nothing was agreed about the file', () => {
  const lists = layoutOf('Lists', ['PO Number', 'SKU', 'Qty', 'Label'], { columns: {} });
  expect(nearestLayout([lists], ['PO Number', 'SKU', 'Qty', 'Remark'])).toBeUndefined();
  expect(nearestLayout([lists], ['PO Number', 'SKU', 'Label', 'Remark'])?.name).toBe('Lists');
});
