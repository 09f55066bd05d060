import { describe, expect, test } from 'vitest';
import * as xlsx from 'xlsx';
import { importBytes, ordersOf } from './support/import-file.ts';
import {
  escapeXml,
  type TestCell,
  type TestSheet,
  type TestWorkbook,
  writeWorkbook,
} from './support/write-workbook.ts';

// One table in every form that dealers send; each must give exactly these orders.
const header = [
  'po_number',
  'ship_to',
  'ship_name',
  'ship_zip',
  'allow_backorder',
  'item_sku',
  'quantity',
  'note',
  'remark',
];
const table = [
  ['PO-1001', '0012345', 'José Ñandú', '00501', 'yes', '015-01001', '2', '', 'a'],
  ['PO-1001', '0012345', 'José Ñandú', '00501', 'yes', '1E5', '10', 'leave at\ndock "B"', 'b, c; d'],
  ['0002002', '0098765', 'Motos "El Rápido"', '83702-1234', 'no', '00123', '4', '=cmd', ''],
  ['PO/3 003', '0000007', "O'Neil", '76051', '', '61-5010', '12', 'note; with | pipes', ''],
  ['0002002', '0098765', 'Motos "El Rápido"', '83702-1234', 'no', '910-20040', '1', 'rush', ''],
];
const order = (ship_to: string, ship_name: string, ship_zip: string, allow_backorder?: boolean) => ({
  ...(allow_backorder === undefined ? {} : { allow_backorder }),
  ship_name,
  ship_to,
  ship_zip,
});
const line = (sku: string, quantity: number, note?: string) => ({ sku, id: undefined, quantity, note });
const expected = [
  {
    poNumber: 'PO-1001',
    options: order('0012345', 'José Ñandú', '00501', true),
    lines: [line('015-01001', 2), line('1E5', 10, 'leave at\ndock "B"')],
  },
  {
    poNumber: '0002002',
    options: order('0098765', 'Motos "El Rápido"', '83702-1234', false),
    lines: [line('00123', 4, '=cmd'), line('910-20040', 1, 'rush')],
  },
  {
    poNumber: 'PO/3 003',
    options: order('0000007', "O'Neil", '76051'),
    lines: [line('61-5010', 12, 'note; with | pipes')],
  },
];

const csv = (delimiter: string, more: { lineEnd?: string; quoteAll?: boolean; rows?: string[][] } = {}) => {
  const { lineEnd = '\r\n', quoteAll = false, rows = [header, ...table] } = more;
  const cell = (text: string) =>
    quoteAll || text.includes(delimiter) || /["\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  return rows.map((row) => row.map(cell).join(delimiter) + lineEnd).join('');
};
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

const csvShapes: [string, string | Uint8Array][] = [
  ['UTF-8', csv(',')],
  ['UTF-8 with byte order mark', `\ufeff${csv(',')}`],
  ['UTF-16 LE with mark', Buffer.from(`\ufeff${csv('\t')}`, 'utf16le')],
  ['UTF-16 LE without mark', Buffer.from(csv(','), 'utf16le')],
  ['UTF-16 BE with mark', utf16be(`\ufeff${csv(';')}`)],
  ['UTF-16 BE without mark', utf16be(csv(','))],
  ['windows-1252', Buffer.from(csv(';'), 'latin1')],
  ['semicolons', csv(';')],
  ['tabs', csv('\t')],
  ['pipes', csv('|')],
  ['LF', csv(',', { lineEnd: '\n' })],
  ['CR', csv(',', { lineEnd: '\r' })],
  ['every field quoted', csv(',', { quoteAll: true })],
  ['a sep= line', `sep=;\r\n${csv(';')}`],
  ['no line end at the end', csv(',').slice(0, -2)],
  ['title rows above', `Orders of 05/03/2026\r\n\r\n${csv(',')}`],
  [
    'blank rows between',
    csv(',', { rows: [header, ...table.flatMap((row) => [row, ['', ''], header.map(() => '')])] }),
  ],
];

const xlsxOf = (sheet: Partial<TestSheet>, book: Partial<TestWorkbook> = {}) =>
  writeWorkbook({ sheets: [{ name: 'Orders', rows: [header, ...table], ...sheet }], ...book });
const numeric = (text: string, style = 0): TestCell => ({
  xml: `<c r="REF" s="${style}"><v>${Number(text)}</v></c>`,
});
/** Sorted by PO, so that one PO's cells can be merged. */
const sorted = [table[0]!, table[1]!, table[2]!, table[4]!, table[3]!];
const merged: TestCell[][] = [
  header,
  ...sorted.map((row, at) => (at === 1 || at === 3 ? ['', '', '', '', '', ...row.slice(5)] : row)),
];
const mergedAfter = `<mergeCells count="10">${['A', 'B', 'C', 'D', 'E'].map((c) => `<mergeCell ref="${c}2:${c}3"/><mergeCell ref="${c}4:${c}5"/>`).join('')}</mergeCells>`;

const xlsxShapes: [string, () => Promise<Buffer>][] = [
  ['inline strings', () => xlsxOf({})],
  ['shared strings', () => xlsxOf({}, { shared: true })],
  ['prefixed element names', () => xlsxOf({}, { prefix: 'x' })],
  ['1904 dates', () => xlsxOf({}, { date1904: true })],
  ['hidden rows', () => xlsxOf({ rowAttributes: { 3: 'hidden="1"', 5: 'hidden="true"' } })],
  ['hidden columns', () => xlsxOf({ before: '<cols><col min="2" max="3" width="9" hidden="1"/></cols>' })],
  ['a table that begins at C5', () => xlsxOf({ at: 'C5' })],
  ['title rows above', () => xlsxOf({ rows: [['ACME'], ['Orders of', 'today'], [], header, ...table] })],
  [
    'numbers whose zeros are in their format',
    () =>
      xlsxOf(
        {
          rows: [
            header,
            ...table.map((row) =>
              row.map((cell, at) =>
                at === 1
                  ? numeric(cell, 1)
                  : at === 3 && /^\d+$/.test(cell)
                    ? numeric(cell, 2)
                    : at === 6
                      ? numeric(cell)
                      : cell,
              ),
            ),
          ],
        },
        { formats: ['0000000', '00000'] },
      ),
  ],
  ['merged PO cells', () => xlsxOf({ rows: merged, after: mergedAfter })],
  [
    'a table on a later sheet',
    () =>
      writeWorkbook({
        sheets: [
          { name: 'Read me', rows: [['Hello', 'there']] },
          { name: 'Orders', rows: [header, ...table] },
        ],
      }),
  ],
  ['a dimension that is too small', () => xlsxOf({ before: '<dimension ref="A1:B2"/>' })],
  [
    'rich text, phonetic text, CDATA and comments',
    () =>
      xlsxOf({
        rows: [
          header,
          ...table.map((row) =>
            row.map(
              (cell): TestCell =>
                cell === ''
                  ? ''
                  : {
                      xml: `<!-- c --><c t="inlineStr" r='REF'><is><r><rPr><b/></rPr><t xml:space="preserve">${escapeXml(cell.slice(0, 1))}</t></r><r><t><![CDATA[${cell.slice(1)}]]></t></r><rPh sb="0" eb="1"><t>ネ</t></rPh></is></c>`,
                    },
            ),
          ),
        ],
      }),
  ],
];

const byLibrary = (bookType: xlsx.BookType) => {
  const sheet = xlsx.utils.aoa_to_sheet([header, ...table]);
  const book = xlsx.utils.book_new();
  xlsx.utils.book_append_sheet(book, sheet, 'Orders');
  return xlsx.write(book, { type: 'buffer', bookType }) as Buffer;
};

const htmlText = (cell: string) => escapeXml(cell).replaceAll('\n', '<br>').replaceAll('ñ', '&ntilde;');
const html = (start: string, cell: (text: string) => string, end: string) =>
  `${start}<p>Orders of 05/03/2026</p><table><tr><td>&nbsp;</table><table><tr><td>Menu<td>Log out</table><table border=1>${[header, ...table].map((row) => `<tr>${row.map((text) => cell(htmlText(text))).join('')}${end}`).join('\n')}</table></body></html>`;
const xmlBook = (encoding: string) =>
  `<?xml version="1.0" encoding="${encoding}"?>\r\n<?mso-application progid="Excel.Sheet"?>\r\n<Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="Read me"><Table><Row><Cell><Data ss:Type="String">Hello</Data></Cell></Row></Table></Worksheet><Worksheet ss:Name="Orders"><Table>${[header, ...table].map((row) => `<Row>${row.map((text, at) => (text === '' ? '' : `<Cell ss:Index="${at + 1}"><Data ss:Type="${at === 6 && text !== 'quantity' ? 'Number' : 'String'}">${escapeXml(text).replaceAll('\n', '&#10;')}</Data></Cell>`)).join('')}</Row>`).join('')}</Table></Worksheet></Workbook>`;
const inWindows1252 =
  '<html><head><meta http-equiv="Content-Type" content="text/html; charset=iso-8859-1"></head><body>';

const markupShapes: [string, string, string | Uint8Array, object][] = [
  [
    'HTML in UTF-8',
    'orders.xls',
    html('<!DOCTYPE html><html><body>', (text) => `<td>${text}</td>`, '</tr>'),
    { format: 'html', encoding: 'utf-8', sheet: 'Table 2' },
  ],
  [
    'HTML in windows-1252 without end tags',
    'orders.html',
    Buffer.from(
      html(inWindows1252, (text) => `<td>${text}`, ''),
      'latin1',
    ),
    { format: 'html', encoding: 'windows-1252' },
  ],
  [
    'an XML spreadsheet in windows-1252',
    'orders.csv',
    Buffer.from(xmlBook('windows-1252'), 'latin1'),
    { format: 'xml', encoding: 'windows-1252' },
  ],
  [
    'an XML spreadsheet in UTF-16',
    'orders.xml',
    Buffer.from(`\ufeff${xmlBook('UTF-16')}`, 'utf16le'),
    { format: 'xml', encoding: 'utf-16le' },
  ],
];

const check = async (fileName: string, bytes: Uint8Array | string, options = {}) => {
  const imported = await importBytes(fileName, bytes, options);
  if (imported.outcome.kind !== 'read') throw new Error(imported.outcome.message);
  expect(imported.refusals).toEqual([]);
  const found = ordersOf(imported).toSorted(
    (a, b) =>
      expected.findIndex((e) => e.poNumber === a.poNumber) -
      expected.findIndex((e) => e.poNumber === b.poNumber),
  );
  expect(found).toEqual(expected);
  return imported;
};

describe('the same orders come out of', () => {
  test.each(csvShapes)('CSV: %s', async (_, bytes) => {
    await check('orders.csv', bytes);
  });
  test.each(xlsxShapes)('XLSX: %s', async (_, write) => {
    await check('orders.xlsx', await write());
  });
  test.each<[xlsx.BookType, string]>([
    ['xlsx', 'xlsx'],
    ['biff8', 'xls'],
    ['xlsb', 'xlsb'],
    ['ods', 'ods'],
  ])('a file that SheetJS writes as %s', async (type, ending) => {
    const { outcome } = await check(`orders.${ending}`, byLibrary(type));
    expect(outcome).toMatchObject({ detection: { format: ending, sheet: 'Orders' } });
  });
  test.each(markupShapes)('%s', async (_, fileName, bytes, detection) => {
    expect((await check(fileName, bytes)).outcome).toMatchObject({ detection });
  });
  test('continuation rows with blank PO and options, where the account allows it', async () => {
    const rows = merged as string[][];
    await check('orders.csv', csv(',', { rows }), { continuationRows: true });
    await check('orders.xlsx', await xlsxOf({ rows }), { continuationRows: true });
  });
  test('an item row without PO keeps the PO above it back where the account does not allow it', async () => {
    const { refusals } = await importBytes('orders.csv', csv(',', { rows: merged as string[][] }));
    expect(refusals.map((issue) => [issue.rowNumber, issue.poNumber, issue.code])).toEqual([
      [3, 'PO-1001', 'po_missing'],
      [5, '0002002', 'po_missing'],
    ]);
  });
});

describe('row numbers match those in the spreadsheet program', () => {
  test.each<[string, () => Promise<string | Buffer> | string]>([
    ['orders.csv', () => `title\n\n${csv(',', { lineEnd: '\n', rows: [header, table[1]!, [], table[2]!] })}`],
    ['orders.xlsx', () => xlsxOf({ at: 'B3', rows: [header, table[1]!, [], table[2]!] })],
  ])('%s', async (fileName, bytes) => {
    const { rows } = await importBytes(fileName, await bytes());
    expect(rows.map((row) => row.rowNumber)).toEqual([4, 6]);
  });
});

describe('the decisions about a file are explained', () => {
  test('with the reason and how to change them', async () => {
    const { outcome } = await importBytes('orders.csv', `My orders\n${csv(';')}`);
    if (outcome.kind !== 'read') throw new Error(outcome.message);
    const decisions = Object.fromEntries(
      outcome.detection.decisions.map((decision) => [decision.what, decision]),
    );
    expect(decisions.encoding).toMatchObject({ decided: 'utf-8', override: 'intake.encoding' });
    expect(decisions.delimiter).toMatchObject({ decided: ';', override: 'intake.delimiter' });
    expect(decisions.header).toMatchObject({ decided: 'row 2', override: 'intake.header' });
    expect(decisions.columns).toMatchObject({
      override: 'intake.columns',
      decided: expect.stringContaining('ignored (copied to the result file only): "remark"'),
    });
    for (const decision of outcome.detection.decisions) expect(decision.why).not.toBe('');
  });

  test('for a hidden row too, which is read and named', async () => {
    const { issues } = await importBytes('orders.xlsx', await xlsxOf({ rowAttributes: { 3: 'hidden="1"' } }));
    expect(issues).toMatchObject([{ rowNumber: 3, severity: 'note', code: 'hidden_row' }]);
  });
});

test.each([
  { constants: { allow_backorder: false } },
  { constants: { ship_name: 'Warehouse' } },
  { constants: { allow_backorder: true, ship_name: 'Warehouse', ship_zip: '00501' } },
])('constants give a workbook with boolean cells the orders of the same CSV: %j', async (options) => {
  const heads = ['po', 'allow_backorder', 'ship_name', 'ship_zip', 'sku', 'qty'];
  const boolean = (value: 0 | 1): TestCell => ({ xml: `<c r="REF" t="b"><v>${value}</v></c>` });
  const rows = (yes: TestCell, no: TestCell): TestCell[][] => [
    heads,
    ['A', yes, 'Ann', '', 'S1', '1'],
    ['A', '', '', '', 'S2', '2'],
    ['A', yes, '', '00501', 'S3', '3'],
    ['B', '', 'Bob', '', 'S1', '1'],
    ['B', no, '', '', 'S2', '2'],
  ];
  const text = rows('TRUE', 'FALSE').map((row) => `${row.join(',')}\n`);
  const fromCsv = await importBytes('a.csv', text.join(''), options);
  const fromWorkbook = await importBytes(
    'a.xlsx',
    await writeWorkbook({ sheets: [{ name: 'Orders', rows: rows(boolean(1), boolean(0)) }] }),
    options,
  );
  expect(fromCsv.refusals).toEqual([]);
  expect(fromWorkbook.refusals).toEqual([]);
  expect(fromWorkbook.rows).toEqual(fromCsv.rows);
});
