import { describe, expect, test } from 'vitest';
import { importBytes } from './support/import-file.ts';
import { type TestCell, writeWorkbook } from './support/write-workbook.ts';

const csvRow = (cell: string, field: string, options = {}) => {
  const columns = { po_number: 'A', item_sku: 'S1', quantity: '1', ship_state: 'MA', [field]: cell };
  const quoted = Object.values(columns).map((text) => `"${text.replaceAll('"', '""')}"`);
  return importBytes('a.csv', `${Object.keys(columns).join(',')}\n${quoted.join(',')}\n`, options);
};
const fieldOf = (
  row: {
    poNumber: string | undefined;
    itemSku: string | undefined;
    quantity: number | undefined;
    options: string;
  },
  field: string,
) =>
  field === 'po_number'
    ? row.poNumber
    : field === 'item_sku'
      ? row.itemSku
      : field === 'quantity'
        ? row.quantity
        : JSON.parse(row.options)[field];

describe('an identifier is read unchanged', () => {
  test.each([
    ['item_sku', '0000123'],
    ['item_sku', '1E5'],
    ['item_sku', '1e5'],
    ['item_sku', '12345678901234567890'],
    ['item_sku', '1/2'],
    ['item_sku', 'TRUE'],
    ['item_sku', 'MAR-01'],
    ['item_sku', '-1001'],
    ['item_sku', '+1'],
    ['item_sku', '@home'],
    ['item_sku', '=A1'],
    ['item_sku', '__proto__'],
    ['po_number', '0002002'],
    ['po_number', 'PO/3 003'],
    ['po_number', 'constructor'],
    ['ship_zip', '00501'],
    ['ship_zip', '02139-1234'],
    ['cc_last_four', '0042'],
    ['promo_code', '007'],
    ['ship_phone', '+1(555)010-9999'],
  ])('%s %s', async (field, text) => {
    const { rows, issues } = await csvRow(text, field);
    expect(issues).toEqual([]);
    expect(fieldOf(rows[0]!, field)).toBe(text);
  });
});

describe('an identifier is cleaned only with a note that shows both', () => {
  test.each([
    ['item_sku', '="00501"', '00501'],
    ['item_sku', "'00501", '00501'],
    ['item_sku', '\u00a0S1\u00a0', 'S1'],
    ['item_sku', 'S\u00a01', 'S 1'],
    ['item_sku', '１２３Ａ', '123A'],
    ['promo_code', 'S\u200b1\ufeff', 'S1'],
    ['item_sku', '\u200b', undefined],
    ['quantity', '１２', 12],
  ])('%s %j', async (field, text, kept) => {
    const { rows, issues } = await csvRow(text, field);
    expect(fieldOf(rows[0]!, field)).toBe(kept);
    if (kept !== undefined && text.trim() !== kept) {
      expect(issues).toMatchObject([{ severity: 'note', code: 'cleaned', column: field, found: text }]);
      expect(issues[0]!.message).toContain(JSON.stringify(String(kept)));
    }
  });

  test('a number with characters that cannot be seen is refused, with the name of the first and what to do', async () => {
    const cases: [string, string, string][] = [
      [
        'po_number',
        'PO\u202e-1',
        'The PO number has a character that cannot be seen, U+202E (right-to-left override), after "PO".',
      ],
      ['po_number', '\ufeffPO-1', 'U+FEFF (byte order mark), at its beginning.'],
      ['po_number', 'PO-1\u00ad', 'U+00AD (soft hyphen), after "PO-1".'],
      ['po_number', 'PO-1\u2066', 'U+2066 (left-to-right isolate)'],
      ['po_number', 'PO\u{e0041}-1', 'U+E0041, after'],
      [
        'item_sku',
        'S\u200b1',
        'The item number has a character that cannot be seen, U+200B (zero-width space), after "S".',
      ],
      ['item_sku', 'S1\u3164', 'U+3164 (Hangul filler)'],
    ];
    for (const [field, text, said] of cases) {
      const { refusals, rows, issues } = await csvRow(text, field);
      expect(issues, text).toHaveLength(1);
      expect(refusals, text).toMatchObject([
        { rowNumber: 2, column: field, code: 'unseen_character', found: text },
      ]);
      expect(refusals[0]!.message).toContain(said);
      expect(refusals[0]!.message).toMatch(/Delete the cell, type the (PO|item) number again/);
      expect(refusals[0]!.poNumber).toBe(rows[0]!.poNumber);
    }
    const id = await importBytes('a.csv', 'po_number,item_id,quantity\nA,12\u200d3,1\n');
    expect(id.refusals).toMatchObject([{ column: 'item_id', code: 'unseen_character' }]);
  });

  test('our own neutralised formula starts are undone exactly once', async () => {
    const { rows, issues } = await importBytes(
      'a.csv',
      "po_number,item_sku,quantity,note,ship_name\n'-1001,'=S1,1,'@x,''=y\n",
    );
    expect(issues.filter((issue) => issue.severity === 'issue')).toEqual([]);
    expect(rows[0]).toMatchObject({
      poNumber: '-1001',
      itemSku: '=S1',
      note: '@x',
      options: '{"ship_name": "\'=y"}',
    });
  });

  test('text for people keeps its characters', async () => {
    const { rows, issues } = await csvRow("'s-Gravenhage\u00a0Ａ", 'ship_city');
    expect(issues).toEqual([]);
    expect(JSON.parse(rows[0]!.options).ship_city).toBe("'s-Gravenhage\u00a0Ａ");
  });
});

describe('a value that a spreadsheet damaged is refused', () => {
  test.each([
    ['item_sku', '1.23457E+19', 'digits_lost'],
    ['po_number', '1,23E+12', 'digits_lost'],
    ['item_sku', '1.00E+05', 'digits_lost'],
    ['ship_to', '12345', 'zeros_lost'],
    ['ship_zip', '2139', 'zeros_lost'],
    ['ship_zip', '501-1234', 'zeros_lost'],
    ['item_sku', 'A\nB', 'line_break'],
    ['item_sku', 'A\u0007B', 'control_character'],
    ['ship_name', 'A\u0001', 'control_character'],
    ['quantity', '1.000', 'not_a_whole_number'],
    ['quantity', '1,000', 'not_a_whole_number'],
    ['quantity', '2000000', 'quantity_too_large'],
  ])('%s %j', async (field, text, code) => {
    const { refusals, rows } = await csvRow(text, field);
    expect(refusals).toMatchObject([{ rowNumber: 2, column: field, code, found: text }]);
    expect(refusals[0]!.poNumber).toBe(rows[0]!.poNumber);
    expect(refusals[0]!.message).toMatch(/\.$/);
    expect(refusals[0]!.expected).not.toBe('');
  });

  test.each([
    ['item_sku', '1-Mar'],
    ['item_sku', 'Mar-01'],
    ['po_number', '3-Jan-24'],
    ['po_number', ' 3-Jan-24'],
    ['item_sku', '01. Mrz'],
    ['po_number', 'Mrz 26'],
    ['item_sku', '10-août'],
    ['po_number', '10-ene'],
    ['item_sku', 'mar-10'],
    ['item_sku', '1-марта'],
  ] as const)(
    'a person is asked about the %s %j, which may have been a number before',
    async (field, text) => {
      const { refusals, issues } = await csvRow(text, field);
      expect(refusals).toEqual([]);
      expect(issues).toMatchObject([
        {
          rowNumber: 2,
          column: field,
          code: 'question',
          found: text.trim(),
          message: expect.stringContaining('a spreadsheet may have made'),
        },
      ]);
    },
  );
});

test.each(['SET-10', 'Set 10', 'MAR-10', 'Nov 26', '10-kits', 'May 5'])('%s is an item', async (text) => {
  expect((await csvRow(text, 'item_sku')).issues).toEqual([]);
});

describe('cells of a workbook', () => {
  const number = (value: string, style = 0): TestCell => ({
    xml: `<c r="REF" s="${style}"><v>${value}</v></c>`,
  });
  const formats = [
    '00000',
    '"PO-"0000',
    'yyyy-mm-dd',
    '0.00E+00',
    '#,##0.00',
    '[<=99999]00000;00000-0000',
    '$#,##0.00',
  ];
  const read = async (field: string, cell: TestCell) => {
    const columns: Record<string, TestCell> = {
      po_number: 'A',
      item_sku: 'S1',
      quantity: '1',
      [field]: cell,
    };
    const bytes = await writeWorkbook({
      formats,
      sheets: [{ name: 'One', rows: [Object.keys(columns), Object.values(columns)] }],
    });
    return importBytes('a.xlsx', bytes);
  };

  test.each<[string, TestCell, string | number]>([
    ['item_sku', number('501'), '501'],
    ['item_sku', number('501', 1), '00501'],
    ['po_number', number('12', 2), 'PO-0012'],
    ['ship_zip', number('501', 6), '00501'],
    ['item_sku', number('123456789012345'), '123456789012345'],
    ['item_sku', number('1234.5', 5), '1234.5'],
    ['item_sku', number('1E3'), '1000'],
    ['item_sku', number('100000', 4), '100000'],
    ['quantity', number('12'), 12],
    ['quantity', number('12.0'), 12],
    ['quantity', { xml: '<c r="REF"><f>6*2</f><v>12</v></c>' }, 12],
    ['item_sku', { xml: '<c r="REF" t="str"><f>"A"&amp;1</f><v>A1</v></c>' }, 'A1'],
    [
      'ship_name',
      { xml: '<c r="REF" t="inlineStr"><is><t>A_x0026_B &#233; &amp;amp;</t></is></c>' },
      'A&B é &amp;',
    ],
    ['allow_backorder', { xml: '<c r="REF" t="b"><v>1</v></c>' }, true as unknown as string],
  ])('%s %j is %j', async (field, cell, value) => {
    const { rows, refusals } = await read(field, cell);
    expect(refusals).toEqual([]);
    expect(fieldOf(rows[0]!, field)).toBe(value);
  });

  test.each<[string, TestCell, string]>([
    ['item_sku', number('1234567890123456789'), 'digits_lost'],
    ['item_sku', number('1.23457E+19'), 'digits_lost'],
    ['po_number', number('45000', 3), 'date_cell'],
    ['quantity', number('45000', 3), 'date_cell'],
    ['quantity', number('1.5'), 'not_a_whole_number'],
    ['item_sku', { xml: '<c r="REF" t="d"><v>2026-03-01</v></c>' }, 'date_cell'],
    ['item_sku', { xml: '<c r="REF" t="e"><v>#REF!</v></c>' }, 'error_cell'],
    ['po_number', { xml: '<c r="REF" t="e"><v>#N/A</v></c>' }, 'error_cell'],
    ['item_sku', { xml: '<c r="REF" t="b"><v>0</v></c>' }, 'boolean_cell'],
    ['quantity', { xml: '<c r="REF"><f>A1</f></c>' }, 'formula_without_value'],
    ['item_sku', { xml: '<c r="REF"><f>A1</f><v></v></c>' }, 'formula_without_value'],
    ['item_sku', { xml: '<c r="REF" t="inlineStr"><is><t>A_x0007_B</t></is></c>' }, 'control_character'],
  ])('%s %j is refused as %s', async (field, cell, code) => {
    const { refusals } = await read(field, cell);
    expect(refusals.map((issue) => issue.code)).toContain(code);
  });

  test('a quantity in a merged cell is refused: it is not clear for which row it is meant', async () => {
    const bytes = await writeWorkbook({
      sheets: [
        {
          name: 'One',
          rows: [
            ['po', 'sku', 'qty'],
            ['A', 'S1', '5'],
            ['A', 'S2', ''],
          ],
          after: '<mergeCells count="1"><mergeCell ref="C2:C3"/></mergeCells>',
        },
      ],
    });
    const { refusals } = await importBytes('a.xlsx', bytes);
    expect(refusals).toMatchObject([{ rowNumber: 3, poNumber: 'A', column: 'qty', code: 'merged_cell' }]);
  });
});

test('a cell of a web page with two values is refused, whatever it is meant for', async () => {
  const { refusals, rows } = await importBytes(
    'a.xls',
    '<table><tr><td>po<td>sku<td>qty<td>ship_name<tr><td>A<td>00501<td><select><option>1<option>2</select><td><del>Ann</del> Bob<tr><td>B<td>00501<td>1.000<td>Cy</table>',
    { decimal: 'comma' },
  );
  expect(
    refusals.map(({ rowNumber, poNumber, column, code }) => [rowNumber, poNumber, column, code]),
  ).toEqual([
    [2, 'A', 'qty', 'unclear_cell'],
    [2, 'A', 'ship_name', 'unclear_cell'],
  ]);
  // Text of an HTML page is read like that of a CSV file, with the account's decimal sign.
  expect(rows[1]).toMatchObject({ poNumber: 'B', itemSku: '00501', quantity: 1000 });
});

describe('numbers by the account', () => {
  test.each([
    ['comma', '1.000', 1000],
    ['comma', '2,00', 2],
    ['point', '1,000', 1000],
    ['point', '2.000', 2],
  ])('with decimal %s the quantity %s is %i', async (decimal, text, quantity) => {
    const { rows, refusals } = await csvRow(text, 'quantity', { decimal });
    expect(refusals).toEqual([]);
    expect(rows[0]!.quantity).toBe(quantity);
  });

  test.each([
    [undefined, '12.50', '12.50'],
    [undefined, '$12.5', '12.5'],
    ['comma', '1.234,56 €', '1234.56'],
    ['point', '1,234.56', '1234.56'],
  ])('with decimal %s the price %s is %s', async (decimal, text, price) => {
    const { rows, refusals } = await csvRow(text, 'expected_price', decimal ? { decimal } : {});
    expect(refusals).toEqual([]);
    expect(rows[0]!.expectedPrice).toBe(price);
  });

  test.each([
    [undefined, '12,50'],
    ['comma', '12.50'],
    ['point', '12,5'],
    [undefined, '-1'],
    [undefined, 'free'],
  ])('with decimal %s the price %s is refused', async (decimal, text) => {
    const { refusals } = await csvRow(text, 'expected_price', decimal ? { decimal } : {});
    expect(refusals).toMatchObject([{ code: 'not_a_price', found: text }]);
  });

  test.each([
    ['yes', true],
    ['Y', true],
    ['TRUE', true],
    ['1', true],
    ['x', true],
    ['No', false],
    ['n', false],
    ['false', false],
    ['0', false],
  ])('the flag %s is %s', async (text, value) => {
    const { rows } = await csvRow(text, 'hold_order');
    expect(JSON.parse(rows[0]!.options).hold_order).toBe(value);
  });

  test('a blank flag means the default, an unknown word is refused, and words of other languages are accepted', async () => {
    expect((await csvRow('', 'hold_order')).rows[0]!.options).toBe('{"ship_state": "MA"}');
    expect((await csvRow('maybe', 'hold_order')).refusals).toMatchObject([{ code: 'not_yes_or_no' }]);
    const german = await csvRow('Ja', 'hold_order');
    expect(JSON.parse(german.rows[0]!.options).hold_order).toBe(true);
  });
});

test('a number counts as that number, whatever its format shows beside it', async () => {
  const formats = [
    '0" EA"',
    '"USD" 0',
    '#,##0 "pcs"',
    '0000',
    '0" Stück";-0" Stück"',
    '"Qty "0',
    '00-00',
    '0.00" EA"',
    '"SKU-"000',
  ];
  const number = (value: number, style: number): TestCell => ({
    xml: `<c r="REF" s="${style}"><v>${value}</v></c>`,
  });
  const { rows, refusals } = await importBytes(
    'a.xlsx',
    await writeWorkbook({
      formats,
      sheets: [
        {
          name: 'Orders',
          rows: [
            ['PO', 'SKU', 'Qty', 'Expected Price'],
            ...formats.map((_, at): TestCell[] => [
              `P${at}`,
              number(7, formats.length),
              number(12, at + 1),
              number(12, at + 1),
            ]),
            ['P9', 'A', number(2.5, 1), number(2.5, 2)],
          ],
        },
      ],
    }),
  );
  expect(rows.slice(0, -1).map((row) => [row.itemSku, row.quantity, row.expectedPrice])).toEqual(
    formats.map(() => ['SKU-007', 12, expect.stringMatching(/^0*12$/)]),
  );
  expect(rows.at(-1)).toMatchObject({ quantity: undefined, expectedPrice: '2.5' });
  expect(refusals.map((issue) => [issue.rowNumber, issue.code])).toEqual([[11, 'not_a_whole_number']]);
});

test.each([
  ['1.000', 'comma', 'point'],
  ['2.500', 'comma', 'point'],
  ['12,345,678', 'point', 'comma'],
])(
  'the quantity %s may be thousands: the refusal names the setting for each meaning',
  async (text, grouped, decimal) => {
    const { refusals } = await importBytes('a.csv', `po;sku;qty\nA;S;${text}\n`, {});
    expect(refusals[0]!.message).toContain(
      `Set intake.decimal of the account to ${grouped} if ${text} means thousands, otherwise to ${decimal}, and correct the numbers`,
    );
  },
);
