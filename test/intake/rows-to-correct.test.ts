import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { specCodeLists } from '../../src/contract/carts.ts';
import { correctedReading, mappedReading } from '../../src/intake/file-reading.ts';
import { importPurchaseFile } from '../../src/intake/import-purchase-file.ts';
import { knownOf } from '../../src/intake/layouts/known-values.ts';
import type { Layout } from '../../src/intake/layouts/layout.ts';
import { intakeOptionsSchema } from '../../src/intake/options.ts';
import { readRowsToCorrect } from '../../src/intake/rows-to-correct.ts';
import type { CheckedRow } from '../../src/intake/types.ts';
import { plainCsv, writeCsvFile } from '../../src/reports/csv-file.ts';
import { writeWorkbook } from './support/write-workbook.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright-correct-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Options = Parameters<typeof intakeOptionsSchema.parse>[0];

const collect = async (
  file: Omit<Parameters<typeof importPurchaseFile>[0], 'stage' | 'codeLists'>,
): Promise<CheckedRow[]> => {
  const rows: CheckedRow[] = [];
  const outcome = await importPurchaseFile({
    ...file,
    codeLists: specCodeLists,
    stage: { add: async (more) => void rows.push(...more) },
  });
  if (outcome.kind === 'refused') throw new Error(outcome.message);
  return rows;
};

/** The lines to order, without row numbers. */
const linesOf = (rows: readonly CheckedRow[]) =>
  rows.map(({ rowNumber: _, filled: __, poWritten: ___, ...line }) => line);

/** Reads a file, writes its rows for correction, and reads these again. */
const readTwice = async (
  fileName: string,
  content: string | Buffer,
  options: Options = {},
  layouts: Layout[] = [],
) => {
  const account = intakeOptionsSchema.parse(options);
  const path = join(folder, `${Math.random()} ${fileName}`);
  await writeFile(path, content);
  const file = { path, fileName, layouts, ...mappedReading(account, {}) };
  const first = await collect(file);
  const rows = new Map(first.map(({ rowNumber, poNumber }) => [rowNumber, poNumber]));
  const poNumbers = new Set(first.flatMap(({ poNumber }) => poNumber ?? []));
  const opened = await readRowsToCorrect(file, { rows, poNumbers });
  if (opened.kind === 'refused') throw new Error(opened.message);
  const again = `${path}.csv`;
  await writeCsvFile(
    again,
    (async function* () {
      yield [opened.columns.map(({ header }) => header), ...opened.rows.map(({ cells }) => cells)];
    })(),
    plainCsv,
    [],
  );
  const second = await collect({
    path: again,
    fileName: 'corrected.csv',
    layouts,
    ...correctedReading(account, opened),
  });
  return { first: linesOf(first), second: linesOf(second), opened };
};

const workbook = (sheets: Record<string, (string | { xml: string })[][]>) =>
  writeWorkbook({ sheets: Object.entries(sheets).map(([name, rows]) => ({ name, rows })) });

const files: [what: string, fileName: string, content: () => string | Promise<Buffer>, options: Options][] = [
  ['standard names', 'a.csv', () => 'PO Number,SKU,Qty\nA-1,S-1,2\nA-2,"S ""2""",3\n', {}],
  [
    'own names, another separator, decimal commas and titles above',
    'b.csv',
    () => 'Garden Shop;;;\nBestellung;Teil;Menge;Preis\nB-1;S-1;2;12,50\nB-1;S-2;1;1.250,00\n',
    {
      decimal: 'comma',
      columns: { Bestellung: 'po_number', Teil: 'item_sku', Menge: 'quantity', Preis: 'expected_price' },
    },
  ],
  [
    'no header',
    'c.csv',
    () => 'C-1,S-1,2,,\nC-1,S-2,3,,\nC-2,S-1,1,,late\n',
    { header: 'none', columns: { '1': 'po_number', '2': 'item_sku', '3': 'quantity', '5': 'note' } },
  ],
  [
    'rows without a PO number below their order, which has the address',
    'd.csv',
    () => 'PO Number,SKU,Qty,Ship City\nD-1,,,Boston\n,S-1,2,\n,S-2,3,\nD-2,S-1,1,Salem\n',
    { continuationRows: true },
  ],
  [
    'the PO number in the name of the file',
    'PO 4711.csv',
    () => 'SKU,Qty\nS-1,2\nS-2,3\n',
    { poNumberFrom: { fileName: 'PO {po}' } },
  ],
  [
    'constants, and quotes that are ordinary signs',
    'e.csv',
    () => 'PO Number,SKU,Qty\nE-1,S 5",2\nE-1,"S-2,3\n',
    { quotes: false, constants: { comment1: 'by hand', ship_via: 'BEST' } },
  ],
  [
    'a sheet with numbers, of an account that writes decimal commas',
    'f.xlsx',
    () =>
      workbook({
        Orders: [
          ['PO Number', 'SKU', 'Qty', 'Expected Price'],
          ['F-1', 'S-1', { xml: '<c r="REF"><v>2</v></c>' }, { xml: '<c r="REF"><v>12.5</v></c>' }],
          ['F-1', 'S-2', { xml: '<c r="REF"><v>3</v></c>' }, '7,25'],
        ],
      }),
    { decimal: 'comma', columns: { 'Expected Price': 'expected_price' } },
  ],
  [
    'a header of two rows',
    'g.xlsx',
    () =>
      workbook({
        Orders: [
          ['Order', 'Item', 'Item', 'Ship To'],
          ['Number', 'SKU', 'Qty', 'City'],
          ['G-1', 'S-1', '2', 'Boston'],
        ],
      }),
    {
      headerRows: 2,
      header: 2,
      columns: {
        'Order Number': 'po_number',
        'Item SKU': 'item_sku',
        'Item Qty': 'quantity',
        'Ship To City': 'ship_city',
      },
    },
  ],
  [
    'sheets of orders and of their lines',
    'h.xlsx',
    () =>
      workbook({
        Orders: [
          ['PO Number', 'Ship City'],
          ['H-1', 'Boston'],
          ['H-2', 'Salem'],
        ],
        Lines: [
          ['PO Number', 'SKU', 'Qty'],
          ['H-1', 'S-1', '2'],
          ['H-2', 'S-2', '3'],
        ],
      }),
    {
      join: { orders: 'Orders', lines: 'Lines', by: 'PO Number' },
      columns: { 'PO Number': 'po_number', 'Orders PO Number': 'ignore' },
    },
  ],
  [
    'a sheet for each order',
    'i.xlsx',
    () =>
      workbook({
        'PO I-1': [
          ['SKU', 'Qty'],
          ['S-1', '2'],
        ],
        'PO I-2': [
          ['SKU', 'Qty'],
          ['S-2', '3'],
        ],
      }),
    { poNumberFrom: { sheetName: 'PO {po}' } },
  ],
];

test.each(files)(
  'rows are read in the same way when they are corrected: %s',
  async (_, fileName, content, options) => {
    const { first, second } = await readTwice(fileName, await content(), options);
    expect(first.length).toBeGreaterThan(0);
    expect(second).toEqual(first);
  },
);

test('what is known of the values of other columns counts, also where the file has no header', async () => {
  const options = {
    header: 'none',
    columns: { '1': 'po_number', '2': 'item_sku', '3': 'quantity' },
  } as const;
  const content = 'K-1,S-1,2,box\nK-1,S-2,3,each\nK-2,S-1,1,gone\n';
  const { opened } = await readTwice('k.csv', content, options);
  const layout = {
    ...{
      id: '1',
      name: 'k',
      version: 1,
      kind: 'order',
      header: [],
      settings: {},
      who: 'Olga',
      via: 'console',
    },
    headerKey: opened.headerKey,
    confirmedAt: new Date(0),
    known: knownOf({ column4: { box: 'pieces 12', each: 'order', gone: 'leave_out' } }),
  } as const satisfies Layout;
  const { first, second } = await readTwice('k.csv', content, options, [
    // Its settings are the account's.
    { ...layout, settings: { header: 'none', columns: options.columns } },
  ]);
  expect(first.map(({ quantity }) => quantity)).toEqual([24, 3]);
  expect(second).toEqual(first);
});

test('rows that are longer than the header keep their cells, and a column is read under one name', async () => {
  const { opened } = await readTwice('l.csv', 'PO Number,SKU,Qty,Info,Info\nL-1,S-1,2,a,b\n', {
    columns: { Info: 'ignore' },
  });
  expect(opened.columns.map(({ header }) => header)).toEqual(['PO Number', 'SKU', 'Qty', 'Info', 'Info']);
  const path = join(folder, 'm.csv');
  await writeFile(path, 'PO Number,SKU,Qty\nM-1,S-1,2\nM-2,S-1,2,x,\n');
  const long = await readRowsToCorrect(
    { path, fileName: 'm.csv', layouts: [], ...mappedReading(intakeOptionsSchema.parse({}), {}) },
    { rows: new Map([[3, 'M-2']]), poNumbers: new Set(['M-2']) },
  );
  expect(long.kind === 'opened' && [long.columns.at(-1), long.rows]).toEqual([
    { header: 'Column 4', field: null },
    [{ rowNumber: 3, cells: ['M-2', 'S-1', '2', 'x'] }],
  ]);
});
