import { expect, test } from 'vitest';
import { importBytes, refusalOf } from './support/import-file.ts';

const dbase = Buffer.alloc(98, 32);
dbase.set([0x03, 124, 5, 31, 2, 0, 0, 0, 97, 0, 20, 0]);
const lotus = Buffer.from([0, 0, 2, 0, 6, 4, 6, 0, 8, 0]);

test.each<[string, string, string | Buffer, RegExp]>([
  ['TRADACOMS', 'a.edi', "STX=ANA:1+5000000000000:ACME+6000'MHD=1+ORDHDR:9'", /EDI message \(TRADACOMS\)/],
  ['RTF', 'a.txt', '{\\rtf1\\ansi PO Number, SKU, Qty}', /RTF/],
  ['RTF under the name of a workbook', 'a.xls', '{\\rtf1\\ansi PO Number}', /RTF/],
  ['an e-mail', 'a.txt', 'From: a@example.com\nTo: b@example.com\nSubject: order\n\nPO 1, SKU 2\n', /e-mail/],
  ['an e-mail as received', 'a.eml', 'Received: from x\n\tby y\r\nDate: today\r\n\r\nPO 1\n', /e-mail/],
  ['YAML', 'a.yaml', '---\npo: 1\nsku: A\n', /YAML/],
  ['SYLK', 'a.slk', 'ID;PWXL;N;E\nC;Y1;X1;K"PO Number"\nE\n', /SYLK/],
  ['DIF', 'a.dif', 'TABLE\n0,1\n"EXCEL"\nVECTORS\n0,3\n', /DIF/],
  ['dBASE', 'a.dbf', dbase, /DBF/],
  ['Lotus', 'a.wk1', lotus, /Lotus 1-2-3/],
  [
    'FODS',
    'a.fods',
    '<?xml version="1.0"?>\n<office:document xmlns:office="urn:x"></office:document>',
    /FODS/,
  ],
])('%s is named, and nobody is told to map its columns', async (_, name, bytes, what) => {
  const { code, message } = refusalOf(await importBytes(name, bytes));
  expect(code).toBe('not_a_purchase_file');
  expect(message).toMatch(what);
  expect(message).not.toMatch(/cartwright map|rename it/);
});

test.each([
  ['ID;PO Number;SKU;Qty\n1;A;S1;2\n'],
  ['Date: ,PO Number,SKU,Qty\n1 May,A,S1,2\n'],
  ['TABLE,PO Number,SKU,Qty\n0,A,S1,2\n'],
])('a table whose header begins like one of them is read: %s', async (text) => {
  const { rows } = await importBytes('a.csv', text);
  expect(rows).toMatchObject([{ poNumber: 'A', itemSku: 'S1', quantity: 2 }]);
});
