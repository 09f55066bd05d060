import { readFile } from 'node:fs/promises';
import * as xlsx from 'xlsx';
import type { IntakeOptions } from '../../options.ts';
import { headRows, type RawRow } from '../../types.ts';
import { commentOn } from './cell-comments.ts';
import { type CellText, isBlankRow, putCell } from './cell-text.ts';
import { createMergeFilling } from './merged-cells.ts';
import { numberFormat } from './number-text.ts';
import type { OpenWorkbook } from './open-xlsx.ts';
import { damaged, encrypted } from './refused-workbook.ts';

const batchRows = 500;

const readCell = (cell: xlsx.CellObject, date1904: boolean): CellText => {
  const { v } = cell;
  switch (cell.t) {
    case 'e':
      return { text: cell.w ?? '#ERROR', annotation: 'error' };
    case 'b':
      return { text: v === true ? 'TRUE' : 'FALSE', annotation: 'boolean' };
    case 'd':
      return { text: cell.w ?? String(v), annotation: 'date' };
    case 'n': {
      const format = typeof cell.z === 'string' ? cell.z : 'General';
      const read = numberFormat(format, date1904, xlsx.SSF)(Number(v), String(v));
      // For ODS, SheetJS gives no format but the displayed text.
      if (!read.annotation && cell.z === undefined && cell.w !== undefined) {
        if (/^0\d+$/.test(cell.w)) return { text: cell.w };
        if (!/\d/.test(cell.w)) return { text: cell.w.trim(), annotation: 'unclear' };
        if (/\p{L}/u.test(cell.w)) return { text: cell.w, annotation: 'formatted', number: read.text };
      }
      return read;
    }
    default:
      if (v === undefined)
        return cell.f === undefined ? { text: '' } : { text: '', annotation: 'unevaluated' };
      return { text: String(v) };
  }
};

/** The rows of a sheet by its cells, not by its declared range, which can be too small. */
const rowsOf = (sheet: xlsx.WorkSheet, date1904: boolean, maxColumns: number): RawRow[] => {
  const rows: RawRow[] = [];
  const fill = createMergeFilling(
    (sheet['!merges'] ?? []).map(({ s, e }) => ({ top: s.r, left: s.c, bottom: e.r, right: e.c })),
  );
  const data = (sheet['!data'] ?? []) as (xlsx.CellObject | undefined)[][];
  data.forEach((cells, at) => {
    const row: RawRow = { rowNumber: at + 1, cells: [] };
    cells.forEach((cell, column) => {
      if (cell && column < maxColumns) putCell(row, column, readCell(cell, date1904));
    });
    if (isBlankRow(row)) return;
    if (sheet['!rows']?.[at]?.hidden) row.hidden = true;
    fill(row);
    const comments = cells.flatMap((cell, column) =>
      column < maxColumns ? (cell?.c ?? []).map(({ t }) => commentOn(column, t ?? '')) : [],
    );
    if (comments.length > 0) row.annotations = [...(row.annotations ?? []), ...comments];
    rows.push(row);
  });
  return rows;
};

const fontRecord = 0x31;
const endRecord = 0x0a;
const struckOut = 0x08;

/** Whether a font of an XLS workbook strikes out text. SheetJS says nothing about fonts. */
const hasStruckFont = (bytes: Buffer): boolean => {
  const file = xlsx.CFB.read(bytes, { type: 'buffer' });
  const content = (xlsx.CFB.find(file, 'Workbook') ?? xlsx.CFB.find(file, 'Book'))?.content;
  if (!content) return false;
  const stream = Buffer.from(content as Uint8Array);
  for (let at = 0; at + 8 <= stream.length; at += 4 + stream.readUInt16LE(at + 2)) {
    const type = stream.readUInt16LE(at);
    if (type === endRecord) return false;
    if (type === fontRecord && (stream.readUInt16LE(at + 6) & struckOut) !== 0) return true;
  }
  return false;
};

const isOle = (bytes: Buffer) => bytes.readUInt32BE(0) === 0xd0cf11e0;

/**
 * Opens XLS, XLSB and ODS workbooks with SheetJS, which holds a whole workbook in memory. Run it only in the child
 * process, whose limits contain the damage of a hostile file.
 *
 * @throws FileRefused `damaged_workbook`, `encrypted_workbook`
 */
export const openLegacy = async (path: string, limits: IntakeOptions['limits']): Promise<OpenWorkbook> => {
  const bytes = await readFile(path);
  let workbook: xlsx.WorkBook;
  try {
    workbook = xlsx.read(bytes, {
      type: 'buffer',
      dense: true,
      cellNF: true,
      cellStyles: true,
      cellHTML: false,
    });
  } catch (error) {
    if (/password|encrypt/i.test((error as Error).message)) throw encrypted();
    throw damaged((error as Error).message, error);
  }
  const date1904 = workbook.Workbook?.WBProps?.date1904 === true;
  const tables = workbook.SheetNames.map((name, at) => ({
    name,
    hidden: (workbook.Workbook?.Sheets?.[at]?.Hidden ?? 0) !== 0,
    rows: rowsOf(workbook.Sheets[name]!, date1904, limits.maxColumns),
  }));
  const format = workbook.bookType === 'ods' || workbook.bookType === 'xlsb' ? workbook.bookType : 'xls';
  // The fonts of XLSB workbooks are not read.
  const mayStrike = format === 'xlsb' || (format === 'xls' && isOle(bytes) && hasStruckFont(bytes));
  async function* rows(at: number): AsyncGenerator<RawRow[]> {
    const all = tables[at]!.rows;
    for (let from = 0; from < all.length; from += batchRows) yield all.slice(from, from + batchRows);
  }
  return {
    format,
    tables: tables.map((table) => ({
      name: table.name,
      hidden: table.hidden,
      head: table.rows.slice(0, headRows),
      ...(mayStrike ? { unseenStrike: 'format' as const } : {}),
    })),
    rows,
  };
};
