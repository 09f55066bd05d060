import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { FileRefused } from '../../src/errors.ts';
import { joinTables } from '../../src/intake/joined-tables.ts';
import { checkLayoutEntry } from '../../src/intake/layouts/layout-entry.ts';
import { asLayout } from '../../src/intake/layouts/layout-settings.ts';
import { intakeOptionsSchema } from '../../src/intake/options.ts';
import { readPurchaseFile } from '../../src/intake/read-purchase-file.ts';
import { stackSheets } from '../../src/intake/stacked-sheets.ts';
import { headRows, type RawRow, type TableSource } from '../../src/intake/types.ts';
import { importFile, ordersOf } from './support/import-file.ts';
import { writeWorkbook } from './support/write-workbook.ts';

type Sheets = Record<string, string[][]>;

/** A workbook in memory, in batches of two rows. */
const sourceOf = (sheets: Sheets): TableSource => {
  const rowsOf = (cells: string[][]) =>
    cells.flatMap((row, at): RawRow[] =>
      row.some((cell) => cell !== '') ? [{ rowNumber: at + 1, cells: [...row] }] : [],
    );
  const all = Object.values(sheets).map(rowsOf);
  return {
    format: 'xlsx',
    decisions: [],
    tables: Object.keys(sheets).map((name, at) => ({
      name,
      hidden: false,
      head: all[at]!.slice(0, headRows),
    })),
    async *rows(at) {
      const rows = all[at]!;
      for (let from = 0; from < rows.length; from += 2) yield rows.slice(from, from + 2);
    },
    close: () => {},
  };
};

const collect = async (batches: AsyncIterable<RawRow[]>): Promise<RawRow[]> => {
  const rows: RawRow[] = [];
  for await (const batch of batches) rows.push(...batch);
  return rows;
};
const read = (source: TableSource) => collect(source.rows(0));

const refusalOf = async (open: () => TableSource | Promise<TableSource>) => {
  try {
    await open();
  } catch (error) {
    if (error instanceof FileRefused) return error;
    throw error;
  }
  throw new Error('not refused');
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright-combined-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const write = async (sheets: Sheets): Promise<string> => {
  const path = join(folder, 'orders.xlsx');
  const book = { sheets: Object.entries(sheets).map(([name, rows]) => ({ name, rows })) };
  await writeFile(path, await writeWorkbook(book));
  return path;
};

/** The rows of a file for its result file: read again by the recorded reading, with the default settings. */
const readAgain = async (path: string, options: Parameters<typeof intakeOptionsSchema.parse>[0]) => {
  const rowsOf = async (...detection: Parameters<typeof readPurchaseFile>[0]['detection'][]) => {
    const opened = await readPurchaseFile({
      path,
      fileName: 'orders.xlsx',
      options: intakeOptionsSchema.parse(detection[0] ? {} : options),
      ...(detection[0] ? { detection: detection[0] } : {}),
    });
    if (opened.kind === 'refused') throw new Error(opened.message);
    return { detection: opened.detection, rows: await collect(opened.batches) };
  };
  const first = await rowsOf();
  const again = await rowsOf(JSON.parse(JSON.stringify(first.detection)));
  return { first: first.rows, again: again.rows };
};

describe('a sheet of orders and a sheet of their lines', () => {
  const options = { join: { orders: 'Orders', lines: 'Lines', by: 'Order ID' } };
  const orders = [
    ['Order ID', 'PO Number', 'Ship City', 'Status'],
    ['17', 'P-1', 'Boise', 'New'],
    ['18', 'P-2', 'Reno', 'New'],
  ];
  const lines = [
    ['Order ID', 'SKU', 'Qty', 'Status'],
    ['18', 'A-9', '1', 'Open'],
    ['17', 'A-1', '5', 'Open'],
    ['17', 'A-2', '2', 'Open'],
  ];

  test('is read as one table, and again in the same way without the setting', async () => {
    const path = await write({ Cover: [['Hello']], Orders: orders, Lines: lines });
    const imported = await importFile(path, options);
    expect(imported.refusals).toEqual([]);
    expect(ordersOf(imported)).toMatchObject([
      { poNumber: 'P-2', options: { ship_city: 'Reno' }, lines: [{ sku: 'A-9', quantity: 1 }] },
      {
        poNumber: 'P-1',
        options: { ship_city: 'Boise' },
        lines: [
          { sku: 'A-1', quantity: 5 },
          { sku: 'A-2', quantity: 2 },
        ],
      },
    ]);
    expect(imported.rows.map(({ rowNumber }) => rowNumber)).toEqual([2, 3, 4]);
    const { first, again } = await readAgain(path, options);
    expect(again).toEqual(first);
  });

  test.each([
    ['a key', ['', 'A-7', '4', 'Open'], 'This line has no "Order ID", so its order is not known.'],
    ['a PO number of its order', ['19', 'A-7', '4', 'Open'], 'Fill it in in the sheet "Orders"'],
  ])('a line without %s is never ordered under the PO above it', async (_, line, why) => {
    const path = await write({
      Orders: [...orders, ['19', '', 'Elko', 'New']],
      Lines: [...lines, line, ['18', 'A-8', '1', 'Open'], ['', 'Thank you', '', '']],
    });
    const { refusals, byPo } = await importFile(path, { ...options, continuationRows: true });
    expect(refusals.map(({ message }) => message)).toContainEqual(expect.stringContaining(why));
    expect(byPo['P-1']!.map(({ itemSku }) => itemSku)).toEqual(['A-1', 'A-2']);
    // The PO above gets no issue, because the row's key names another order, or none.
    expect(refusals.filter(({ poNumber }) => poNumber === 'P-1')).toEqual([]);
  });

  test.each([
    ['the lines', [], ['', 'Order 17 is cancelled', '', '']],
    ['the orders', ['', 'STOP: do not order P-1', '', ''], []],
    ['the orders, in the column of the key', ['Hold order 17', '', '', ''], []],
  ])('a remark without a key among %s is asked about', async (_, order, line) => {
    const path = await write({ Orders: [...orders, order], Lines: [...lines, line] });
    const { outcome } = await importFile(path, options);
    const said = [...order, ...line].join('');
    const where = line.length > 0 ? 'row 5' : 'Sheet "Orders", row 4';
    const news = expect.arrayContaining([`${where} says ${JSON.stringify(said)} and is no line`]);
    expect(outcome).toMatchObject({ news });
  });

  test('the columns of the key are not asked about', async () => {
    const path = await write({ Orders: orders, Lines: lines });
    const { outcome } = await importFile(path, options);
    const seen = outcome.kind === 'read' ? outcome.seen : [];
    expect(seen.map(({ column }) => column)).not.toContainEqual(expect.stringContaining('orderid'));
    expect(seen.length).toBeGreaterThan(0);
  });

  test('a line without an order and an order without lines are issues of themselves alone', async () => {
    const path = await write({
      Orders: [...orders, ['19', 'P-3', 'Elko', 'New'], ['Total', '3', '', '']],
      Lines: [...lines.slice(0, 3), ['20', 'A-7', '4', 'Open'], lines[3]!],
    });
    const { refusals, rows } = await importFile(path, options);
    expect(refusals.map(({ rowNumber, poNumber, message }) => [rowNumber, poNumber, message])).toEqual([
      [
        4,
        undefined,
        'No row of sheet "Orders" has the "Order ID" "20" of this line, so its order is not known. Add the order, or remove the line.',
      ],
      [
        6,
        'P-3',
        'Sheet "Orders", row 4: No row of sheet "Lines" has the "Order ID" "19" of this order, so it has no lines. Add its lines, or remove the order.',
      ],
    ]);
    expect(rows.map(({ poNumber, itemSku }) => [poNumber, itemSku])).toEqual([
      ['P-2', 'A-9'],
      ['P-1', 'A-1'],
      ['P-1', 'A-2'],
      ['P-3', undefined],
    ]);
  });

  const joinOf = (sheets: Sheets, by: unknown = 'Order ID') =>
    joinTables(sourceOf(sheets), intakeOptionsSchema.parse({ join: { ...options.join, by } }));

  test('names of both sheets stay apart, and a header that comes again is joined as one', async () => {
    const joined = await joinOf({ Orders: orders, Lines: [['Export'], ...lines, lines[0]!] });
    const rows = await read(joined);
    expect(rows[1]!.cells).toEqual([
      ...['Orders Order ID', 'PO Number', 'Ship City', 'Orders Status'],
      ...['Order ID', 'SKU', 'Qty', 'Status'],
    ]);
    expect(rows[0]!.cells).toEqual(['', '', '', '', 'Export']);
    expect(rows.at(-1)!.cells).toEqual(rows[1]!.cells);
    expect(joined.tables[0]!.head).toEqual(rows);
  });

  test('the columns may have other headers', async () => {
    const joined = await joinOf(
      {
        Orders: [
          ['No', 'PO'],
          ['17', 'P-1'],
        ],
        Lines: [
          ['Order', 'SKU'],
          ['17', 'A-1'],
        ],
      },
      { orders: 'No', lines: 'Order' },
    );
    expect((await read(joined))[1]!.cells).toEqual(['17', 'P-1', '17', 'A-1']);
  });

  test('what a spreadsheet says about a cell stays with it', async () => {
    const source = sourceOf({ Orders: orders, Lines: lines });
    const marked = { ...source };
    marked.rows = async function* (at) {
      for await (const batch of source.rows(at))
        yield batch.map((row) => ({ ...row, annotations: [{ column: at + 1, kind: 'date' as const }] }));
    };
    const joined = await joinTables(marked, intakeOptionsSchema.parse(options));
    const [, line] = await read(joined);
    expect(line!.annotations!.map(({ column }) => column)).toEqual([1, 4 + 2]);
  });

  test.each([
    ['one sheet is missing', { Lines: lines }, 'sheet_missing', 'no sheet "Orders"'],
    [
      'a sheet has no such column',
      { Orders: [['PO'], ['P-1']], Lines: lines },
      'join_column_missing',
      'Sheet "Orders" has no column "Order ID"',
    ],
    [
      'two orders have one key',
      { Orders: [...orders, ['17', 'P-9', 'Boise', 'New']], Lines: lines },
      'join_ambiguous',
      'Rows 2 and 4 of sheet "Orders"',
    ],
    [
      'a sheet has the column twice',
      { Orders: orders, Lines: [['Order ID', 'order id', 'SKU']] },
      'join_ambiguous',
      'two columns "Order ID"',
    ],
  ])('is refused if %s', async (_, sheets, code, message) => {
    const refusal = await refusalOf(() => joinOf(sheets as Sheets));
    expect(refusal.code).toBe(code);
    expect(refusal.message).toContain(message);
  });

  test('the same order twice is one, and other files are read as usual', async () => {
    const joined = await joinOf({ Orders: [...orders, orders[1]!], Lines: lines });
    expect(await read(joined)).toHaveLength(4);
    const other = sourceOf({ Sheet1: lines });
    expect(await joinTables(other, intakeOptionsSchema.parse(options))).toBe(other);
    const answered = sourceOf({ Summary: [['x']], Lines: [['SKU', 'Cartwright: PO state']] });
    const again = await joinTables(answered, intakeOptionsSchema.parse(options));
    expect(again).toMatchObject({
      tables: answered.tables,
      keys: expect.arrayContaining(['Orders Order ID']),
    });
    expect(again.combined).toBeUndefined();
  });
});

describe('several sheets, each named after its PO', () => {
  const options = { poNumberFrom: { sheetName: 'PO {po}' } };
  const header = ['SKU', 'Qty'];
  const sheets = {
    'PO 4711': [['Order form'], header, ['A-1', '5'], [''], ['A-2', '2']],
    Empty: [header],
    'PO 4712': [header, ['A-3', '1'], ['A-4', 'many']],
  };
  const stackOf = (of: Sheets, own: object = {}) =>
    stackSheets(sourceOf(of), intakeOptionsSchema.parse({ ...options, ...own }));

  test('are read as one table, and again in the same way without the setting', async () => {
    const path = await write(sheets);
    const imported = await importFile(path, options);
    expect(ordersOf(imported)).toMatchObject([
      {
        poNumber: '4711',
        lines: [
          { sku: 'A-1', quantity: 5 },
          { sku: 'A-2', quantity: 2 },
        ],
      },
      { poNumber: '4712', lines: [{ sku: 'A-3', quantity: 1 }, { sku: 'A-4' }] },
    ]);
    expect(imported.rows.map(({ rowNumber }) => rowNumber)).toEqual([3, 5, 6, 7]);
    expect(imported.refusals).toMatchObject([{ rowNumber: 7, poNumber: '4712', column: 'Qty' }]);
    expect(imported.refusals[0]!.message).toBe(
      'Sheet "PO 4712", row 3: Quantity must be a whole number of at least 1.',
    );
    const { first, again } = await readAgain(path, options);
    expect(again).toEqual(first);
  });

  test('the head ends with the first sheet of which it is only a part', async () => {
    const long = [header, ...Array.from({ length: 70 }, (_, at) => [`A-${at}`, '1'])];
    const stacked = stackOf({ 'PO 1': [header, ['B', '1']], 'PO 2': long, 'PO 3': long });
    const rows = await read(stacked);
    expect(rows).toHaveLength(2 + 70 + 70);
    expect(rows.map(({ rowNumber }) => rowNumber)).toEqual(rows.map((_, at) => at + 1));
    expect(stacked.tables[0]!.head).toEqual(rows.slice(0, stacked.tables[0]!.head.length));
    expect(stacked.tables[0]!.head.length).toBeGreaterThan(50);
  });

  test.each([
    [
      'their columns differ',
      {
        'PO 1': [header, ['A', '1']],
        'PO 2': [
          ['Qty', 'SKU'],
          ['1', 'A'],
        ],
      },
      'sheets_differ',
    ],
    [
      'a name does not fit',
      { 'PO 1': [header, ['A', '1']], Draft: [header, ['B', '1']] },
      'po_number_not_found',
    ],
    [
      'two are one PO',
      { 'PO 1': [header, ['A', '1']], 'po 1 ': [header, ['B', '1']] },
      'po_number_ambiguous',
    ],
  ])('are refused if %s', async (_, of, code) => {
    expect((await refusalOf(() => stackOf(of as Sheets))).code).toBe(code);
  });

  test('are not put together where one sheet is chosen, or a column has the PO number', () => {
    const plain = { 'PO 1': [header, ['A', '1']], 'PO 2': [header, ['B', '1']] };
    expect(stackOf(plain, { sheet: 'PO 2' }).combined).toBeUndefined();
    const named = [
      ['PO Number', ...header],
      ['P', 'A', '1'],
    ];
    expect(stackOf({ 'PO 1': named, 'PO 2': named }).combined).toBeUndefined();
  });
});

test('a join by a column that the header does not have is no layout', async () => {
  const options = {
    join: { orders: 'Orders', lines: 'Lines', by: 'Order' },
    columns: { 'Our PO': 'po_number' },
  } as const;
  const Orders = ['Order,Our PO', '17,P-1'].map((row) => row.split(','));
  const Lines = ['Order,SKU,Qty', '17,A-1,2'].map((row) => row.split(','));
  const { outcome } = await importFile(await write({ Orders, Lines }), options);
  if (outcome.kind !== 'read') throw new Error(outcome.kind);
  const { header } = asLayout(outcome.detection, intakeOptionsSchema.parse(options));
  const check = (by: string) =>
    checkLayoutEntry(
      {
        ...{ account: 'north', name: 'joined', header },
        settings: { columns: { 'Our PO': 'po_number' }, join: { orders: 'Orders', lines: 'Lines', by } },
      },
      () => undefined,
    );
  expect(check('order')).toMatchObject({ kind: 'layout' });
  expect(check('Our order')).toEqual({
    kind: 'wrong',
    wrong: [{ path: ['settings', 'join', 'by'], detail: 'is not in the header' }],
  });
});
