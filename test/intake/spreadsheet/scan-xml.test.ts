import { describe, expect, test } from 'vitest';
import { SSF } from 'xlsx';
import { scanXml } from '../../../src/intake/formats/spreadsheet/scan-xml.ts';
import type { RawRow } from '../../../src/intake/types.ts';

const namespaces =
  'xmlns="urn:schemas-microsoft-com:office:spreadsheet" xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:x="urn:schemas-microsoft-com:office:excel" xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet" xmlns:html="http://www.w3.org/TR/REC-html40"';
const styles = `<Styles><Style ss:ID="Default"/>${[
  ['zip', '00000'],
  ['date', 'Short Date'],
  ['unit', '0&quot; EA&quot;'],
  ['po', '&quot;PO-&quot;0000'],
]
  .map(([id, format]) => `<Style ss:ID="${id}"><NumberFormat ss:Format="${format}"/></Style>`)
  .join('')}<Style ss:ID="child" ss:Parent="zip"/></Styles>`;
const book = (content: string, settings = '') =>
  `<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook ${namespaces}>${settings}${styles}${content}</Workbook>`;
const sheet = (rows: string, name = 'One') =>
  `<Worksheet ss:Name="${name}"><Table>${rows}</Table></Worksheet>`;
const data = (text: string, type = 'String') => `<Data ss:Type="${type}">${text}</Data>`;
const row = (...cells: string[]) =>
  `<Row>${cells.map((text) => `<Cell>${data(text)}</Cell>`).join('')}</Row>`;

const scan = (xml: string, pieceLength = 11) => {
  const rows: RawRow[][] = [];
  const scanned = scanXml({
    maxColumns: 50,
    formatter: SSF,
    onRow: (table, found) => {
      rows[table] ??= [];
      rows[table].push(found);
    },
  });
  for (let at = 0; at < xml.length; at += pieceLength) scanned.write(xml.slice(at, at + pieceLength));
  scanned.end();
  return { rows, tables: scanned.tables };
};
const cell = (xml: string, settings = '') => {
  const [found] = scan(book(sheet(`<Row>${xml}</Row>`), settings)).rows[0] ?? [];
  const { annotations: [marked] = [] } = found ?? {};
  return [found?.cells[0], marked?.kind, marked?.number ?? marked?.date?.number].filter(
    (value, at) => at < 2 || value !== undefined,
  );
};

describe('rows and cells are where Index and merged cells put them', () => {
  test('gaps, repeated rows and hidden rows', () => {
    const { rows } = scan(
      book(
        sheet(
          `<Column ss:Width="105"/><Column ss:Index="3" ss:Hidden="1"/>${row('A', 'B')}<Row ss:Index="4" ss:Span="2"/><Row ss:Hidden="1"><Cell ss:Index="3">${data('C')}</Cell><Cell>${data('D')}</Cell></Row>`,
        ),
      ),
    );
    expect(rows[0]).toEqual([
      { rowNumber: 1, cells: ['A', 'B'] },
      { rowNumber: 7, cells: ['', '', 'C', 'D'], hidden: true },
    ]);
  });

  test('merged cells', () => {
    const { rows } = scan(
      book(
        sheet(
          `<Row><Cell ss:MergeDown="1">${data('A')}</Cell><Cell ss:MergeAcross="1">${data('x')}</Cell><Cell>${data('1')}</Cell></Row><Row><Cell ss:Index="4">${data('2')}</Cell></Row>${row('B')}`,
        ),
      ),
    );
    expect(rows[0]).toEqual([
      { rowNumber: 1, cells: ['A', 'x', '', '1'] },
      { rowNumber: 2, cells: ['A', '', '', '2'], annotations: [{ column: 0, kind: 'filled' }] },
      { rowNumber: 3, cells: ['B'] },
    ]);
  });

  test('sheets, hidden sheets and columns; other vocabularies are not read', () => {
    const hidden = sheet(row('B'), 'Two').replace(
      '</Worksheet>',
      '<x:WorksheetOptions><x:Visible>SheetHidden</x:Visible></x:WorksheetOptions></Worksheet>',
    );
    const { rows, tables } = scan(
      book(
        `<o:DocumentProperties><o:Author>Ann</o:Author></o:DocumentProperties>${sheet(`<Column ss:Width="105"/><Column ss:Index="3" ss:Hidden="1"/>${row('A')}`)}${hidden}`,
      ),
    );
    expect(tables).toEqual([
      { name: 'One', hidden: false, shapes: [{ width: 20 }, {}, { hidden: true }] },
      { name: 'Two', hidden: true, shapes: [] },
    ]);
    expect(rows.map(([first]) => first!.cells)).toEqual([['A'], ['B']]);
  });

  test('the whole vocabulary with a prefix', () => {
    const xml = book(sheet(row('A'))).replace(/<(\/?)([A-Z])/g, '<$1ss:$2');
    expect(scan(xml).rows[0]![0]!.cells).toEqual(['A']);
  });
});

describe('the value of a cell', () => {
  test.each<[string, unknown[]]>([
    [`<Cell>${data('00501')}</Cell>`, ['00501', undefined]],
    [`<Cell>${data('A&amp;B &#233;&#10;<![CDATA[<x>]]>')}</Cell>`, ['A&B é\n<x>', undefined]],
    [
      '<Cell><ss:Data ss:Type="String" xmlns="http://www.w3.org/TR/REC-html40"><B>1</B><Font html:Color="#FF0000">2</Font></ss:Data></Cell>',
      ['12', undefined],
    ],
    [
      `<Cell>${data('S1')}<Comment ss:Author="Ann"><ss:Data xmlns="http://www.w3.org/TR/REC-html40"><B>no</B></ss:Data></Comment><NamedCell ss:Name="x"/></Cell>`,
      ['S1', 'commented'],
    ],
    [`<Cell>${data('12', 'Number')}</Cell>`, ['12', undefined]],
    [`<Cell>${data('1E3', 'Number')}</Cell>`, ['1000', undefined]],
    [`<Cell>${data('00501', 'Number')}</Cell>`, ['00501', 'formatted', '501']],
    [`<Cell>${data('1234567890123456789', 'Number')}</Cell>`, ['1234567890123456789', 'digits_lost']],
    [`<Cell ss:StyleID="zip">${data('501', 'Number')}</Cell>`, ['00501', undefined]],
    [`<Cell ss:StyleID="child">${data('501', 'Number')}</Cell>`, ['00501', undefined]],
    [`<Cell ss:StyleID="unit">${data('2', 'Number')}</Cell>`, ['2 EA', 'formatted', '2']],
    [`<Cell ss:StyleID="po">${data('12', 'Number')}</Cell>`, ['PO-0012', 'formatted', '12']],
    [`<Cell ss:StyleID="date">${data('45000', 'Number')}</Cell>`, ['2023-03-15', 'date', 45000]],
    [`<Cell>${data('2026-03-01T00:00:00.000', 'DateTime')}</Cell>`, ['2026-03-01', 'date']],
    [`<Cell>${data('1', 'Boolean')}</Cell>`, ['TRUE', 'boolean']],
    [`<Cell>${data('#N/A', 'Error')}</Cell>`, ['#N/A', 'error']],
    ['<Cell ss:Formula="=RC[1]"/>', ['', 'unevaluated']],
    [`<Cell ss:Formula="=RC[1]">${data('', 'Number')}</Cell>`, ['', 'unevaluated']],
    [`<Cell ss:Formula="=6*2">${data('12', 'Number')}</Cell>`, ['12', undefined]],
  ])('%s', (xml, expected) => {
    expect(cell(xml)).toEqual(expected);
  });

  test('dates count from 1904 where the workbook says so', () => {
    const settings = '<x:ExcelWorkbook><x:Date1904/></x:ExcelWorkbook>';
    expect(cell(`<Cell ss:StyleID="date">${data('43538', 'Number')}</Cell>`, settings)).toEqual([
      '2023-03-15',
      'date',
      45000,
    ]);
  });

  test('the format of a row or column holds for its cells', () => {
    const found = scan(
      book(
        sheet(
          `<Column/><Column ss:StyleID="zip"/><Row ss:StyleID="zip"><Cell>${data('7', 'Number')}</Cell></Row><Row><Cell>${data('7', 'Number')}</Cell><Cell>${data('7', 'Number')}</Cell></Row>`,
        ),
      ),
    );
    expect(found.rows[0]!.map(({ cells }) => cells)).toEqual([['00007'], ['7', '00007']]);
  });
});

describe('what cannot be read with certainty is refused', () => {
  const good = `${row('A')}`;
  test.each<[string, string, string]>([
    [
      'a number that is none',
      book(sheet(`${good}<Row><Cell>${data('1,5', 'Number')}</Cell></Row>`)),
      'row 2',
    ],
    [
      'a number in another base',
      book(sheet(`${good}<Row><Cell>${data('0x10', 'Number')}</Cell></Row>`)),
      'row 2',
    ],
    ['an unknown type', book(sheet(`${good}<Row><Cell>${data('1', 'Integer')}</Cell></Row>`)), 'row 2'],
    ['no type', book(sheet(`${good}<Row><Cell><Data>1</Data></Cell></Row>`)), 'row 2'],
    ['two values', book(sheet(`${good}<Row><Cell>${data('1')}${data('2')}</Cell></Row>`)), 'row 2'],
    [
      'a cell twice',
      book(sheet(`${good}<Row><Cell>${data('1')}</Cell><Cell ss:Index="1">${data('2')}</Cell></Row>`)),
      'row 2',
    ],
    ['a row twice', book(sheet(`${good}<Row ss:Index="1"><Cell>${data('1')}</Cell></Row>`)), 'row 1'],
    ['an invalid position', book(sheet(`<Row><Cell ss:Index="x">${data('1')}</Cell></Row>`)), 'row 1'],
    [
      'a cell below a merged cell',
      book(
        sheet(`<Row><Cell ss:MergeDown="1">${data('A')}</Cell></Row><Row><Cell>${data('1')}</Cell></Row>`),
      ),
      'row 2',
    ],
    ['two sheets of one name', book(sheet(good) + sheet(good)), ''],
    ['a file that is cut off', book(sheet(good)).slice(0, -30), 'row 1'],
    ['an undeclared prefix', book(sheet('<y:Row/>')), ''],
    ['an unknown entity', book(sheet(row('&nbsp;'))), 'row 1'],
    [
      'an entity bomb',
      book(sheet(row('&b;'))).replace(
        '<Workbook',
        '<!DOCTYPE x [<!ENTITY a "aa"><!ENTITY b "&a;&a;">]><Workbook',
      ),
      '',
    ],
  ])('%s', (_, xml, message) => {
    const refusal = expect.objectContaining({
      code: 'damaged_workbook',
      message: expect.stringContaining(message),
    });
    expect(() => scan(xml)).toThrow(refusal);
    expect(() => scan(xml, 100_000)).toThrow(refusal);
  });
});
