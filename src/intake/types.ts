import type { CartOptionName } from '../contract/carts.ts';

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

export type CartOptionValues = Partial<Record<CartOptionName, string | boolean>>;

/**
 * A row that names an item, checked. Fields that were refused are undefined and have an issue.
 * `cc_last_four` stays text among the options (`0042` keeps its zeros).
 */
export interface CheckedRow {
  rowNumber: number;
  poNumber: string | undefined;
  itemSku: string | undefined;
  itemId: string | undefined;
  quantity: number | undefined;
  note: string | undefined;
  /** Decimal text. */
  expectedPrice: string | undefined;
  /** Cart options on this row by API name, blank ones left out. */
  options: CartOptionValues;
}

/** A PO as its file asked for it, after grouping. */
export interface GroupedPurchaseOrder {
  poNumber: string;
  firstRow: number;
  lineCount: number;
  options: CartOptionValues;
  outcome: 'ready' | 'rejected' | 'repeated' | 'conflicting';
}

/**
 * Where rows go while a file is read, and where they become POs once it was read whole. Implemented by
 * `ledger` (Postgres). Nothing staged is visible as a PO before `finish`.
 */
export interface Stage {
  /** Takes rows and issues in order; resolves when there is room for more (memory stays flat). */
  add(rows: readonly CheckedRow[], issues: readonly RowIssue[]): Promise<void>;
}
