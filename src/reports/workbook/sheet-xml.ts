import { type Cell, cellXml, columnName } from './cells.ts';
import type { CellStyle, Fill, Styles } from './styles.ts';

export interface SheetRow {
  /** As spreadsheet programs show it, from 1. Rows are in ascending order. */
  rowNumber: number;
  cells: readonly Cell[];
  fill?: Fill | undefined;
  bold?: boolean;
  hidden?: boolean;
}

export interface Sheet {
  name: string;
  /** Column widths in characters; undefined: the program's default. */
  columns: readonly { width: number | undefined; hidden?: boolean; wrap?: boolean }[];
  /** The number of rows at the top that do not scroll. */
  frozenRows: number;
  /** The header row, if it has filters. */
  filterRow: number | undefined;
  /** Can be read once, in order. */
  rows: AsyncIterable<readonly SheetRow[]>;
}

/** Called after a sheet with filters was written, with the range of the filters, such as `$A$1:$F$20`. */
export type OnFilter = (range: string) => void;

const head = (sheet: Sheet, shown: boolean): string => {
  const { columns, frozenRows } = sheet;
  const pane =
    frozenRows > 0
      ? `<pane ySplit="${frozenRows}" topLeftCell="A${frozenRows + 1}" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft" activeCell="A${frozenRows + 1}" sqref="A${frozenRows + 1}"/>`
      : '';
  const cols = columns
    .map(({ width, hidden }, at) =>
      width === undefined && !hidden
        ? ''
        : `<col min="${at + 1}" max="${at + 1}" width="${width ?? 9}"${hidden ? ' hidden="1"' : ''} customWidth="1"/>`,
    )
    .join('');
  return (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
    `<sheetViews><sheetView workbookViewId="0"${shown ? ' tabSelected="1"' : ''}>${pane}</sheetView></sheetViews>` +
    `<sheetFormatPr defaultRowHeight="15"/>${cols === '' ? '' : `<cols>${cols}</cols>`}<sheetData>`
  );
};

const formatOf = (cell: Cell): string => {
  if (typeof cell === 'string') return '@';
  if (cell !== undefined && 'number' in cell) return cell.format ?? 'General';
  return 'General';
};

/**
 * A sheet's XML in pieces: memory does not grow with its rows, and each piece takes a few milliseconds.
 * @param shown this sheet opens first
 */
export async function* sheetXml(
  sheet: Sheet,
  styles: Styles,
  shown: boolean,
  onFilter: OnFilter,
): AsyncGenerator<Buffer, void, undefined> {
  const { columns, filterRow } = sheet;
  let lastRow = 0;
  let width = 0;
  const rowXml = (row: SheetRow): string => {
    const { rowNumber, fill, bold } = row;
    lastRow = rowNumber;
    if (rowNumber === filterRow) width = row.cells.length;
    let cells = '';
    for (let at = 0; at < row.cells.length; at += 1) {
      const cell = row.cells[at];
      const style: CellStyle = { fill, format: formatOf(cell) };
      if (bold) style.bold = true;
      if (columns[at]?.wrap) style.wrap = true;
      cells += cellXml(cell, columnName(at) + rowNumber, styles.numberOf(style));
    }
    return `<row r="${rowNumber}"${row.hidden ? ' hidden="1"' : ''}>${cells}</row>`;
  };
  yield Buffer.from(head(sheet, shown));
  for await (const rows of sheet.rows) {
    if (rows.length > 0) yield Buffer.from(rows.map(rowXml).join(''));
  }
  let tail = '</sheetData>';
  if (filterRow !== undefined && width > 0) {
    const last = columnName(width - 1);
    const bottom = Math.max(lastRow, filterRow);
    tail += `<autoFilter ref="A${filterRow}:${last}${bottom}"/>`;
    onFilter(`$A$${filterRow}:$${last}$${bottom}`);
  }
  if (lastRow > 0)
    tail += `<ignoredErrors><ignoredError sqref="A1:XFD${lastRow}" numberStoredAsText="1"/></ignoredErrors>`;
  yield Buffer.from(`${tail}</worksheet>`);
}
