import { describe, expect, test } from 'vitest';
import { importBytes, refusalOf } from './support/import-file.ts';
import { writeWorkbook } from './support/write-workbook.ts';

const emptyTable = await writeWorkbook({ sheets: [{ name: 'One', rows: [['po', 'sku', 'qty']] }] });
const rows = 'po_number,item_sku,quantity\nA,S1,1\nA,S2,2\nB,S1,3\n';

describe('a file that cannot be read correctly is refused with a message that lets the dealer correct it', () => {
  test.each<[string, string, string | Uint8Array, object, string, RegExp]>([
    ['an empty file', 'a.csv', '', {}, 'empty_file', /empty/],
    ['a file of blank lines', 'a.csv', '\r\n \r\n', {}, 'empty_file', /empty/],
    [
      'a header and no rows',
      'a.csv',
      'po_number,item_sku,quantity\n',
      {},
      'no_rows',
      /no rows below the header/,
    ],
    [
      'no PO column',
      'a.csv',
      'sku,qty,colour\nS1,1,red\n',
      {},
      'columns_missing',
      /no column is recognised for the PO number\..*"sku", "qty", "colour"/,
    ],
    [
      'a column map for another header',
      'a.csv',
      'Order,sku,qty\nA,S1,1\n',
      { columns: { 'Our Order No': 'po_number' } },
      'columns_missing',
      /no column is recognised for the PO number\..*edit intake\.columns of the account \(it currently maps po_number to "Our Order No"\)/,
    ],
    [
      'unknown columns',
      'a.csv',
      'x,y\n1,2\n',
      {},
      'columns_missing',
      /No header was found in the first 2 rows.* "x", "y"/,
    ],
    [
      'two columns of one field',
      'a.csv',
      'po,sku,part number,qty\nA,S1,S2,1\n',
      {},
      'columns_ambiguous',
      /"sku" and "part number".*item_sku.*`cartwright map a\.csv --write` to choose/,
    ],
    [
      'one header twice',
      'a.csv',
      'po,sku,qty,qty\nA,S1,1,2\n',
      {},
      'columns_ambiguous',
      /2 columns are named "qty".*Rename or remove all but one\.$/,
    ],
    [
      'half of the rows of another width',
      'a.csv',
      `${rows}C,S1\nC,S2\nD,S1\nD,S3,4,5\n`,
      {},
      'widths_differ',
      /has 3 columns, but 4 of the first 7 rows.*row 5 has 2.*intake\.delimiter/,
    ],
    [
      'characters after a quoted value',
      'a.csv',
      `${rows}C,"12" pipe,1\n`,
      {},
      'broken_quote',
      /Row 5 \(line 5\), column 2 \("item_sku"\), has characters after the quote.*Remove them.*intake\.quotes/,
    ],
    [
      'a quote that closes a few rows on',
      'a.csv',
      'po,sku,qty,note\nA,S1,1,"broken\nA,S2,2,x\nB,S1,3,"x"\n',
      {},
      'broken_quote',
      /Row 2 \(line 2\)/,
    ],
    [
      'a quote that swallows whole rows',
      'a.csv',
      'po,sku,qty,note\nA,S1,1,"oops\nA,S2,2,x\nB,S1,3,x"\nC,S1,1,y\n',
      {},
      'rows_swallowed',
      /Row 2 \(line 2\)/,
    ],
    [
      'a quote that swallows the last rows of a file that ends without a line end',
      'a.csv',
      'po,sku,qty,note\nA,S1,1,x\nB,S1,1,"oops\nB,S2,2,x\nC,S1,3,x"',
      {},
      'rows_swallowed',
      /Row 3 \(line 3\)/,
    ],
    [
      'an end in the middle of a row',
      'a.csv',
      `${rows}C,S1`,
      {},
      'truncated_end',
      /middle of row 5.*2 of 3 columns/,
    ],
    ['a NUL byte', 'a.csv', `${rows}C,S\0,1\n`, {}, 'nul_byte', /Line 5/],
    [
      'two encodings in one file',
      'a.csv',
      Buffer.concat([Buffer.from(`${rows}é,S1,1\n`), Buffer.from('ü,S1,1\n', 'latin1')]),
      {},
      'encoding_mixed',
      /Line 6.*intake\.encoding/,
    ],
    [
      'a UTF-8 character cut off at the end',
      'a.csv',
      Buffer.from(`${rows}é,é,1é`).subarray(0, -1),
      {},
      'encoding_mixed',
      /Line 5/,
    ],
    [
      'bytes that the fallback does not have',
      'a.csv',
      Buffer.from(`${rows}\x81,S1,1\n`, 'latin1'),
      {},
      'encoding_wrong',
      /windows-1252/,
    ],
    [
      'a UTF-16 file cut in half a character',
      'a.csv',
      Buffer.from(`\ufeff${rows}`, 'utf16le').subarray(0, -1),
      {},
      'encoding_wrong',
      /utf-16le/,
    ],
    ['a sheet that is not there', 'a.xlsx', emptyTable, { sheet: 'Two' }, 'sheet_missing', /"Two".*"One"/],
    [
      'a header row that is not there',
      'a.csv',
      rows,
      { header: 40 },
      'columns_missing',
      /row 40 \(intake\.header\).* not found/,
    ],
    [
      'a constant that breaks a rule',
      'a.csv',
      rows,
      { constants: { ship_to: '12' } },
      'bad_constant',
      /ship_to.*"12"/,
    ],
    [
      'a web page named .xls',
      'a.xls',
      ' <!DOCTYPE html><html><form>Password: <input></form></html>',
      {},
      'not_a_purchase_file',
      /web page without a table/,
    ],
    ['an XML document', 'a.csv', '<?xml version="1.0"?><orders/>', {}, 'not_a_purchase_file', /XML/],
    ['a JSON document', 'a.csv', '[{"po":"A"}]', {}, 'not_a_purchase_file', /JSON/],
    ['another ending', 'list.prn', rows, {}, 'not_a_purchase_file', /\.csv, \.txt.* or \.xml\. Rename/],
    ['a PDF document under its own name', 'letter.pdf', '%PDF-1.7\n', {}, 'not_a_purchase_file', /PDF/],
    [
      'a web page with another ending',
      'page.asp',
      '<html><table></table>',
      {},
      'not_a_purchase_file',
      /Rename/,
    ],
    ['no ending', 'orders', rows, {}, 'not_a_purchase_file', /does not end in/],
    ['a PDF document', 'a.csv', '%PDF-1.7\n', {}, 'not_a_purchase_file', /PDF/],
    ['a gzip file', 'a.csv', Buffer.from([0x1f, 0x8b, 8, 0]), {}, 'not_a_purchase_file', /gzip/],
    ['CSV named .xlsx', 'a.xlsx', rows, {}, 'name_and_content_differ', /not a workbook/],
    ['a workbook named .csv', 'a.csv', emptyTable, {}, 'name_and_content_differ', /\.xlsx/],
    [
      'a row longer than the limit',
      'a.csv',
      `${rows}C,${'x'.repeat(5000)},1\n`,
      { limits: { maxRecordBytes: 1000 } },
      'record_too_long',
      /Row 5 .*1000 bytes/,
    ],
    [
      'a row of nothing but separators',
      'a.csv',
      `${rows}C,${','.repeat(500_000)}\n`,
      { limits: { maxRecordBytes: 1000 } },
      'record_too_long',
      /Row 5 .*1000 bytes/,
    ],
    [
      'a file larger than the limit',
      'a.csv',
      rows,
      { limits: { maxFileBytes: 20 } },
      'file_too_large',
      /at most 20/,
    ],
  ])('%s', async (_, fileName, bytes, options, code, says) => {
    const refusal = refusalOf(await importBytes(fileName, bytes, options));
    expect(refusal.message).toMatch(says);
    expect(refusal.code).toBe(code);
  });

  test('two matching sheets: the message names both, and a name or number selects one', async () => {
    const sheet = (name: string, po: string) => ({
      name,
      rows: [
        ['po', 'sku', 'qty'],
        [po, 'S1', '1'],
      ],
    });
    const bytes = await writeWorkbook({ sheets: [sheet('May', 'A'), sheet('June', 'B')] });
    const refusal = refusalOf(await importBytes('a.xlsx', bytes));
    expect(refusal).toMatchObject({
      code: 'sheet_ambiguous',
      message: expect.stringMatching(
        /"May", "June"\. Set intake\.sheet of the account to one of these names/,
      ),
    });
    expect(Object.keys((await importBytes('a.xlsx', bytes, { sheet: 'June' })).byPo)).toEqual(['B']);
    expect(Object.keys((await importBytes('a.xlsx', bytes, { sheet: 1 })).byPo)).toEqual(['A']);
  });

  test('a hidden sheet is not a choice if another one is visible', async () => {
    const sheet = (name: string, po: string) => ({
      name,
      rows: [
        ['po', 'sku', 'qty'],
        [po, 'S1', '1'],
      ],
    });
    const bytes = await writeWorkbook({
      sheets: [{ ...sheet('Old', 'A'), state: 'hidden' }, sheet('New', 'B')],
    });
    expect(Object.keys((await importBytes('a.xlsx', bytes)).byPo)).toEqual(['B']);
  });

  test('an unknown encoding in the configuration is a configuration error', async () => {
    await expect(importBytes('a.csv', rows, { encoding: 'klingon' })).rejects.toMatchObject({
      code: 'encoding_unknown',
    });
  });

  test('a file that no longer exists is an error, not a refusal', async () => {
    const { importFile } = await import('./support/import-file.ts');
    await expect(importFile('/nowhere/a.csv')).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('rows of another width', () => {
  test('keep back their own PO and the one above, which might be short', async () => {
    const many = Array.from({ length: 6 }, (_, at) => `Z${at},S1,1\n`).join('');
    const { refusals, byPo } = await importBytes('a.csv', `${rows}C,S1,1,9\n${many}`);
    expect(refusals.map((issue) => [issue.rowNumber, issue.poNumber, issue.code])).toEqual([
      [5, 'C', 'row_width'],
      [5, 'B', 'row_width'],
    ]);
    expect(Object.keys(byPo)).toContain('C');
  });

  test('made of nothing but separators are blank rows', async () => {
    const { refusals, rows: read } = await importBytes('a.csv', `${rows},\n,,,,,\nC,S1,1\n`);
    expect(refusals).toEqual([]);
    expect(read.at(-1)).toMatchObject({ rowNumber: 7, poNumber: 'C' });
  });
});
