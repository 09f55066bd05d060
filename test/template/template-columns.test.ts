import { expect, test } from 'vitest';
import { fieldNames, fields } from '../../src/intake/columns/fields.ts';
import { maxQuantity } from '../../src/intake/options.ts';
import { columnRule } from '../../src/template/column-rules.ts';
import { fieldGuide } from '../../src/template/field-guide.ts';
import { makeTemplate } from '../../src/template/make-template.ts';
import { templateColumns } from '../../src/template/template-columns.ts';
import { planTemplate } from '../../src/template/template-plan.ts';
import { accountWith } from './support/template-account.ts';

const headersOf = (...given: Parameters<typeof accountWith>) =>
  templateColumns(accountWith(...given)).map(({ header }) => header);

const usual = [
  'po_number',
  'item_sku',
  'quantity',
  'note',
  'ship_name',
  'ship_address1',
  'ship_address2',
  'ship_city',
  'ship_state',
  'ship_zip',
  'ship_phone',
  'default_warehouse',
  'ship_via',
  'comment1',
];

test('an account without settings gets the usual fields by their standard names', () => {
  expect(headersOf()).toEqual(usual);
});

test('a price guard needs expected_price, and no other guard needs a column', () => {
  expect(headersOf({}, { guards: { abovePercent: 0 } })).toEqual(usual.toSpliced(4, 0, 'expected_price'));
  expect(headersOf({}, { guards: { backorder: true, orderTotal: 100, unusualQuantity: 2 } })).toEqual(usual);
});

test('fields that the account maps or that blankMeansNo names have a column, those with a constant have none', () => {
  const headers = headersOf({
    columns: { 'Our PO': 'po_number', Mail: 'email', Colour: 'ignore' },
    layouts: { web: { columns: { Signature: 'proof_of_delivery' } } },
    blankMeansNo: ['allow_backorder'],
    constants: { ship_via: 'BEST', default_warehouse: 'TX', pay_type: 'OO' },
  });
  expect(headers).toEqual(
    expect.arrayContaining(['po_number', 'email', 'proof_of_delivery', 'allow_backorder']),
  );
  for (const absent of ['ship_via', 'default_warehouse', 'pay_type', 'ignore'])
    expect(headers).not.toContain(absent);
});

test('a constant of a line keeps its column, which need not be filled in, and that of the PO number needs none', () => {
  const columns = templateColumns(accountWith({ constants: { quantity: 1, po_number: 'A-1' } }));
  expect(columns.slice(0, 3)).toMatchObject([
    { field: 'item_sku', required: true },
    { field: 'quantity', required: false },
    { field: 'note', required: false },
  ]);
});

test('an account that maps item IDs gets item_id in place of item_sku', () => {
  const columns = templateColumns(accountWith({ columns: { 'Product Key': 'item_id' } }));
  expect(columns.filter(({ required }) => required).map(({ field }) => field)).toEqual([
    'po_number',
    'item_id',
    'quantity',
  ]);
  expect(headersOf({ columns: { Key: 'item_id', Number: 'item_sku' } }).slice(1, 3)).toEqual([
    'item_sku',
    'item_id',
  ]);
});

test('a standard name that the account reads as something else is replaced by the name that it reads', () => {
  const intake = { columns: { Quantity: 'ignore', 'Total Pieces': 'quantity' } } as const;
  expect(headersOf(intake).slice(0, 3)).toEqual(['po_number', 'item_sku', 'Total Pieces']);
});

test('cells are text where zeros must stay, and numbers only where a number belongs', () => {
  const numbers = fieldNames.filter((field) => columnRule(field, accountWith()).cells === 'number');
  expect(numbers).toEqual(['quantity', 'expected_price']);
});

test('codes and yes or no are chosen from those of the account', () => {
  const account = accountWith({}, { warehouses: ['GA', 'NV'] });
  expect(columnRule('default_warehouse', account).choices).toEqual(['GA', 'NV']);
  expect(columnRule('ship_via', account).choices).toContain('BEST');
  expect(columnRule('hold_order', account).choices).toEqual(['yes', 'no']);
  const withChoices = fieldNames.filter((field) => columnRule(field, account).choices !== undefined);
  expect(withChoices).toEqual(fieldNames.filter((field) => ['code', 'flag'].includes(fields[field].kind)));
});

test('a quantity is a whole number above 0 up to the most that a line may have', () => {
  expect(columnRule('quantity', accountWith()).rule).toEqual({ kind: 'whole', from: 1, to: maxQuantity });
});

test('every field is explained, and an example of each that is not chosen from a list fits its column', () => {
  for (const field of fieldNames) {
    const { meaning, example } = fieldGuide[field];
    expect(meaning, field).toMatch(/\.$/);
    const { rule, choices } = columnRule(field, accountWith());
    if (choices) expect(example, field).toBe('');
    else if (rule?.kind === 'length') {
      expect(example.length, field).toBeGreaterThanOrEqual(rule.from);
      expect(example.length, field).toBeLessThanOrEqual(rule.to);
    } else expect(example, field).not.toBe('');
  }
});

test('the version changes with what the template contains, and with nothing else', () => {
  const versionOf = (...given: Parameters<typeof accountWith>) => planTemplate(accountWith(...given)).version;
  expect(versionOf()).toMatch(/^1-[0-9a-f]{8}$/);
  expect(versionOf({ quotes: false })).toBe(versionOf());
  const others = [
    versionOf({ skipRows: 2 }),
    versionOf({ constants: { pay_type: 'CC' } }),
    versionOf({}, { guards: { abovePercent: 5 } }),
    versionOf({}, { warehouses: ['GA'] }),
  ];
  expect(new Set([versionOf(), ...others]).size).toBe(5);
});

test('a template that would not be read is not made, and the reason says what to change', async () => {
  const whyNot = async (intake: Parameters<typeof accountWith>[0], format: 'xlsx' | 'csv' = 'xlsx') => {
    const template = await makeTemplate(accountWith(intake), format);
    return template.kind === 'not_possible' ? template.why : template.kind;
  };
  expect(await whyNot({ header: 'none' })).toMatch(/without a header \(intake\.header: none\)/);
  expect(await whyNot({ constants: { po_number: 'A', item_sku: 'B', quantity: 1 } })).toMatch(
    /intake\.constants/,
  );
  expect(await whyNot({ sheet: 3 })).toMatch(/reads sheet 3 of a workbook .* use the template as CSV/);
  expect(await whyNot({ sheet: 3 }, 'csv')).toBe('made');
});
