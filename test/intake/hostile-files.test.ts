import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { importBytes, refusalOf } from './support/import-file.ts';
import { rowXml, sheetXml, withSheet } from './support/sheet-xml.ts';
import { writeWorkbook } from './support/write-workbook.ts';

const header = ['po_number', 'item_sku', 'quantity'];
const good = await writeWorkbook({ sheets: [{ name: 'One', rows: [header, ['A', 'S1', '1']] }] });
/** A zip of stored or deflated parts, written by hand: with duplicate names or false sizes, which a library refuses. */
const handMadeZip = (
  parts: { name: string; data: Buffer; claimedSize?: number; flags?: number }[],
): Buffer => {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { name, data, claimedSize = data.length, flags = 0 } of parts) {
    const packed = deflateRawSync(data);
    const fields = Buffer.alloc(26);
    fields.writeUInt16LE(20, 0);
    fields.writeUInt16LE(flags, 2);
    fields.writeUInt16LE(8, 4);
    fields.writeUInt32LE(packed.length, 14);
    fields.writeUInt32LE(claimedSize, 18);
    fields.writeUInt16LE(name.length, 22);
    const entry = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), fields, Buffer.from(name), packed]);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(offset, 10);
    central.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\x00', 'latin1'), fields, tail, Buffer.from(name)]),
    );
    local.push(entry);
    offset += entry.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...local, directory, end]);
};
const smallCaps = { limits: { memoryMb: 128, timeoutMs: 20_000, maxInflatedBytes: 64 * 1024 * 1024 } };

describe('a hostile workbook is refused clearly', () => {
  test('a zip bomb, by its declared size', async () => {
    const bytes = await withSheet(sheetXml(' '.repeat(80 * 1024 * 1024)));
    expect(bytes.length).toBeLessThan(1024 * 1024);
    expect(refusalOf(await importBytes('a.xlsx', bytes, smallCaps)).code).toBe('workbook_too_large');
  });

  test('a zip bomb with a small declared size', async () => {
    const zip = handMadeZip([
      { name: 'xl/workbook.xml', data: Buffer.alloc(50 * 1024 * 1024, 0x20), claimedSize: 1000 },
    ]);
    expect(refusalOf(await importBytes('a.xlsx', zip, smallCaps)).code).toBe('damaged_workbook');
  });

  test('two parts of one name', async () => {
    const part = { name: 'xl/workbook.xml', data: Buffer.from('<workbook/>') };
    expect(refusalOf(await importBytes('a.xlsx', handMadeZip([part, part])))).toMatchObject({
      code: 'damaged_workbook',
      technical: expect.stringContaining('two parts named'),
    });
  });

  test('two parts whose names differ only in case', async () => {
    const zip = handMadeZip([
      { name: 'xl/workbook.xml', data: Buffer.from('<workbook/>') },
      { name: 'XL/Workbook.xml', data: Buffer.from('<workbook/>') },
    ]);
    expect(refusalOf(await importBytes('a.xlsx', zip)).code).toBe('damaged_workbook');
  });

  test('an encrypted zip', async () => {
    const zip = handMadeZip([{ name: 'xl/workbook.xml', data: Buffer.from('<workbook/>'), flags: 1 }]);
    expect(refusalOf(await importBytes('a.xlsx', zip)).code).toBe('encrypted_workbook');
  });

  test('an encrypted workbook', async () => {
    const bytes = Buffer.concat([
      Buffer.from('d0cf11e0a1b11ae1', 'hex'),
      Buffer.alloc(600),
      Buffer.from('EncryptedPackage', 'utf16le'),
    ]);
    expect(refusalOf(await importBytes('a.xlsx', bytes))).toMatchObject({
      code: 'encrypted_workbook',
      message: expect.stringContaining('password'),
    });
  });

  test('a zip that is no workbook', async () => {
    const zip = handMadeZip([{ name: 'orders.csv', data: Buffer.from('po,sku,qty\n') }]);
    expect(refusalOf(await importBytes('orders.zip', zip)).code).toBe('not_a_purchase_file');
  });

  test.each([0.2, 0.5, 0.9, 0.99])('a workbook cut off at %d of its length', async (part) => {
    const bytes = good.subarray(0, Math.floor(good.length * part));
    expect(refusalOf(await importBytes('a.xlsx', bytes)).code).toBe('damaged_workbook');
  });

  test('an entity bomb in a sheet, and one in the shared strings', async () => {
    const bomb = `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>`;
    const inSheet = await withSheet(sheetXml(rowXml(1, ['&b;']), bomb));
    expect(refusalOf(await importBytes('a.xlsx', inSheet)).code).toBe('damaged_workbook');
    const inStrings = await writeWorkbook({
      sheets: [{ name: 'One', rows: [header, ['A', 'S1', '1']] }],
      shared: true,
      parts: { 'xl/sharedStrings.xml': `<?xml version="1.0"?>${bomb}<sst><si><t>&b;</t></si></sst>` },
    });
    expect(refusalOf(await importBytes('a.xlsx', inStrings)).code).toBe('damaged_workbook');
  });

  test.each<[string, string]>([
    ['an unknown entity', sheetXml(rowXml(1, ['&nbsp;']))],
    ['a sheet that ends in the middle', sheetXml(rowXml(1, header)).slice(0, -40)],
    ['a row twice', sheetXml(rowXml(1, header) + rowXml(2, ['A', 'S1', '1']) + rowXml(2, ['A', 'S2', '1']))],
    [
      'a cell twice',
      sheetXml(`${rowXml(1, header)}<row r="2"><c r="A2"><v>1</v></c><c r="A2"><v>2</v></c></row>`),
    ],
    ['a cell of another row', sheetXml(`${rowXml(1, header)}<row r="2"><c r="A3"><v>1</v></c></row>`)],
    ['a number that is none', sheetXml(`${rowXml(1, header)}<row r="2"><c r="A2"><v>abc</v></c></row>`)],
    [
      'a shared string that is missing',
      sheetXml(`${rowXml(1, header)}<row r="2"><c r="A2" t="s"><v>7</v></c></row>`),
    ],
    [
      'rows hidden in a comment that the count sees',
      sheetXml(`${rowXml(1, header)}<!-- <row r="2"> -->${rowXml(3, ['A', 'S1', '1'])}`),
    ],
  ])('%s', async (_, xml) => {
    expect(refusalOf(await importBytes('a.xlsx', await withSheet(xml))).code).toBe('damaged_workbook');
  });

  test('a workbook without its sheet, and one that is not XML', async () => {
    const without = await writeWorkbook({
      sheets: [{ name: 'One', rows: [header] }],
      parts: { 'xl/_rels/workbook.xml.rels': '<Relationships/>' },
    });
    expect(refusalOf(await importBytes('a.xlsx', without)).code).toBe('damaged_workbook');
    const noXml = await writeWorkbook({
      sheets: [{ name: 'One', rows: [header] }],
      parts: { 'xl/workbook.xml': 'hello' },
    });
    expect(refusalOf(await importBytes('a.xlsx', noXml)).code).toBe('damaged_workbook');
  });
});

describe('a hostile web page or XML spreadsheet is refused clearly', () => {
  const table = `<table><tr><td>${header.join('<td>')}<tr>`;

  test.each<[string, string, string, number]>([
    [
      'bytes that are not of its encoding',
      `<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet">\u00ff</Workbook>`,
      'damaged_workbook',
      512,
    ],
    ['elements within elements', `${table}<td>${'<div>'.repeat(20_000)}</table>`, 'damaged_workbook', 512],
    [
      'a row that does not fit into memory',
      `${table}${'<td>x'.repeat(150_000)}</table>`,
      'too_much_memory',
      32,
    ],
  ])('%s', async (_, content, code, memoryMb) => {
    const bytes = Buffer.from(content, 'latin1');
    expect(refusalOf(await importBytes('a.xls', bytes, { limits: { memoryMb } })).code).toBe(code);
  });
});

describe('unusual but harmless files are read', () => {
  test('a stray cell in the last corner', async () => {
    const xml = sheetXml(
      `${rowXml(1, header)}${rowXml(2, ['A', 'S1', '1'])}<row r="1048576"><c r="XFD1048576" t="inlineStr"><is><t>x</t></is></c></row>`,
    );
    const { rows, refusals } = await importBytes('a.xlsx', await withSheet(xml));
    expect(rows).toHaveLength(1);
    expect(refusals).toEqual([]);
  });

  test('__proto__, constructor and hasOwnProperty as headers', async () => {
    const text = 'po_number,item_sku,quantity,__proto__,constructor,hasOwnProperty\nA,S1,1,x,y,z\n';
    const { rows, outcome } = await importBytes('a.csv', text);
    expect(rows).toMatchObject([{ poNumber: 'A', options: '{}' }]);
    expect(outcome).toMatchObject({
      detection: { columns: expect.arrayContaining([{ header: '__proto__', field: null }]) },
    });
  });

  test('a merge of a whole column', async () => {
    const bytes = await writeWorkbook({
      sheets: [
        {
          name: 'One',
          rows: [header, ['A', 'S1', '1'], ['', 'S2', '2']],
          after: '<mergeCells count="1"><mergeCell ref="A2:A1048576"/></mergeCells>',
        },
      ],
    });
    expect((await importBytes('a.xlsx', bytes)).byPo.A).toHaveLength(2);
  });
});
