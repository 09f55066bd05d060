import { readFile, rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import * as xlsx from 'xlsx';
import { intakeOptionsSchema } from '../../src/intake/options.ts';
import { answerColumns } from '../../src/intake/own-columns.ts';
import { readPurchaseFile } from '../../src/intake/read-purchase-file.ts';
import type { RawRow } from '../../src/intake/types.ts';
import { writeWorkbook } from '../intake/support/write-workbook.ts';
import { haveLibreOffice, throughLibreOffice } from './support/libre-office.ts';
import { openReportDesk, type ReportDesk } from './support/report-desk.ts';

let desk: ReportDesk;
beforeAll(async () => {
  desk = await openReportDesk();
});
afterAll(() => desk.close());

const answers = answerColumns.length;
const headers = answerColumns.map(({ header }) => header);

/** Reads a workbook with intake: the sheet with the orders, and its rows. */
const readBack = async (path: string) => {
  const opened = await readPurchaseFile({
    path,
    fileName: 'back.xlsx',
    options: intakeOptionsSchema.parse({}),
  });
  if (opened.kind === 'refused') throw new Error(opened.message);
  const rows: RawRow[] = [];
  for await (const batch of opened.batches) rows.push(...batch);
  return { ...opened, rows };
};

const formats = ['00000', 'yyyy-mm-dd', '0.00'];
/** A dealer's sheet with everything that must stay unchanged. */
const dealersBook = () =>
  writeWorkbook({
    formats,
    date1904: true,
    sheets: [
      { name: 'Notes', rows: [['nothing here']] },
      {
        name: "Orders & 'more' 2026",
        before:
          '<cols><col min="1" max="1" width="33.5" customWidth="1"/><col min="3" max="3" width="5" hidden="1"/></cols>',
        after: '<mergeCells><mergeCell ref="A6:A7"/></mergeCells>',
        rowAttributes: { 5: 'hidden="1"' },
        rows: [
          ['Purchases <2026> & co'],
          [],
          ['Customer PO', 'Item #', 'Colour', 'Qty', 'Needed', 'Margin'],
          [
            '-1001',
            { xml: '<c r="REF" s="1"><v>501</v></c>' },
            'red',
            { xml: '<c r="REF"><v>2</v></c>' },
            { xml: '<c r="REF" s="2"><v>40000</v></c>' },
            { xml: '<c r="REF" s="3"><v>-3.5</v></c>' },
          ],
          ['=1+1', '1E5', '_x0041_ 😀', '3'],
          ['M-1', 'SKU "A"', '', '1'],
          ['', "'quoted", '\ttab', '4'],
          [
            'BAD',
            { xml: '<c r="REF" s="2"><v>40000</v></c>' },
            { xml: '<c r="REF" t="b"><v>1</v></c>' },
            { xml: '<c r="REF" t="e"><v>#N/A</v></c>' },
            { xml: '<c r="REF"><v>12345678901234567890</v></c>' },
          ],
        ],
      },
    ],
  });

test('sheet name, columns, widths, hidden rows and every cell of the dealer are kept, and our columns are on the right', async () => {
  const importId = await desk.take('orders.xlsx', await dealersBook());
  const before = await readBack(
    `${desk.folder}/${(await desk.pool.query('select file_path from imports where id = $1', [importId])).rows[0].file_path}`,
  );
  const path = await desk.result(importId);
  expect(path).toMatch(/\/results\/orders\.\d+\.result\.xlsx$/);
  const after = await readBack(path);
  expect(after.detection.sheet).toBe("Orders & 'more' 2026");
  expect(after.detection.headerRow).toBe(3);
  expect(after.titleRows).toEqual([{ rowNumber: 1, cells: ['Purchases <2026> & co'] }]);
  expect(after.header).toEqual([...before.header, ...headers]);
  expect(after.shapes.slice(0, 3)).toEqual(
    [{ width: 33.5 }, { width: 9 }, { width: 5, hidden: true }].map((shape, at) =>
      at === 1 ? { width: after.shapes[1]?.width } : shape,
    ),
  );
  const width = before.header.length;
  const own = after.rows.map(({ rowNumber, cells, hidden, annotations: marks }) => ({
    rowNumber,
    cells: cells.slice(0, width),
    hidden,
    marks: marks?.filter(({ column }) => column < width).map(({ column, kind: mark }) => ({ column, mark })),
  }));
  const asRead = before.rows.map(({ rowNumber, cells, hidden, annotations: marks }) => ({
    rowNumber,
    cells: [...cells, ...Array.from({ length: width - cells.length }, () => '')],
    hidden,
    // A PO number in a merged cell applies to all its rows, and is written to each of them.
    marks: marks
      ?.filter(({ kind: mark }) => mark !== 'filled')
      .map(({ column, kind: mark }) => ({ column, mark })),
  }));
  const blankMarks = (rows: typeof own) =>
    rows.map((row) => ({ ...row, marks: row.marks?.length ? row.marks : undefined }));
  expect(blankMarks(own)).toEqual(blankMarks(asRead));
});

test('a number with a unit in its format is a number again where it is a quantity, and text where it is an SKU', async () => {
  const formatted = (value: number, style: number) => ({
    xml: `<c r="REF" s="${style}"><v>${value}</v></c>`,
  });
  const book = await writeWorkbook({
    formats: ['0" EA"', '"SKU-"000'],
    sheets: [
      {
        name: 'One',
        rows: [
          ['po', 'sku', 'qty', 'remark'],
          ['U-1', formatted(7, 2), formatted(4, 1), formatted(4, 1)],
        ],
      },
    ],
  });
  const { rows } = await readBack(await desk.result(await desk.take('units.xlsx', book)));
  expect(rows[0]?.cells.slice(0, 4)).toEqual(['U-1', 'SKU-007', '4', '4 EA']);
});

test('the first sheet is a summary with counts, sums and the next steps', async () => {
  const importId = await desk.take('seen.xlsx', await dealersBook());
  await desk.set(importId, 'M-1', {
    state: 'held',
    reason_code: 'backorder',
    reason_text: 'Backordered: 4 of SKU-9.',
  });
  const book = xlsx.read(await readFile(await desk.result(importId)));
  expect(book.SheetNames).toEqual(['Summary', "Orders & 'more' 2026"]);
  const rows = xlsx.utils.sheet_to_json<unknown[]>(book.Sheets.Summary!, { header: 1 });
  expect(rows[0]).toEqual(['seen.xlsx']);
  expect(rows).toContainEqual([
    'Held, needs a decision',
    1,
    2,
    'You need to decide; the options for each PO are listed below.',
  ]);
  expect(rows).toContainEqual([
    'M-1',
    'held',
    6,
    'Backordered: 4 of SKU-9.',
    'Release it to order anyway, with the back-ordered items, or cancel it.',
  ]);
  const all = rows.find(([first]) => first === 'Total');
  expect(all?.slice(1)).toEqual([4, 5]);
});

test('the header is frozen and has filters, and rows are coloured by their outcome', async () => {
  const importId = await desk.take('colours.xlsx', await dealersBook());
  await desk.set(importId, 'M-1', { state: 'ordered' });
  const book = xlsx.read(await readFile(await desk.result(importId)), { cellStyles: true, bookFiles: true });
  const sheet = book.Sheets["Orders & 'more' 2026"]!;
  expect(sheet['!autofilter']?.ref).toBe('A3:P8');
  const files = (book as unknown as { files: Record<string, { content: Uint8Array }> }).files;
  const xml = Buffer.from(files['xl/worksheets/sheet2.xml']!.content).toString();
  expect(xml).toContain('ySplit="3"');
  const fillOf = (cell: string) => (sheet[cell] as { s?: { fgColor?: { rgb?: string } } }).s?.fgColor?.rgb;
  expect(fillOf('A6')).toBe('E2F0D9');
  expect(fillOf('J6')).toBe('E2F0D9');
  expect(fillOf('A8')).toBe('F8CBAD');
  expect(fillOf('A3')).toBe('D9D9D9');
});

test('the price is money and the moment of the ledger is a date', async () => {
  const importId = await desk.take('typed.xlsx', await dealersBook());
  await desk.pool.query(
    `update lines set answered_epoch = 1, dealer_price = 1234.5 where import_id = $1 and po_number = 'M-1'`,
    [importId],
  );
  const path = await desk.result(importId);
  const sheet = xlsx.read(await readFile(path), { cellNF: true }).Sheets["Orders & 'more' 2026"]!;
  const cellUnder = (title: string): xlsx.CellObject => {
    const headings = xlsx.utils.sheet_to_json<string[]>(sheet, { header: 1 })[2]!;
    return sheet[xlsx.utils.encode_cell({ r: 5, c: headings.indexOf(`Cartwright: ${title}`) })];
  };
  expect(cellUnder('price')).toMatchObject({ t: 'n', v: 1234.5, w: '1,234.50' });
  expect(cellUnder('as of')).toMatchObject({
    t: 'n',
    w: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d UTC$/),
  });
});

test('a dealer’s sheet with the name of ours keeps its name', async () => {
  const content = await writeWorkbook({
    sheets: [
      {
        name: 'Summary',
        rows: [
          ['po', 'sku', 'qty'],
          ['F-1', 'A', '1'],
        ],
      },
    ],
  });
  const importId = await desk.take('first.xlsx', content);
  const book = xlsx.read(await readFile(await desk.result(importId)));
  expect(book.SheetNames).toEqual(['Cartwright summary', 'Summary']);
});

test('the result of XLS, XLSB and ODS is XLSX, and its name contains the original format', async () => {
  for (const format of ['xls', 'xlsb', 'ods'] as const) {
    const sheet = xlsx.utils.aoa_to_sheet([
      ['po', 'sku', 'qty'],
      [`L-${format}`, '00501', 2],
    ]);
    const book = xlsx.utils.book_new(sheet, 'Alt');
    const importId = await desk.take(`old.${format}`, xlsx.write(book, { type: 'buffer', bookType: format }));
    const path = await desk.result(importId);
    expect(path).toMatch(new RegExp(`/old\\.${format}\\.\\d+\\.result\\.xlsx$`));
    const { rows } = await readBack(path);
    expect(rows[0]?.cells.slice(0, 4)).toEqual([`L-${format}`, '00501', '2', '']);
  }
});

test('a cell of a web page that was refused is not accepted as text when its result comes back', async () => {
  const page = `<table><tr><td>po<td>sku<td>qty<td>promo_code<tr><td>H-1<td>00501<td>1<td>7<tr><td>H-2<td>00501<td><del>5</del> 12<td>7<tr><td>H-3<td>00501<td>1<td style='mso-number-format:"Short Date"'>1/2/2026</table>`;
  const path = await desk.result(await desk.take('page.xls', page));
  expect(path).toMatch(/\/page\.xls\.\d+\.result\.xlsx$/);
  const { rows } = await readBack(path);
  expect(rows.map(({ cells }) => cells.slice(0, 4))).toEqual([
    ['H-1', '00501', '1', '7'],
    ['H-2', '00501', '#VALUE!', '7'],
    ['H-3', '00501', '1', '#VALUE!'],
  ]);
});

test('the result of a refused workbook is a workbook with the reason', async () => {
  const importId = await desk.take('broken.xlsx', Buffer.from('PK\x03\x04 and nothing else'));
  const book = xlsx.read(await readFile(await desk.result(importId)));
  const rows = xlsx.utils.sheet_to_json<unknown[]>(book.Sheets.Summary!, { header: 1 });
  expect(rows.flat().join(' ')).toMatch(/damaged or incomplete/);
});

const office = haveLibreOffice();
if (!office && process.env.CI) {
  test('LibreOffice is installed to open our workbooks', () => {
    throw new Error('soffice is missing: apt-get install libreoffice-calc');
  });
}
test.skipIf(!office)('LibreOffice opens our workbooks and reads every cell as it was written', async () => {
  const importId = await desk.take('office.xlsx', await dealersBook());
  const path = await desk.result(importId);
  const through = await throughLibreOffice(path);
  try {
    const [ours, theirs] = [await readBack(path), await readBack(through.path)];
    expect(theirs.header).toEqual(ours.header);
    // A spreadsheet keeps 15 digits of a longer number; it must still be a number.
    const cellsOf = (rows: RawRow[]) =>
      rows.map(({ rowNumber, cells, annotations: marks, hidden }) => ({
        rowNumber,
        hidden,
        cells: Array.from({ length: ours.header.length }, (_, at) => {
          const mark = marks?.find(({ column }) => column === at)?.kind;
          return mark === 'digits_lost' ? mark : [cells[at] ?? '', mark];
        }),
      }));
    expect(cellsOf(theirs.rows)).toEqual(cellsOf(ours.rows));
    const book = xlsx.read(await readFile(through.path));
    expect(book.SheetNames).toEqual(['Summary', "Orders & 'more' 2026"]);
    expect(theirs.header.length).toBe(6 + answers);
  } finally {
    await rm(through.folder, { recursive: true, force: true });
  }
});
