import type { CartOptionName } from '../contract/carts.ts';
import type { FieldName } from './fields.ts';

/** Why a row was refused (`issue`: its PO is rejected) or what a person should know of it (`note`). */
export interface RowIssue {
  /** As the spreadsheet shows it: the first row of the file is 1. */
  rowNumber: number;
  /** The PO that the issue keeps back; undefined when the row belongs to none. */
  poNumber: string | undefined;
  severity: 'issue' | 'note';
  /** The dealer's own header text, or the field's API name where the file has no such column. */
  column: string;
  code: string;
  /** One sentence for a person. */
  message: string;
  found: string | undefined;
  expected: string | undefined;
}

/**
 * What a spreadsheet knows of a cell besides its text:
 * `error` an error value (#N/A), `unevaluated` a formula without a value, `boolean` TRUE or FALSE,
 * `date` a date by number format, `digits_lost` a number of more than 15 digits, `filled` the text of a
 * merged cell that begins above.
 */
export type CellMarkKind = 'error' | 'unevaluated' | 'boolean' | 'date' | 'digits_lost' | 'filled';

export interface CellMark {
  /** Position in `cells`, from 0. */
  column: number;
  mark: CellMarkKind;
  /** A date's own number (days since 1900) and number format: with them a result file has the same cell. */
  date?: { number: number; format: string };
}

/** A row as read, every cell as text, with the dealer's unknown columns. Blank rows are not handed on. */
export interface RawRow {
  /** As the spreadsheet shows it; a quoted line break in a CSV file does not begin a new row. */
  rowNumber: number;
  cells: string[];
  marks?: CellMark[];
  /** The sheet hides this row. */
  hidden?: true;
}

export type CartOptionValues = Partial<Record<CartOptionName, string | boolean>>;

/** A row that names a PO, checked. Fields that were refused are undefined and have an issue. */
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
   * Cart options on this row as canonical JSON text by API names (`optionsText`), so that equal text means equal
   * options. `cc_last_four` is text of four digits (`0042` keeps its zeros).
   */
  options: string;
}

/** A PO as its file asked for it, after grouping. */
export interface GroupedPurchaseOrder {
  poNumber: string;
  firstRow: number;
  lineCount: number;
  options: CartOptionValues;
  outcome: 'ready' | 'rejected' | 'repeated' | 'conflicting' | 'held';
  /** Why it is not ready, in a sentence. */
  reason: string | undefined;
}

/**
 * Where rows go while a file is read, and where they become POs once it was read whole. Implemented by
 * `ledger` (Postgres). Nothing staged is visible as a PO before the file was read whole.
 */
export interface Stage {
  /** Takes rows and issues in order; resolves when there is room for more (memory stays flat). */
  add(rows: readonly CheckedRow[], issues: readonly RowIssue[]): Promise<void>;
}

export type SpreadsheetFormat = 'xlsx' | 'xls' | 'xlsb' | 'ods';
export type FileFormat = 'csv' | SpreadsheetFormat;

/** One thing that was decided about a file, and how to decide otherwise. */
export interface Decision {
  what: 'format' | 'encoding' | 'delimiter' | 'sheet' | 'header' | 'columns' | 'rows';
  decided: string;
  why: string;
  /** The account setting that overrides it. */
  override: string | undefined;
}

export interface DetectedColumn {
  /** The dealer's own header text; `column 3` where the file has none. */
  header: string;
  /** The field that it holds; null = unknown, kept and given back in the result file. */
  field: FieldName | null;
}

/** What was decided about a file; kept with the import, and enough to read the same file again the same way. */
export interface Detection {
  format: FileFormat;
  /** CSV: `utf-8`, `utf-8-bom`, `utf-16le`, `utf-16be`, `windows-1252` or another label of the Encoding Standard. */
  encoding?: string;
  delimiter?: string;
  /** CSV: whether fields can be quoted. */
  quoted?: boolean;
  /** Spreadsheets: the sheet's name. */
  sheet?: string;
  /** The row that the spreadsheet shows for the header; null = none. */
  headerRow: number | null;
  /** In the file's order. */
  columns: DetectedColumn[];
  decisions: Decision[];
}

/** Where rows come from: one file, opened by the reader of its format. */
export interface TableSource {
  format: FileFormat;
  decisions: Decision[];
  encoding?: string;
  delimiter?: string;
  quoted?: boolean;
  tables: Table[];
  /** CSV: the last line has no line end, so that the file may have been cut off. */
  endsOpen?: boolean;
  /** The rows of a table in order, in batches, blank rows left out. Throws FileRefused. To be read once. */
  rows(table: number): AsyncIterable<RawRow[]>;
  /** Ends whatever reads. Idempotent; needed only where `rows` was not read to its end. */
  close(): void;
}

export interface Table {
  /** Undefined for a CSV file. */
  name: string | undefined;
  hidden: boolean;
  /** Its first rows (at most `headRows`), blank ones left out. */
  head: RawRow[];
  /** Rows of another width than the header's are wrong (CSV); sheets just leave cells out. */
  fixedWidth: boolean;
  /** How its columns look, in order, where the file says so. */
  shapes?: ColumnShape[];
}

export interface ColumnShape {
  /** In characters. */
  width?: number;
  hidden?: true;
}

/** How many rows the search for a header looks at. */
export const headRows = 60;
