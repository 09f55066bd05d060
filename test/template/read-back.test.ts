import { expect, test } from 'vitest';
import * as xlsx from 'xlsx';
import { makeTemplate, type TemplateFormat } from '../../src/template/make-template.ts';
import { importBytes, ordersOf, refusalOf } from '../intake/support/import-file.ts';
import { accountWith } from './support/template-account.ts';

type IntakeInput = Parameters<typeof accountWith>[0];

const made = async (intake: IntakeInput, format: TemplateFormat) => {
  const template = await makeTemplate(accountWith(intake), format);
  if (template.kind !== 'made') throw new Error(template.why);
  return template;
};

const values: Record<string, string> = { po_number: '0071', item_sku: '00520', item_id: '81', quantity: '3' };

/** The workbook with a row added below the header. */
const withRow = async (intake: IntakeInput, row: Record<string, string>) => {
  const { bytes, headers } = await made(intake, 'xlsx');
  const book = xlsx.read(bytes);
  const { sheet: asked } = accountWith(intake).intake;
  const name = typeof asked === 'string' ? asked : book.SheetNames[(asked ?? 1) - 1]!;
  const sheet = book.Sheets[name]!;
  const { e: end } = xlsx.utils.decode_range(sheet['!ref']!);
  const cells = headers.map((header) => row[header] ?? '');
  xlsx.utils.sheet_add_aoa(sheet, [cells], { origin: { r: end.r + 1, c: 0 } });
  return xlsx.write(book, { type: 'buffer', bookType: 'xlsx' }) as Buffer;
};

const settings: Record<string, IntakeInput> = {
  'without settings': {},
  'with a row for the header': { header: 4 },
  'with rows to skip': { skipRows: 2 },
  'with a header of two rows': { headerRows: 2, header: 2 },
  'with a sheet by its name': { sheet: 'Bestellungen' },
  'with a sheet that is called as the one that explains': { sheet: 'How to fill in' },
  'with the second sheet': { sheet: 2 },
  'with joined sheets that are called as that of a template': {
    join: { orders: 'Orders', lines: 'Purchase orders', by: 'Order' },
  },
  'with joined sheets': { join: { orders: 'Heads', lines: 'Lines', by: 'Order' } },
  'with the PO number in the name of the sheet': { poNumberFrom: { sheetName: 'PO {po}' } },
  'with the PO number in a cell': { poNumberFrom: { cell: 'PO Number' } },
  'with other names': {
    columns: { 'Our PO': 'po_number', Quantity: 'ignore', 'Total Pieces': 'quantity', Example: 'ship_to' },
  },
  'with layouts': { layouts: { web: { columns: { Order: 'po_number', Piece: 'item_sku', N: 'quantity' } } } },
  'where PO number and quantity are constants': { constants: { po_number: '0071', quantity: 3 } },
  'where an item ID is a constant': { constants: { item_id: '81' } },
};

test.each(Object.keys(settings))(
  'a filled-in template of an account %s is read without a mapping',
  async (name) => {
    const intake = settings[name]!;
    const row = { ...values, 'Total Pieces': '3' };
    const constants = accountWith(intake).intake.constants;
    const order = {
      poNumber: '0071',
      options: {},
      lines: [
        {
          sku: constants.item_id === undefined ? '00520' : undefined,
          id: constants.item_id,
          quantity: constants.quantity ?? 3,
          note: undefined,
        },
      ],
    };
    const workbook = await importBytes('filled.xlsx', await withRow(intake, row), intake);
    expect(workbook.outcome).toMatchObject({ kind: 'read', rowCount: 1 });
    expect(workbook.issues).toEqual([]);
    expect(ordersOf(workbook)).toEqual([order]);

    const { bytes, headers } = await made(intake, 'csv');
    const line = headers.map((header) => row[header as keyof typeof row] ?? '').join(',');
    const csv = await importBytes('filled.csv', Buffer.concat([bytes, Buffer.from(`${line}\r\n`)]), intake);
    expect(csv.outcome).toMatchObject({ kind: 'read', rowCount: 1 });
    expect(ordersOf(csv)).toEqual([order]);
    expect([...workbook.issues, ...csv.issues]).toEqual([]);
  },
);

test.each([
  ['xlsx', {}],
  ['xlsx', { constants: { item_sku: 'A-1', quantity: 1 } }],
  ['xlsx', { poNumberFrom: { cell: 'PO Number' } }],
  ['xlsx', { sheet: 2 }],
  ['csv', {}],
  ['csv', { delimiter: ';', encoding: 'windows-1252' }],
] as [TemplateFormat, IntakeInput][])(
  'a template as %s that nobody filled in orders nothing: %j',
  async (format, intake) => {
    const { bytes, fileName } = await made(intake, format);
    expect(fileName).toBe(`north-template.${format}`);
    const imported = await importBytes(fileName, bytes, intake);
    expect(imported.rows).toEqual([]);
    expect(refusalOf(imported)).toEqual({
      code: 'no_rows',
      message: 'There are no rows below the header.',
    });
  },
);

test('the example is text on the sheet that explains, and rejected if somebody copies it into the table', async () => {
  const { bytes } = await made({}, 'xlsx');
  const book = xlsx.read(bytes);
  expect(book.SheetNames).toEqual(['Orders', 'How to fill in']);
  const guide = xlsx.utils.sheet_to_json<string[]>(book.Sheets['How to fill in']!, { header: 1 });
  const example = Object.fromEntries(
    guide.flatMap((row) => {
      const field = /^Column [A-Z]+: (.+)$/.exec(row[0] ?? '')?.[1];
      return field === undefined ? [] : [[field, row[4] ?? '']];
    }),
  );
  expect(Object.keys(example)).toHaveLength(14);
  expect(example).toMatchObject({ po_number: 'EXAMPLE 004711', quantity: '3', ship_via: 'AH2D' });
  const imported = await importBytes('copied.xlsx', await withRow({}, example), {});
  expect(imported.refusals.map(({ column, message }) => `${column}: ${message}`)).toEqual([
    'po_number: This is an example, as the first row of a template has it. Remove the row.',
    'item_sku: This is an example, as the first row of a template has it. Remove the row.',
  ]);
  const withOwnNumber = await importBytes(
    'copied.xlsx',
    await withRow({}, { ...example, po_number: '7' }),
    {},
  );
  expect(withOwnNumber.refusals).toHaveLength(1);
});

test('the sheet that explains is protected and says which version it is', async () => {
  const { bytes, version } = await made({ constants: { pay_type: 'OO' } }, 'xlsx');
  const book = xlsx.read(bytes, { bookFiles: true });
  const text = xlsx.utils.sheet_to_csv(book.Sheets['How to fill in']!);
  expect(text).toContain(`Template version ${version}.`);
  expect(text).toContain('The account fills in pay_type (OO), so the template has no such column.');
  expect(text).toContain('You can also add columns with these exact headers: expected_price, ship_to,');
  const { files } = book as unknown as { files: Record<string, { content: Buffer }> };
  expect(String(files['xl/worksheets/sheet2.xml']!.content)).toContain('<sheetProtection sheet="1"');
  expect(book.Props).toMatchObject({ Title: 'Purchase orders of north', Author: 'Cartwright' });
  expect(book.Custprops).toEqual({ 'Cartwright template version': version });
});
