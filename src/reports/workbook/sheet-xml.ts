import { columnLetters } from '../../column-letters.ts';
import { type Cell, cellXml } from './cells.ts';
import { type DataValidation, dataValidationsXml } from './data-validations.ts';
import type { CellStyle, Fill, Styles } from './styles.ts';

export interface SheetRow {
  /** Counts from 1, as in spreadsheet programs. Rows are in ascending order. */
  rowNumber: number;
  cells: readonly Cell[];
  fill?: Fill | undefined;
  bold?: boolean;
  hidden?: boolean;
}

export interface Sheet {
  name: string;
  /**
   * Column widths in characters; undefined: the program's default. A `format` applies to cells that are filled in later:
   * with `@` they are text, and keep leading zeros.
   */
  columns: readonly { width: number | undefined; hidden?: boolean; wrap?: boolean; format?: string }[];
  /** The number of rows at the top that do not scroll. */
  frozenRows: number;
  /** The header row, if it has filters. */
  filterRow: number | undefined;
  /** Adds a gap at the right of numbers. */
  paddedNumbers?: boolean;
  /** Prints in landscape, fitted to the page's width. */
  landscape?: boolean;
  /** Validations of its cells. */
  validations?: readonly DataValidation[];
  /** Spreadsheet programs refuse changes until a person removes the protection, which has no password. */
  protected?: boolean;
  /** Its rows are read after those of all other sheets, regardless of its position. */
  readLast?: boolean;
  /** Can be read once, in order. */
  rows: AsyncIterable<readonly SheetRow[]>;
}

/** Rows of a sheet that are all known. */
export async function* inOneBatch<Row>(rows: readonly Row[]): AsyncGenerator<readonly Row[]> {
  yield rows;
}

/** What other parts of the workbook say about a sheet; complete when the sheet is written. */
export interface SheetNotes {
  /** The range of the filters, such as `$A$1:$F$20`. */
  filter?: string;
  /** Link targets of cells, in the order of their IDs. */
  links: string[];
}

/** Excel repairs a sheet with more links by removing all of them. */
const mostLinks = 65_000;

/** Maximum number of rows of a sheet in the XLSX format. */
const mostRows = 1_048_576;

const head = (sheet: Sheet, styles: Styles, shown: boolean): string => {
  const { columns, frozenRows, landscape } = sheet;
  const pane =
    frozenRows > 0
      ? `<pane ySplit="${frozenRows}" topLeftCell="A${frozenRows + 1}" activePane="bottomLeft" state="frozen"/><selection pane="bottomLeft" activeCell="A${frozenRows + 1}" sqref="A${frozenRows + 1}"/>`
      : '';
  const cols = columns
    .map(({ width, hidden, format }, at) => {
      if (width === undefined && !hidden && format === undefined) return '';
      const style = format === undefined ? '' : ` style="${styles.numberOf({ format })}"`;
      return `<col min="${at + 1}" max="${at + 1}" width="${width ?? 9}"${style}${hidden ? ' hidden="1"' : ''} customWidth="1"/>`;
    })
    .join('');
  return (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">' +
    `${landscape ? '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>' : ''}<sheetViews><sheetView workbookViewId="0"${shown ? ' tabSelected="1"' : ''}>${pane}</sheetView></sheetViews>` +
    `<sheetFormatPr defaultRowHeight="15"/>${cols === '' ? '' : `<cols>${cols}</cols>`}<sheetData>`
  );
};

const formatOf = (cell: Cell): string => {
  if (typeof cell === 'string' || (cell !== undefined && 'text' in cell)) return '@';
  if (cell !== undefined && 'number' in cell) return cell.format ?? 'General';
  return 'General';
};

const linkOf = (cell: Cell): string | undefined =>
  typeof cell === 'object' && 'link' in cell ? cell.link : undefined;

/**
 * A sheet's XML in pieces: memory does not grow with its rows, and each piece takes a few milliseconds.
 * @param shown this sheet opens first
 */
export async function* sheetXml(
  sheet: Sheet,
  styles: Styles,
  shown: boolean,
  notes: SheetNotes,
): AsyncGenerator<Buffer, void, undefined> {
  const { columns, filterRow } = sheet;
  let lastRow = 0;
  let width = 0;
  const linked: string[] = [];
  const styleOf = (cell: Cell, { fill, bold }: SheetRow, at: number): CellStyle => {
    const style: CellStyle = { fill, format: formatOf(cell) };
    if (bold) style.bold = true;
    if (columns[at]?.wrap) style.wrap = true;
    if (typeof cell === 'object' && 'fill' in cell && cell.fill) style.fill = cell.fill;
    if (linkOf(cell) !== undefined) style.link = true;
    if (typeof cell === 'object' && 'struck' in cell) style.struck = true;
    if (sheet.paddedNumbers && typeof cell === 'object' && 'number' in cell) style.padded = true;
    return style;
  };
  const rowXml = (row: SheetRow): string => {
    const { rowNumber } = row;
    lastRow = rowNumber;
    if (rowNumber === filterRow) width = row.cells.length;
    let cells = '';
    for (let at = 0; at < row.cells.length; at += 1) {
      const cell = row.cells[at];
      const reference = columnLetters(at) + rowNumber;
      cells += cellXml(cell, reference, styles.numberOf(styleOf(cell, row, at)));
      const link = linkOf(cell);
      if (link !== undefined && linked.length < mostLinks) {
        notes.links.push(link);
        linked.push(`<hyperlink ref="${reference}" r:id="rId${notes.links.length}"/>`);
      }
    }
    return `<row r="${rowNumber}"${row.hidden ? ' hidden="1"' : ''}>${cells}</row>`;
  };
  yield Buffer.from(head(sheet, styles, shown));
  for await (const rows of sheet.rows) {
    if (rows.length > 0) yield Buffer.from(rows.map(rowXml).join(''));
  }
  let tail = `</sheetData>${sheet.protected ? '<sheetProtection sheet="1" objects="1" scenarios="1"/>' : ''}`;
  if (filterRow !== undefined && width > 0) {
    const last = columnLetters(width - 1);
    const bottom = Math.max(lastRow, filterRow);
    tail += `<autoFilter ref="A${filterRow}:${last}${bottom}"/>`;
    notes.filter = `$A$${filterRow}:$${last}$${bottom}`;
  }
  tail += dataValidationsXml(sheet.validations ?? []);
  if (linked.length > 0) tail += `<hyperlinks>${linked.join('')}</hyperlinks>`;
  if (sheet.landscape) tail += '<pageSetup orientation="landscape" fitToWidth="1" fitToHeight="0"/>';
  const ignoredTo = columns.some(({ format }) => format === '@') ? mostRows : lastRow;
  if (ignoredTo > 0)
    tail += `<ignoredErrors><ignoredError sqref="A1:XFD${ignoredTo}" numberStoredAsText="1"/></ignoredErrors>`;
  yield Buffer.from(`${tail}</worksheet>`);
}
