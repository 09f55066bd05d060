import { describe, expect, test } from 'vitest';
import { importBytes } from './support/import-file.ts';
import { readWorkbook } from './support/read-workbook.ts';
import { type TestCell, writeWorkbook } from './support/write-workbook.ts';

const styles = (strike: string) =>
  `<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts><font><b/></font><font>${strike}</font></fonts><cellStyleXfs><xf fontId="1"/></cellStyleXfs><cellXfs><xf numFmtId="0" fontId="0"/><xf numFmtId="14" fontId="1"/></cellXfs></styleSheet>`;
const inline = (format: string) => ({
  xml: `<c r="REF" t="inlineStr"><is><r><rPr>${format}</rPr><t>S</t></r><r><t>2</t></r></is></c>`,
});
const number = { xml: '<c r="REF" s="1"><v>7</v></c>' };

const annotationsOf = async (cell: TestCell, more: { strike?: string; strings?: string } = {}) => {
  const [row] = await readWorkbook({
    sheets: [{ name: 'One', rows: [['A', cell]] }],
    shared: true,
    parts: {
      'xl/styles.xml': styles(more.strike ?? '<strike/>'),
      ...(more.strings === undefined ? {} : { 'xl/sharedStrings.xml': more.strings }),
    },
  });
  return row!.annotations;
};
const shared = (format: string) =>
  `<sst xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><si><t>A</t></si><si><r><rPr>${format}</rPr><t>S</t></r><r><t>2</t></r></si></sst>`;
const second = { xml: '<c r="REF" t="s"><v>1</v></c>' };
const struck = [{ column: 1, kind: 'struck' }];

describe('a cell that is struck out', () => {
  test.each([
    ['by its style', number, {}],
    ['by its style, with a value', number, { strike: '<strike val="1"/>' }],
    ['in a part of its inline text', inline('<b/><strike/>'), {}],
    ['in a part of its shared text', second, { strings: shared('<strike/><sz val="11"/>') }],
  ])('is known as that: %s', async (_, cell, more) => {
    expect(await annotationsOf(cell, more)).toEqual(struck);
  });

  test.each([
    ['its font says no', { xml: '<c r="REF" s="1"><v>7</v></c>' }, { strike: '<strike val="0"/>' }],
    ['its text says no', inline('<strike val="false"/>'), {}],
    ['its shared text says no', second, { strings: shared('<strike val="0"/>') }],
    ['its text is bold', inline('<b/>'), {}],
    ['it is blank', { xml: '<c r="REF" s="1" t="str"><v></v></c>' }, {}],
  ])('is none if %s', async (_, cell, more) => {
    expect((await annotationsOf(cell, more)) ?? []).not.toContainEqual(struck[0]);
  });

  test('rejects its PO where its column is read, and no other', async () => {
    const line = (po: string, style: number, note: number): TestCell[] =>
      [po, 'S1', '3', 'new'].map((text, at) => ({
        xml: `<c r="REF" t="inlineStr" s="${at === 1 ? style : at === 3 ? note : 0}"><is><t>${text}</t></is></c>`,
      }));
    const book = await writeWorkbook({
      sheets: [
        {
          name: 'One',
          rows: [['PO Number', 'SKU', 'Qty', 'Colour'], line('A', 1, 0), line('B', 0, 1)],
        },
      ],
      parts: { 'xl/styles.xml': styles('<strike/>') },
    });
    const { refusals } = await importBytes('a.xlsx', book);
    expect(refusals).toMatchObject([{ poNumber: 'A', column: 'SKU', code: 'struck_cell' }]);
  });
});
