import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import * as xlsx from 'xlsx';
import yazl from 'yazl';
import { importBytes, refusalOf } from './support/import-file.ts';
import { writeWorkbook } from './support/write-workbook.ts';

const spaces = ['office', 'table', 'style', 'text', 'fo']
  .map((name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
  .join(' ');

/** An ODS workbook with these styles, and these tables as XML. */
const writeOds = (styles: string, tables: string) => {
  const zip = new yazl.ZipFile();
  const parts = {
    mimetype: 'application/vnd.oasis.opendocument.spreadsheet',
    'META-INF/manifest.xml':
      '<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0"><manifest:file-entry manifest:full-path="/" manifest:media-type="application/vnd.oasis.opendocument.spreadsheet"/></manifest:manifest>',
    'styles.xml': `<office:document-styles ${spaces}/>`,
    'content.xml': `<?xml version="1.0"?><office:document-content ${spaces}><office:automatic-styles>${styles}</office:automatic-styles><office:body><office:spreadsheet>${tables}</office:spreadsheet></office:body></office:document-content>`,
  };
  for (const [name, text] of Object.entries(parts)) zip.addBuffer(Buffer.from(text), name);
  zip.end();
  return buffer(zip.outputStream as NodeJS.ReadableStream);
};
const cell = (text: string, attributes = '') =>
  `<table:table-cell office:value-type="string" ${attributes}><text:p>${text}</text:p></table:table-cell>`;
const row = (texts: string[], attributes = '', ofCells = '') =>
  `<table:table-row ${attributes}>${texts.map((text) => cell(text, ofCells)).join('')}</table:table-row>`;
const table = (rows: string, attributes = '') =>
  `<table:table table:name="One" ${attributes}><table:table-column table:number-columns-repeated="3"/>${row(['PO Number', 'SKU', 'Qty'])}${rows}</table:table>`;
const struckStyle = (family: string, line = 'text-line-through-style="solid"') =>
  `<style:style style:name="S" style:family="${family}"><style:text-properties style:${line}/></style:style>`;

const importOds = async (styles: string, tables: string) =>
  importBytes('a.ods', await writeOds(styles, tables));

describe('an ODS workbook', () => {
  test.each(['collapse', 'filter'])('has rows that are hidden: %s', async (visibility) => {
    const rows = row(['P1', 'A1', '5']) + row(['P2', 'A2', '5'], `table:visibility="${visibility}"`);
    const { issues } = await importOds('', table(rows));
    expect(issues).toMatchObject([{ rowNumber: 3, code: 'hidden_row', severity: 'note', poNumber: 'P2' }]);
  });

  test('with a hidden sheet is refused', async () => {
    const style =
      '<style:style style:name="T" style:family="table"><style:table-properties table:display="false"/></style:style>';
    const { code } = refusalOf(await importOds(style, table(row(['P1', 'A1', '5']), 'table:style-name="T"')));
    expect(code).toBe('sheet_hidden');
  });

  test.each([
    ['a cell', struckStyle('table-cell'), row(['P2', 'A2', '5'], '', 'table:style-name="S"')],
    ['a row', struckStyle('table-cell'), row(['P2', 'A2', '5'], 'table:default-cell-style-name="S"')],
    ['a word', struckStyle('text'), row(['P2', '<text:span text:style-name="S">A2</text:span>', '5'])],
    [
      'a style of another one',
      `${struckStyle('table-cell')}<style:style style:name="U" style:family="table-cell" style:parent-style-name="S"/>`,
      row(['P2', 'A2', '5'], '', 'table:style-name="U"'),
    ],
  ])('with %s that is struck out rejects its PO', async (_, styles, second) => {
    const { refusals } = await importOds(styles, table(row(['P1', 'A1', '5']) + second));
    expect(refusals.map(({ code }) => code)).toContain('struck_cell');
    expect(new Set(refusals.map(({ poNumber }) => poNumber))).toEqual(new Set(['P2']));
  });

  test('with a footnote in a cell rejects its PO', async () => {
    const styles = struckStyle('text', 'text-position="super 58%"');
    const second = row(['P2', 'A2<text:span text:style-name="S">1</text:span>', '5']);
    const { refusals } = await importOds(styles, table(row(['P1', 'A1', '5']) + second));
    expect(refusals).toMatchObject([{ code: 'unclear_cell', poNumber: 'P2', column: 'SKU' }]);
  });

  test.each([
    [
      'its style says no',
      struckStyle('table-cell', 'text-line-through-style="none"'),
      'table:style-name="S"',
    ],
    ['its style is of something else', struckStyle('paragraph'), 'table:style-name="S"'],
  ])('has no cell that is struck out if %s', async (_, styles, ofCells) => {
    const { issues } = await importOds(styles, table(row(['P1', 'A1', '5'], '', ofCells)));
    expect(issues).toEqual([]);
  });
});

describe('an .xlsx workbook', () => {
  const sheet = (cells: (string | { xml: string })[], more = {}) =>
    writeWorkbook({
      sheets: [{ name: 'One', rows: [['PO Number', 'SKU', 'Qty', 'Description'], cells], ...more }],
    });
  const raised = (name: string) => ({
    xml: `<c r="REF" t="inlineStr"><is><r><t>5</t></r><r><rPr><vertAlign val="${name}"/></rPr><t>2</t></r></is></c>`,
  });

  test.each(['superscript', 'subscript'])('has footnotes that are no digits: %s', async (name) => {
    for (const at of [0, 1, 2]) {
      const cells = ['P1', 'A1', '5', 'Bolt'].map((text, other) => (other === at ? raised(name) : text));
      const { refusals } = await importBytes('a.xlsx', await sheet(cells));
      expect(refusals.map(({ code }) => code)).toContain('unclear_cell');
    }
    const described = await importBytes('a.xlsx', await sheet(['P1', 'A1', '5', raised(name)]));
    expect(described.refusals).toEqual([]);
    const baseline = await importBytes('a.xlsx', await sheet(['P1', 'A1', raised('baseline'), 'Bolt']));
    expect(baseline.rows[0]!.quantity).toBe(52);
  });

  test('has them in shared strings, too', async () => {
    const strings =
      '<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>PO Number</t></si><si><t>SKU</t></si><si><t>Qty</t></si><si><t>P1</t></si><si><r><t>A1</t></r><r><rPr><vertAlign val="superscript"/></rPr><t>2</t></r></si><si><t>5</t></si></sst>';
    const book = await writeWorkbook({
      sheets: [
        {
          name: 'One',
          rows: [
            ['PO Number', 'SKU', 'Qty'],
            ['P1', 'A12', '5'],
          ],
        },
      ],
      shared: true,
      parts: { 'xl/sharedStrings.xml': strings },
    });
    const { refusals } = await importBytes('a.xlsx', book);
    expect(refusals).toMatchObject([{ code: 'unclear_cell', column: 'SKU' }]);
  });

  test('has rows of no height that are hidden', async () => {
    const book = await sheet(['P1', 'A1', '5'], { rowAttributes: { 1: 'ht="15"', 2: 'ht="0"' } });
    const { issues } = await importBytes('a.xlsx', book);
    expect(issues).toMatchObject([{ code: 'hidden_row', rowNumber: 2 }]);
  });

  const styles = (more: string) =>
    `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts><font/><font><strike/></font></fonts><cellXfs><xf fontId="0"/><xf fontId="1"/></cellXfs>${more}</styleSheet>`;

  test('with a description that is struck out rejects its PO', async () => {
    const struck = { xml: '<c r="REF" t="inlineStr" s="1"><is><t>Bolt</t></is></c>' };
    const book = await writeWorkbook({
      sheets: [
        {
          name: 'One',
          rows: [
            ['PO Number', 'SKU', 'Qty', 'Description'],
            ['P1', 'A1', '5', struck],
          ],
        },
      ],
      parts: { 'xl/styles.xml': styles('') },
    });
    const { refusals } = await importBytes('a.xlsx', book);
    expect(refusals).toMatchObject([{ code: 'struck_cell', column: 'Description', poNumber: 'P1' }]);
  });

  test('that strikes out cells by a condition gets one note', async () => {
    for (const [strike, expected] of [
      ['<strike/>', [{ code: 'strike_not_seen', severity: 'note' }]],
      ['<strike val="0"/>', []],
    ] as const) {
      const book = await writeWorkbook({
        sheets: [
          {
            name: 'One',
            rows: [
              ['PO Number', 'SKU', 'Qty'],
              ['P1', 'A1', '5'],
              ['P2', 'A1', '5'],
            ],
          },
        ],
        parts: { 'xl/styles.xml': styles(`<dxfs><dxf><font>${strike}</font></dxf></dxfs>`) },
      });
      expect((await importBytes('a.xlsx', book)).issues).toMatchObject(expected);
    }
  });
});

test('an .xls workbook gets one note if a font of it strikes out text', async () => {
  const book = xlsx.utils.book_new();
  const rows = [
    ['PO Number', 'SKU', 'Qty'],
    ['P1', 'A1', 5],
  ];
  xlsx.utils.book_append_sheet(book, xlsx.utils.aoa_to_sheet(rows), 'One');
  const bytes = xlsx.write(book, { type: 'buffer', bookType: 'biff8' }) as Buffer;
  expect((await importBytes('a.xls', bytes)).issues).toEqual([]);
  const file = xlsx.CFB.read(bytes, { type: 'buffer' });
  const stream = Buffer.from(xlsx.CFB.find(file, 'Workbook')!.content as Uint8Array);
  for (let at = 0; stream.readUInt16LE(at) !== 0x0a; at += 4 + stream.readUInt16LE(at + 2))
    if (stream.readUInt16LE(at) === 0x31) stream.writeUInt16LE(stream.readUInt16LE(at + 6) | 8, at + 6);
  xlsx.CFB.find(file, 'Workbook')!.content = stream;
  const struck = xlsx.CFB.write(file, { type: 'buffer' }) as Buffer;
  expect((await importBytes('a.xls', struck)).issues).toMatchObject([
    { code: 'strike_not_seen', severity: 'note' },
  ]);
});

describe('a web page', () => {
  const page = (second: string, style = '') =>
    `<html><head><style>${style}</style></head><body><table><tr><th>PO Number<th>SKU<th>Qty</tr><tr><td>P1<td>A1<td>5</tr>${second}</table></body></html>`;

  test.each([
    ['<tr class=c><td>P2<td>A2<td>5</tr>', '.c { text-decoration: line-through }'],
    ['<tr class=c><td>P2<td>A2<td>5</tr>', 'tr.c td { text-decoration-line: line-through }'],
    ['<tr style="text-decoration: line-through"><td>P2<td>A2<td>5</tr>', ''],
    ['<tr><td>P2<td style="text-decoration:line-through">A2<td>5</tr>', ''],
    ['<tr><td>P2<td><span class=c>A2</span><td>5</tr>', '.c{text-decoration:line-through}'],
  ])('with %s rejects its PO', async (second, style) => {
    const { refusals } = await importBytes('a.html', page(second, style));
    expect(refusals[0]).toMatchObject({ code: 'unclear_cell', poNumber: 'P2' });
  });

  test.each(['style="visibility:collapse"', 'style="height:0"', 'style="height: 0px;"', 'height=0'])(
    'has rows that are hidden: %s',
    async (attributes) => {
      const { issues } = await importBytes('a.html', page(`<tr ${attributes}><td>P2<td>A2<td>5</tr>`));
      expect(issues).toMatchObject([{ code: 'hidden_row', poNumber: 'P2' }]);
    },
  );

  test.each(['style="line-height:0"', 'style="height:0.5in"', 'height=20', 'style="text-decoration:none"'])(
    'has rows that are not: %s',
    async (attributes) => {
      const { issues } = await importBytes('a.html', page(`<tr ${attributes}><td>P2<td>A2<td>5</tr>`));
      expect(issues).toEqual([]);
    },
  );
});
