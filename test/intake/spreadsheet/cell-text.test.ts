import { describe, expect, test } from 'vitest';
import type { FileRefused } from '../../../src/errors.ts';
import { readWorkbook } from '../support/read-workbook.ts';

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const extension = (inner: string) =>
  `<extLst><ext uri="{1}" xmlns:x14="urn:x14"><x14:v>9</x14:v>${inner}</ext></extLst>`;

/** Cells with their texts in a spreadsheet program. */
const cells: [string, string, string][] = [
  ['a value and an inline text, of the type number', '<c r="REF"><v>2</v><is><t>2</t></is></c>', '2'],
  [
    'a value and an inline text, of the type inlineStr',
    '<c r="REF" t="inlineStr"><v>1.0</v><is><t>1.</t></is></c>',
    '1.',
  ],
  ['an inline text above a value', '<c r="REF" t="inlineStr"><is><t>1.</t></is><v>1.0</v></c>', '1.'],
  ['a shared text and an inline text', '<c r="REF" t="str"><v>A</v><is><t>B</t></is></c>', 'A'],
  ['an inline text without its type', '<c r="REF"><is><t>A1</t></is></c>', 'A1'],
  ['a value of the type inlineStr', '<c r="REF" t="inlineStr"><v>A1</v></c>', 'A1'],
  ['an extension with a value', `<c r="REF"><v>2</v>${extension('<v>2</v>')}</c>`, '2'],
  [
    'an extension with a text',
    `<c r="REF" t="inlineStr"><is><t>A</t></is>${extension('<is><t>B</t></is>')}</c>`,
    'A',
  ],
  ['an extension with a cell', `<c r="REF"><v>2</v>${extension('<c r="REF"><v>7</v></c>')}</c>`, '2'],
  ['an extension above the value', `<c r="REF">${extension('<f>1</f><t>x</t>')}<v>2</v></c>`, '2'],
  ['a value of another vocabulary', '<c r="REF"><v>2</v><z:v xmlns:z="urn:z">2</z:v></c>', '2'],
  [
    'text within a run, its format and its pronunciation',
    '<c r="REF" t="inlineStr"><is><r><rPr><t>x</t></rPr><t>A</t></r><r><t>B</t></r><rPh sb="0"><r><t>x</t></r></rPh></is></c>',
    'AB',
  ],
  ['text around the elements', '<c r="REF">8<v>2</v>8</c>', '2'],
];

describe('a cell has the text that a spreadsheet program shows', () => {
  test('whatever else it holds', async () => {
    const [row] = await readWorkbook({
      sheets: [{ name: 'One', rows: [cells.map(([, xml]) => ({ xml }))] }],
    });
    expect(Object.fromEntries(row!.cells.map((text, at) => [cells[at]![0], text]))).toEqual(
      Object.fromEntries(cells.map(([name, , text]) => [name, text])),
    );
    expect(row!.annotations).toBeUndefined();
  });

  test('also beside the cells of an extension of its row', async () => {
    const rows = await readWorkbook({
      sheets: [
        {
          name: 'One',
          rows: [['A', { xml: `<c r="REF"><v>2</v></c>${extension('<c r="C1"><v>9</v></c>')}` }], ['B']],
        },
      ],
    });
    expect(rows.map((row) => row.cells)).toEqual([['A', '2'], ['B']]);
  });

  test.each([
    ['two values', '<c r="REF"><v>2</v><v>2</v></c>'],
    ['two inline texts', '<c r="REF" t="inlineStr"><is><t>2</t></is><is><t>2</t></is></c>'],
  ])('or the workbook is refused: %s', async (_, xml) => {
    const reading = readWorkbook({ sheets: [{ name: 'One', rows: [[{ xml }]] }] });
    await expect(reading).rejects.toMatchObject({ code: 'damaged_workbook' });
  });

  test('also from the shared texts', async () => {
    const texts = [
      `<si><t>A</t>${extension('<t>x</t>')}</si>`,
      '<si><r><rPr><t>x</t></rPr><t>B</t></r><r><t>C</t></r><rPh sb="0"><r><t>x</t></r></rPh></si>',
      '<si><t>D</t><z:t xmlns:z="urn:z">x</z:t></si>',
      '<si><t>E</t></si>',
    ];
    const [row] = await readWorkbook({
      shared: true,
      sheets: [{ name: 'One', rows: [['A', 'B', 'C', 'D']] }],
      parts: { 'xl/sharedStrings.xml': `<sst xmlns="${main}">${texts.join('')}</sst>` },
    });
    expect(row!.cells).toEqual(['A', 'BC', 'D', 'E']);
  });
});

describe('the start of dates', () => {
  const formats = ['yyyy-mm-dd'];
  const sheets = [{ name: 'One', rows: [[{ xml: '<c r="REF" s="1"><v>40000</v></c>' }]] }];
  const workbook = (properties: string) =>
    `<workbook xmlns="${main}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" xmlns:x14="urn:x14">${properties}<sheets><sheet name="One" sheetId="1" r:id="rId1"/></sheets>${'EXT'}</workbook>`;

  test.each([
    [
      'an extension below',
      '<workbookPr date1904="1"/>',
      '<extLst><ext uri="1"><x14:workbookPr chartTrackingRefBase="1"/></ext></extLst>',
    ],
    [
      'an extension below in a vocabulary of its own',
      '<workbookPr date1904="true"/>',
      '<extLst><ext uri="1"><workbookPr xmlns="urn:x15" chartTrackingRefBase="1"/></ext></extLst>',
    ],
    ['an extension above', '<x14:workbookPr/><workbookPr date1904="1"/>', ''],
    ['attributes of another vocabulary', '<workbookPr date1904="1" x14:date1904="0"/>', ''],
  ])('is 1904 where the workbook says so, with %s', async (_, properties, below) => {
    const [row] = await readWorkbook({
      formats,
      sheets,
      parts: { 'xl/workbook.xml': workbook(properties).replace('EXT', below) },
    });
    expect(row).toMatchObject({
      cells: ['2013-07-07'],
      annotations: [{ kind: 'date', date: { number: 41462 } }],
    });
  });
});

describe('the encoding of a part', () => {
  const sheet = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?>\n<worksheet xmlns="${main}"><sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>José</t></is></c><c r="B1" t="s"><v>0</v></c></row></sheetData></worksheet>`;
  const texts = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?><sst><si><t>Ñandú</t></si></sst>`;
  const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();
  const latin1 = (text: string) => Buffer.from(text, 'latin1');
  const utf16le = (text: string) => Buffer.from(text, 'utf16le');

  test.each<[string, string, (text: string) => Buffer]>([
    ['UTF-16 LE', 'UTF-16', (text) => utf16le(`\ufeff${text}`)],
    ['UTF-16 LE without mark', 'utf-16', utf16le],
    ['UTF-16 BE', 'UTF-16', (text) => utf16be(`\ufeff${text}`)],
    ['UTF-16 BE without mark', 'utf-16', utf16be],
    ['UTF-8 with mark', 'UTF-8', (text) => Buffer.from(`\ufeff${text}`)],
    ['ISO-8859-1', 'ISO-8859-1', latin1],
    ['windows-1252', 'windows-1252', latin1],
  ])('may be %s', async (_, encoding, encode) => {
    const workbook = `<?xml version="1.0" encoding="${encoding}"?><workbook xmlns="${main}" xmlns:r="urn:r"><sheets><sheet name="Größe" sheetId="1" r:id="rId1"/></sheets></workbook>`;
    const [row] = await readWorkbook({
      shared: true,
      sheets: [{ name: 'One', rows: [] }],
      parts: {
        'xl/workbook.xml': encode(workbook),
        'xl/worksheets/sheet1.xml': encode(sheet(encoding)),
        'xl/sharedStrings.xml': encode(texts(encoding)),
      },
    });
    expect(row!.cells).toEqual(['José', 'Ñandú']);
  });

  test.each<[string, Buffer]>([
    ['an unknown encoding', latin1(sheet('klingon'))],
    ['bytes that are not of it', Buffer.concat([utf16le(sheet('UTF-16')), Buffer.from('x')])],
    ['bytes that are not UTF-8', latin1(sheet('UTF-8'))],
  ])('refuses the workbook: %s', async (_, part) => {
    const reading = readWorkbook({
      shared: true,
      sheets: [{ name: 'One', rows: [] }],
      parts: { 'xl/worksheets/sheet1.xml': part, 'xl/sharedStrings.xml': texts('UTF-8') },
    });
    await expect(reading).rejects.toThrow();
  });
});

test('what is damaged is said in the dealer’s words, and in those of the format beside them', async () => {
  const reading = readWorkbook({
    sheets: [{ name: 'One', rows: [['A'], [{ xml: '<c r="REF" t="s"><v>99</v></c>' }]] }],
  });
  const refusal = await reading.then(
    () => undefined,
    (error: FileRefused) => error,
  );
  expect(refusal?.message).toMatch(/damaged or incomplete \(row 2\)\. Open it .* save it again/);
  expect(refusal?.message).not.toMatch(/shared string|part/);
  expect(refusal?.technical).toMatch(/shared string/);
});
