import { describe, expect, test } from 'vitest';
import { SSF } from 'xlsx';
import { scanHtml } from '../../../src/intake/formats/spreadsheet/scan-html.ts';
import type { RawRow } from '../../../src/intake/types.ts';

/** Scans a page in pieces of this length. Returns rows by table, without empty tables. */
const scan = (html: string, pieceLength = 7) => {
  const rows: RawRow[][] = [];
  const scanned = scanHtml({
    maxColumns: 50,
    formatter: SSF,
    onRow: (table, row) => {
      rows[table] ??= [];
      rows[table].push(row);
    },
  });
  for (let at = 0; at < html.length; at += pieceLength) scanned.write(html.slice(at, at + pieceLength));
  scanned.end();
  return { tables: scanned.tables, rows: rows.filter(Boolean) };
};
const cellsOf = (html: string, pieceLength?: number) => {
  const { rows, tables } = scan(html, pieceLength);
  expect(tables.map(({ refusal }) => refusal?.message)).toEqual(tables.map(() => undefined));
  return rows.map((table) => table.map((row) => row.cells));
};
const cell = (td: string, before = '') => {
  const [row] = scan(`${before}<table><tr>${td}</tr></table>`).rows[0] ?? [];
  const { annotations: [marked] = [] } = row ?? {};
  return [row?.cells[0], marked?.kind, ...(marked?.number === undefined ? [] : [marked.number])];
};

describe('a table is formed as a browser does it', () => {
  const expected = [
    [
      ['PO', 'SKU'],
      ['A', '001'],
      ['B', '002'],
    ],
  ];
  test.each<[string, string]>([
    [
      'every tag',
      '<table><thead><tr><th>PO</th><th>SKU</th></tr></thead><tbody><tr><td>A</td><td>001</td></tr><tr><td>B</td><td>002</td></tr></tbody></table>',
    ],
    ['no end tags', '<table><tr><th>PO<th>SKU<tr><td>A<td>001<tr><td>B<td>002</table>'],
    ['unclosed formats', '<table><tr><td><b>PO<td>SKU<tr><td><font>A<td><i>001<tr><td>B<td>002</table>'],
    [
      'capitals, attributes without quotes',
      '<TABLE BORDER=1><TR BGCOLOR=red><TD>PO<TD>SKU<TR><TD>A<TD>001<TR><TD>B<TD>002</TABLE>',
    ],
    ['no rows around cells', '<table><td>PO<td>SKU<tr><td>A<td>001<tr><td>B<td>002</table>'],
    [
      'comments, scripts, forms and columns between',
      '<script>"<table><tr><td>no</td></tr></table>"</script><table><form><input type=hidden><caption>Orders</caption><colgroup><col width=9></colgroup><tr><td><!-- <td>x -->PO<td>SKU<tr><td>A<script>1</script><td>001<tr><td>B<td>002</form></table>',
    ],
    [
      'no end of the table at the end of the page',
      '<html><body><table><tr><td>PO<td>SKU<tr><td>A<td>001<tr><td>B<td>002</body></html>\n',
    ],
    [
      'templates',
      '<table><template><tr><td>x</td></tr></template><tr><td>PO<td>SKU<tr><td>A<td>001<tr><td>B<td>002</table>',
    ],
  ])('%s', (_, html) => {
    for (const length of [1, 5, 1000]) expect(cellsOf(html, length)).toEqual(expected);
  });

  test('tables in cells are tables of their own, and the outer cell is unclear', () => {
    const { rows } = scan(
      '<table><tr><td>menu<td><table><tr><td>A<td>1</table><tr><td>foot</table><table><tr><td>B</table>',
    );
    expect(rows.map((table) => table.map((row) => row.cells))).toEqual([
      [['menu', ''], ['foot']],
      [['A', '1']],
      [['B']],
    ]);
    expect(rows[0]![0]!.annotations).toEqual([{ column: 1, kind: 'unclear' }]);
  });

  test('cells over columns and rows move the cells beside and below them', () => {
    const { rows } = scan(
      '<table><tr><td rowspan=3>A<td colspan=2>x<td>1<tr><td>y<td>z<td>2<tr><td><tr><td>B</table>',
    );
    expect(rows[0]).toEqual([
      { rowNumber: 1, cells: ['A', 'x', '', '1'] },
      { rowNumber: 2, cells: ['A', 'y', 'z', '2'], annotations: [{ column: 0, kind: 'filled' }] },
      { rowNumber: 4, cells: ['B'] },
    ]);
  });

  test('a cell over rows ends with its group, and rowspan 0 reaches to the end of it', () => {
    const { rows } = scan('<table><tbody><tr><td rowspan=0>A<td>1<tr><td>2<tbody><tr><td>B<td>3</table>');
    expect(rows[0]!.map(({ cells }) => cells)).toEqual([
      ['A', '1'],
      ['A', '2'],
      ['B', '3'],
    ]);
  });

  test('blank rows count, and hidden rows are marked', () => {
    const { rows } = scan(
      '<table><tr><td>&nbsp;<tr style="display: none"><td>A<tr hidden><td>B<tr><td>C</table>',
    );
    expect(rows[0]!.map(({ rowNumber, hidden }) => [rowNumber, hidden])).toEqual([
      [2, true],
      [3, true],
      [4, undefined],
    ]);
  });

  test.each<[string, string, RegExp]>([
    ['ends in the middle', '<html><table><tr><td>A<td>1<tr><td>B<td>1', /row 2/],
    ['ends within a tag', '<table><tr><td>A<td>1</tr><tr><td>B</t', /row 2/],
    ['has text outside its cells', '<table><tr><td>A</td>12<td>1</table>', /row 1/],
    [
      'has an element with text outside its cells',
      '<table><tr><td>A</td></tr><tr><b>12</b><td>1</table>',
      /row 2/,
    ],
    ['has overlapping cells', '<table><tr><td>A<td rowspan=2>1<tr><td colspan=2>2</table>', /row 2/],
  ])('a table that %s is refused with its row', (_, html, message) => {
    expect(scan(html).tables[0]!.refusal).toMatchObject({
      code: 'unclear_table',
      message: expect.stringMatching(message),
    });
  });
});

describe('the text of a cell is what a browser shows', () => {
  test.each<[string, string]>([
    ['<td>00501</td>', '00501'],
    ['<td>1E5</td>', '1E5'],
    ['<td>12345678901234567890</td>', '12345678901234567890'],
    ['<td>\n  A\n  B </td>', 'A B'],
    ['<td>A&amp;B &eacute;&#233;&#xe9; &lt;x&gt; &amp;amp;</td>', 'A&B ééé <x> &amp;'],
    ['<td>A<br>B<br/>C</td>', 'A\nB\nC'],
    ['<td><p>A</p><p>B</p></td>', 'A\nB'],
    ['<td><pre>A  B</pre></td>', 'A  B'],
    ['<td><a href="x">SKU</a>-<b>1</b></td>', 'SKU-1'],
    ['<td><span><span>S1</span></span><style>x{}</style><img alt=x></td>', 'S1'],
    ['<td><input type=checkbox checked> S1</td>', 'S1'],
    ['<td><!--[if x]>no<![endif]-->S1</td>', 'S1'],
    ['<td>&nbsp;S&nbsp;1 &nbsp;</td>', 'S\u00a01'],
    ['<td>=A1</td>', '=A1'],
    ['<td><noscript>S1</noscript></td>', 'S1'],
    ['<td><a class="comment-indicator"></a><comment>of a reader</comment>S1</td>', 'S1'],
  ])('%s', (html, text) => {
    expect(cell(html)).toEqual([text, undefined]);
  });

  test.each([
    '<td><span style="display:none">0012</span>12</td>',
    '<td><span hidden>5</span> 12</td>',
    '<td><span class="sort">5</span> 12</td>',
    '<td><del>5</del> 12</td>',
    '<td>12<sup>1</sup></td>',
    '<td><b>1</b><i>2</i></td>',
    '<td><select><option>1<option selected>2</select></td>',
    '<td><input name=qty value=12></td>',
    '<td>1<textarea>2</textarea></td>',
  ])('%s is unclear', (html) => {
    expect(cell(html, '<style>.sort{display:none}</style>')[1]).toBe('unclear');
  });
});

describe('numbers and formats that spreadsheet programs write beside the text', () => {
  test.each<[string, unknown[]]>([
    ['<td x:num>12</td>', ['12', undefined]],
    ['<td x:num="501">00501</td>', ['00501', undefined]],
    ['<td x:num="1200">1,200</td>', ['1,200', 'formatted', '1200']],
    ['<td x:num="1200">1.200,00 EUR</td>', ['1.200,00 EUR', 'formatted', '1200']],
    ['<td sdval="2" sdnum="1033;0;0&quot; EA&quot;">2 EA</td>', ['2 EA', 'formatted', '2']],
    ['<td data-t="n" data-v="2">2</td>', ['2', undefined]],
    ['<td x:num="1234567890123">1.23457E+12</td>', ['1234567890123', undefined]],
    ['<td x:num="12">##</td>', ['12', undefined]],
    ['<td x:num="12.5">12.50</td>', ['12.50', undefined]],
    ['<td sdval="1.125">1,125</td>', ['1,125', 'formatted', '1.1250']],
    ['<td sdval="1125">1,125</td>', ['1,125', 'formatted', '1125']],
    ['<td x:num="1.5">2</td>', ['2', 'unclear']],
    ['<td x:num="20">2</td>', ['2', 'unclear']],
    ['<td x:num="38353">1/1/2005</td>', ['1/1/2005', 'unclear']],
    ['<td x:str="00501">501</td>', ['501', 'unclear']],
    ['<td x:err="#N/A">#N/A</td>', ['#N/A', 'error']],
    ['<td x:bool="TRUE">TRUE</td>', ['TRUE', 'boolean']],
    [`<td style='mso-number-format:"\\@"'>00501</td>`, ['00501', undefined]],
    [`<td style='mso-number-format:"00000"'>501</td>`, ['00501', undefined]],
    [`<td style='mso-number-format:"\\0022PO-\\00220000"'>12</td>`, ['PO-0012', 'formatted', '12']],
    [`<td style='mso-number-format:"0\\.00"'>12</td>`, ['12', undefined]],
    [`<td style='mso-number-format:"Short Date"'>1/2/2026</td>`, ['1/2/2026', 'date']],
    ['<td class="x a">1-2</td>', ['1-2', 'date']],
    ['<td class="b">501</td>', ['00501', undefined]],
  ])('%s', (html, expected) => {
    const styles =
      '<style><!-- .a{mso-number-format:"yyyy\\-mm\\-dd"} td.b {color:red;mso-number-format:"00000";} --></style>';
    expect(cell(html, styles)).toEqual(expected);
  });
});
