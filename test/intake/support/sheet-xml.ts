import { writeWorkbook } from './write-workbook.ts';

/** A worksheet part with these rows. */
export const sheetXml = (rows: string, before = '') =>
  `<?xml version="1.0"?>${before}<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`;

/** A row of inline texts. */
export const rowXml = (row: number, cells: string[], at = 'ABCDEFG') =>
  `<row r="${row}">${cells.map((cell, column) => `<c r="${at[column]}${row}" t="inlineStr"><is><t>${cell}</t></is></c>`).join('')}</row>`;

/** A workbook with this worksheet part, and further parts. */
export const withSheet = (xml: string, parts = {}) =>
  writeWorkbook({ sheets: [{ name: 'One', rows: [], xml }], parts });
