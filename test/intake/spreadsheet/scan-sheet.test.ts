import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { SaxesParser } from 'saxes';
import { describe, expect, test } from 'vitest';
import * as xlsx from 'xlsx';
import { type SheetCell, scanSheet } from '../../../src/intake/formats/spreadsheet/scan-sheet.ts';
import { surveySheet } from '../../../src/intake/formats/spreadsheet/survey-sheet.ts';
import { unescapeText } from '../../../src/intake/formats/spreadsheet/workbook-parts.ts';
import { openZip } from '../../../src/intake/formats/spreadsheet/zip-parts.ts';
import { escapeXml } from '../support/write-workbook.ts';

type Row = [number, boolean, SheetCell[]];

/** A slow reference implementation with a full XML parser. */
const byParser = (xml: string): Row[] => {
  const rows: Row[] = [];
  let cells: SheetCell[] = [];
  let cell: SheetCell | undefined;
  let text: 'v' | 't' | undefined;
  let phonetic = false;
  let row: Record<string, string> = {};
  let rowNumber = 0;
  let lastColumn = -1;
  const parser = new SaxesParser();
  const add = (more: string) => {
    if (cell && text && !phonetic) cell.value = (cell.value ?? '') + more;
  };
  parser.on('opentag', (tag) => {
    const attributes = tag.attributes as Record<string, string>;
    const name = tag.name.replace(/^.*:/, '');
    if (name === 'row') {
      row = attributes;
      rowNumber = row.r === undefined ? rowNumber + 1 : Number(row.r);
      cells = [];
      lastColumn = -1;
    } else if (name === 'c') {
      const column = attributes.r ? xlsx.utils.decode_cell(attributes.r).c : lastColumn + 1;
      lastColumn = column;
      cell = {
        column,
        type: attributes.t ?? 'n',
        style: Number(attributes.s ?? 0),
        value: undefined,
        formula: false,
      };
    } else if (cell && name === 'f') cell.formula = true;
    else if (cell && (name === 'is' || (name === 'v' && !tag.isSelfClosing))) cell.value ??= '';
    if (name === 'v' || name === 't') text = name;
    if (name === 'rPh') phonetic = true;
  });
  parser.on('text', add);
  parser.on('cdata', add);
  parser.on('closetag', (tag) => {
    const name = tag.name.replace(/^.*:/, '');
    if (name === 'v' || name === 't') text = undefined;
    if (name === 'rPh') phonetic = false;
    if (name === 'c' && cell) {
      if (cell.value !== undefined && (cell.type === 'inlineStr' || cell.type === 'str'))
        cell.value = unescapeText(cell.value);
      if (cell.value !== undefined || cell.formula) cells.push(cell);
      cell = undefined;
    }
    if (name === 'row' && cells.length > 0) rows.push([rowNumber, row.hidden === '1', cells]);
  });
  parser.write(xml).close();
  return rows;
};

const byScan = (xml: string, pieceLength: number) => {
  const rows: Row[] = [];
  let elements = 0;
  const scan = scanSheet(
    (...row) => rows.push(row),
    () => {
      elements += 1;
    },
  );
  for (let at = 0; at < xml.length; at += pieceLength) scan.write(xml.slice(at, at + pieceLength));
  scan.end();
  return { rows, elements };
};

const noise = fc.constantFrom('', '\n  ', '<!-- <c r="A1"> -->', '<?x y?>');
const value = fc.oneof(
  fc.string({ maxLength: 12 }).map((text) => ({
    type: 'inlineStr',
    xml: `<is><t>${escapeXml(text.replace(/[\u0000-\u001f]/g, ''))}</t></is>`,
  })),
  fc.integer().map((number) => ({ type: 'n', xml: `<v>${number}</v>` })),
  fc.nat(50).map((number) => ({ type: 's', xml: `<v>${number}</v>` })),
  fc.constant({ type: 'str', xml: '<f a="x>y">A1&gt;2</f><v>_x0041_&#65;&#x42;</v>' }),
  fc.constant({ type: 'n', xml: '<f/>' }),
  fc.constant({ type: 'n', xml: '' }),
  fc.constant({
    type: 'inlineStr',
    xml: '<is><r><t>a</t></r><r><t><![CDATA[<b>]]></t></r><rPh sb="0"><t>z</t></rPh></is>',
  }),
);
const sheets = fc
  .array(
    fc.tuple(
      fc.array(fc.tuple(value, fc.boolean(), noise), { maxLength: 6 }),
      fc.nat(3),
      fc.boolean(),
      noise,
    ),
    { maxLength: 12 },
  )
  .map((rows) => {
    let number = 0;
    const body = rows.map(([cells, gap, hidden, between]) => {
      number += gap + 1;
      const inner = cells.map(([{ type, xml }, named, after], column) => {
        const reference = named ? ` r='${xlsx.utils.encode_cell({ r: number - 1, c: column })}'` : '';
        return `<c${reference} s="${column}" t="${type}">${xml}</c>${after}`;
      });
      return `<row r="${number}"${hidden ? ' hidden="1"' : ''}>${inner.join('')}</row>${between}`;
    });
    return `<?xml version="1.0"?><worksheet><cols><col min="1"/></cols><sheetData>${body.join('')}</sheetData><mergeCells/></worksheet>`;
  });

describe('the scan of a sheet', () => {
  test('reads what a full XML parser reads, for any split into pieces', () => {
    fc.assert(
      fc.property(sheets, fc.integer({ min: 1, max: 400 }), (xml, pieceLength) => {
        expect(byScan(xml, pieceLength).rows).toEqual(byParser(xml));
      }),
      { seed: 20261120, numRuns: 300 },
    );
  });

  test('counts as many rows as the count by bytes does, for any split into pieces', async () => {
    await fc.assert(
      fc.asyncProperty(sheets, fc.integer({ min: 1, max: 400 }), async (xml, pieceLength) => {
        const bytes = Buffer.from(xml);
        const pieces = Array.from({ length: Math.ceil(bytes.length / pieceLength) }, (_, at) =>
          bytes.subarray(at * pieceLength, (at + 1) * pieceLength),
        );
        const { rowElements } = await surveySheet(Readable.from(pieces));
        expect(rowElements).toBe(byScan(xml, 1000).elements);
      }),
      { seed: 20261120, numRuns: 200 },
    );
  });

  test('reads workbooks of other programs as a full parser does', async () => {
    const folder = new URL('../../fixtures/dealer-files/', import.meta.url);
    for (const name of ['text_cells.xlsx', 'error_cells.xlsx', 'numeric_with_zero_format.xlsx']) {
      const zip = await openZip(new URL(name, folder).pathname, 1 << 30);
      const xml = await zip.text('xl/worksheets/sheet1.xml', 1 << 20);
      zip.close();
      expect(byScan(xml, 777).rows).toEqual(byParser(xml));
      expect(await readFile(new URL(name, folder))).not.toHaveLength(0);
    }
  });

  test('finds merged ranges below rows of any length, for any split into pieces', async () => {
    const rows = '<row r="1"><c r="A1"><v>1</v></c></row>'.repeat(1);
    const merges = Array.from(
      { length: 300 },
      (_, at) => `<mergeCell ref="A${at * 2 + 2}:C${at * 2 + 3}"/>`,
    ).join('');
    const xml = `<x:worksheet xmlns:x="y"><x:sheetData>${rows}</x:sheetData><x:mergeCells>${merges.replaceAll('<m', '<x:m')}</x:mergeCells></x:worksheet>`;
    for (const length of [50, 64, 513, 1000, 100_000]) {
      const bytes = Buffer.from(xml);
      const pieces = Array.from({ length: Math.ceil(bytes.length / length) }, (_, at) =>
        bytes.subarray(at * length, (at + 1) * length),
      );
      const survey = await surveySheet(Readable.from(pieces));
      expect(survey.merges).toHaveLength(300);
      expect(survey.merges[299]).toEqual({ left: 0, right: 2, top: 599, bottom: 600 });
    }
  });
});
