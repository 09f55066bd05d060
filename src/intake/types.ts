import type { CartOptionName } from '../contract/carts.ts';
import type { FieldName } from './columns/fields.ts';
import type { LayoutOfFile } from './layouts/layout.ts';

/** Why a row was refused (`issue`: its PO is rejected), or information about it for a person (`note`). */
export interface RowIssue {
  /** As shown by a spreadsheet: the first row of the file is 1. */
  rowNumber: number;
  /** The PO that the issue rejects; undefined when the row belongs to no PO. */
  poNumber: string | undefined;
  severity: 'issue' | 'note';
  /** The dealer's header text, or the field's API name if the file has no such column. */
  column: string;
  code: string;
  /** One sentence for a person. */
  message: string;
  found: string | undefined;
  expected: string | undefined;
  /** The keys of the column and its value, on two lines, under which the answer is stored; undefined: no question. */
  question?: string;
}

/**
 * Information about a cell beyond its text: `error` an error value (#N/A), `unevaluated` a formula without a value, `boolean` TRUE or
 * FALSE, `date` a date by number format, `digits_lost` a number of more than 15 digits, `filled` the text of a merged cell that begins in a
 * row above, `formatted` a number whose format shows other characters too, `struck` text that is struck out, `raised` superscript or
 * subscript in the text, such as a footnote, `unclear` several possible texts or values, `inner_quote` a quote in the middle of a CSV value
 * that is not an inch sign.
 */
export type CellAnnotationKind =
  | 'error'
  | 'unevaluated'
  | 'boolean'
  | 'date'
  | 'digits_lost'
  | 'commented'
  | 'filled'
  | 'formatted'
  | 'struck'
  | 'raised'
  | 'unclear'
  | 'inner_quote';

export interface CellAnnotation {
  /** Position in `cells`, from 0. */
  column: number;
  kind: CellAnnotationKind;
  /** A date as its number (days since 1900) and number format, so that a result file can have the same cell. */
  date?: { number: number; format: string };
  /** The plain number of a `formatted` cell: 2 for `2 EA`. */
  number?: string;
  /** The text of the comment on a `commented` cell. */
  comment?: string;
}

/** A row as read, with every cell as text, including columns without a field. Never blank. */
export interface RawRow {
  /** As shown by a spreadsheet; a quoted line break in a CSV file does not begin a new row. */
  rowNumber: number;
  cells: string[];
  annotations?: CellAnnotation[];
  /** The row is hidden in the sheet. */
  hidden?: true;
  /** Where the row is in the file, if its number counts combined tables: `Sheet "4712", row 7`. */
  from?: string;
  /** Why the row has no match in the other table of a join. */
  unjoined?: string;
}

export type CartOptionValues = Partial<Record<CartOptionName, string | boolean>>;

/** A checked row. Fields that were refused are undefined and have an issue. */
export interface CheckedRow {
  rowNumber: number;
  poNumber: string | undefined;
  itemSku: string | undefined;
  itemId: string | undefined;
  quantity: number | undefined;
  note: string | undefined;
  /** Decimal text. */
  expectedPrice: string | undefined;
  /**
   * Cart options of this row as canonical JSON text by API names (`optionsText`), so that equal texts mean equal
   * options. `cc_last_four` is text of four digits (`0042` keeps its zeros).
   */
  options: string;
  /** Letters of the fields that a constant of the account filled in; undefined: none. */
  filled?: string | undefined;
  /** The PO number as written, if look-alike characters were cleaned; undefined: same as `poNumber`. */
  poWritten?: string | undefined;
}

/** A PO of a file, after grouping. */
export interface GroupedPurchaseOrder {
  poNumber: string;
  firstRow: number;
  lineCount: number;
  options: CartOptionValues;
  outcome: 'ready' | 'rejected' | 'repeated' | 'conflicting' | 'held';
  /** A sentence that says why it is not ready. */
  reason: string | undefined;
}

/** Receives the rows while a file is read. They become visible, as POs, only once the whole file is read. Implemented by `ledger`. */
export interface Stage {
  /** Adds rows and issues in order; resolves when it can take more (backpressure). */
  add(rows: readonly CheckedRow[], issues: readonly RowIssue[]): Promise<void>;
}

export type SpreadsheetFormat = 'xlsx' | 'xls' | 'xlsb' | 'ods' | 'html' | 'xml';
export type FileFormat = 'csv' | SpreadsheetFormat;

/** Whether cells can be numbers. In CSV files and web pages they are text, with the author's decimal sign. */
export const canHoldNumbers = (format: FileFormat): boolean => format !== 'csv' && format !== 'html';

/** One detected property of a file, and the setting that overrides it. */
export interface Decision {
  what:
    | 'format'
    | 'encoding'
    | 'delimiter'
    | 'sheet'
    | 'layout'
    | 'header'
    | 'columns'
    | 'po_number'
    | 'states'
    | 'status'
    | 'join'
    | 'rows';
  decided: string;
  why: string;
  /** The account's setting that overrides it. */
  override: string | undefined;
}

export interface DetectedColumn {
  /** The dealer's header text; for example `column 3` if the file has none. */
  header: string;
  /** The field that the column holds; null (stored as JSON) if none: such a column is only copied to the result file. */
  field: FieldName | null;
}

/** Evidence against the encoding in which a text was read. */
export interface EncodingDoubt {
  /** Letters of words that exist in no language written in this encoding. */
  letters: string;
  /** Possible encodings, likeliest first. */
  likely: string[];
}

/** Everything detected about a file. Stored as JSON with the import; enough to read the file again in the same way. */
export interface Detection {
  format: FileFormat;
  /** CSV, HTML and XML: `utf-8`, `utf-8-bom`, `utf-16le`, `utf-16be`, `utf-32le`, `utf-32be`, `cp437`, `cp850`, `windows-1252` or another label of the Encoding Standard. */
  encoding?: string;
  doubt?: EncodingDoubt;
  delimiter?: string;
  /** CSV: whether fields can be quoted. */
  quoted?: boolean;
  /** Spreadsheets: the sheet's name. */
  sheet?: string;
  /** The row number of the header; null (stored as JSON) if the file has none. */
  headerRow: number | null;
  /** Rows at the top of the file that were skipped; not in the detections of older imports. */
  skipRows?: number;
  /** In the file's order. */
  columns: DetectedColumn[];
  decisions: Decision[];
  /** The combined tables of the file. */
  combined?: Combined;
  /** The layout used; undefined: none was needed. */
  layout?: LayoutOfFile;
}

/** Tables of one file that are read as one table. */
export type Combined =
  /** Each row of the sheet `lines` with the row of the sheet `orders` that has the same key; the columns of each, by header. */
  | { kind: 'joined'; orders: string; lines: string; by: { orders: string; lines: string } }
  /** Sheets with the same columns, one below the other, each a PO. */
  | { kind: 'stacked'; sheets: { name: string; headerRow: number; poNumber: string }[] };

/** One file, opened by the reader of its format. */
export interface TableSource {
  format: FileFormat;
  decisions: Decision[];
  encoding?: string;
  doubt?: EncodingDoubt;
  delimiter?: string;
  quoted?: boolean;
  tables: Table[];
  /** CSV: the last line has no line end, so the file may be truncated. */
  endsOpen?: boolean;
  /** Its only table combines several tables of the file. */
  combined?: Combined;
  /** For combined tables: the rows above the headers of all but the table in `tables`, and the other sheets. */
  beside?: { titleRows: RawRow[]; tables: Table[] };
  /** The headers of the join columns. */
  keys?: string[];
  /**
   * The rows of a table in batches, in order, without blank rows. Each table can be read once, one at a time. `headers` name its columns in
   * refusals. Throws FileRefused.
   */
  rows(table: number, headers?: readonly string[]): AsyncIterable<RawRow[]>;
  /** Stops reading. Idempotent; needed only if `rows` is not read to its end. */
  close(): void;
}

export interface Table {
  /** Undefined for a CSV file. */
  name: string | undefined;
  hidden: boolean;
  /** Its first rows (at most `headRows`), without blank rows. */
  head: RawRow[];
  /** Widths and visibility of its columns, in order, if the file has them. */
  shapes?: ColumnShape[];
  /** Why struck-out cells may go unnoticed: the format hides it, or conditional formatting decides. */
  unseenStrike?: 'format' | 'condition';
}

export interface ColumnShape {
  /** In characters. */
  width?: number;
  hidden?: true;
}

/** The number of rows in which a header is searched. */
export const headRows = 60;
