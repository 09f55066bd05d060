import type { Detection } from '../intake/types.ts';
import type { PurchaseOrderState } from '../placing/types.ts';

/** An import whose result file is written. */
export interface ImportFacts {
  importId: string;
  account: string;
  /** The dealer's file name; never use it as a path. */
  fileName: string;
  /** The private copy, relative to the account's folder. */
  filePath: string;
  state: 'read' | 'refused';
  /** Why the whole file was refused. */
  reasonText: string | undefined;
  /** Undefined for a refused file. */
  detection: Detection | undefined;
  /** Number of rows below the header when the file was read. */
  rowCount: number;
  takenAt: Date;
  /** When the ledger was read; any later change makes the result due again. */
  asOf: Date;
  quoteOnly: boolean;
}

/** A PO's state, for its rows. */
export interface PoFacts {
  poNumber: string;
  state: PurchaseOrderState;
  reasonCode: string | undefined;
  reasonText: string | undefined;
  /** It is quoted, not ordered. */
  quoteOnly: boolean;
  alarm: string | undefined;
  cartNumber: string | undefined;
  orderNumbers: string[];
  /** Set if an earlier import has the PO with the same content; all other fields here are then of that import. */
  repeats: { importId: string; fileName: string } | undefined;
}

/** A person's changes to a row, in a correction that became an import. */
export interface RowCorrection {
  who: string;
  kind: 'changed' | 'removed';
  /** `before` equals `after` if the person confirmed the value. */
  cells: { column: string; before: string; after: string }[];
}

/** One row of a purchase file in the ledger. Rows missing there were skipped or are above the header. */
export interface RowFacts {
  rowNumber: number;
  po: PoFacts | undefined;
  issues: { severity: 'issue' | 'note'; column: string; code: string; message: string }[];
  /** People's changes to it in corrections that became imports. */
  corrections: RowCorrection[];
  /** Why the service refused this line. */
  refusal: string | undefined;
  available: number | undefined;
  backorder: number | undefined;
  /** dealer_price of spec 2.3, decimal text. */
  price: string | undefined;
}

/** The number of POs of an import in one state. */
export interface StateCount {
  state: PurchaseOrderState;
  reasonCode: string | undefined;
  repeated: boolean;
  poCount: number;
  lineCount: number;
}

/** The totals of an import. */
export interface ImportTotals {
  states: StateCount[];
  orderCount: number;
  /** Sum of order_total over its orders, decimal text; undefined until one is known. */
  orderTotal: string | undefined;
  /** Rows with an issue that belong to no PO. */
  rowsWithoutPo: number;
  /** Sum of quantity x dealer_price over the lines whose price is known, decimal text. */
  pricedTotal: string | undefined;
  /** POs that need attention, in the file's order; the first 200. */
  toDo: PoToDo[];
  toDoCount: number;
}

/** A PO that needs attention. */
export interface PoToDo
  extends Pick<PoFacts, 'poNumber' | 'state' | 'reasonCode' | 'reasonText' | 'quoteOnly' | 'alarm'> {
  firstRow: number;
}

/** One import in one snapshot of the ledger. */
export interface ResultLedger {
  facts: ImportFacts;
  /** The rows from `firstRow` to `lastRow`, both inclusive, by row number. */
  rowsBetween(firstRow: number, lastRow: number): Promise<Map<number, RowFacts>>;
  totals(): Promise<ImportTotals>;
}

/**
 * `current`: nothing has changed since the result was written, or the import has no result; `busy`: another process is
 * writing it; `unknown`: the ledger has no such import.
 */
export type ResultWritten = { kind: 'written'; path: string } | { kind: 'current' | 'busy' | 'unknown' };

/** Keeps track of which result files are due and coordinates their writers. */
export interface ResultRegister {
  /**
   * Calls `write` for the result file of an import, one writer at a time across all processes, and records the path
   * that it returns. If the ledger changes meanwhile, the result stays due.
   * @param options.force write it even if it is current
   */
  write(
    importId: string,
    options: { force: boolean },
    write: (ledger: ResultLedger) => Promise<{ path: string }>,
  ): Promise<ResultWritten>;
}

/** An order with its purchase file, for the status report. */
export interface ReportedOrder {
  /** Spec 2.6. */
  poNumber: string;
  shipName: string | null;
  shipAddress: string | null;
  shipCity: string | null;
  shipState: string | null;
  shipZip: string | null;
  /** Spec 2.7; money as decimal text, dates verbatim. */
  orderNumber: string;
  orderStatus: string | null;
  invoiceNumber: string | null;
  freight: string | null;
  miscCharges: string | null;
  orderTotal: string | null;
  warehouse: string | null;
  orderDate: string | null;
  shipDate: string | null;
  invoiceDate: string | null;
  shipVia: string | null;
  trackingNumbers: string[];
  items: unknown;
  poState: PurchaseOrderState;
  alarm: string | null;
  importId: string;
  fileName: string;
  takenAt: Date;
  orderedAt: Date | null;
  /** Since when it waits to be shipped: when its PO was ordered, or its own day if that was earlier. */
  waitingSince: Date;
  changedAt: Date;
}

/** A filter for the orders of a status report; days are in the account's time zone and inclusive. */
export interface ReportFilter {
  importId?: string | undefined;
  /** Orders that were placed on this day or later, as YYYY-MM-DD. */
  from?: string | undefined;
  to?: string | undefined;
  /** Only orders that are new or have changed since the last status report. */
  changedOnly?: boolean | undefined;
}

/** A change of an order that a status check detected. */
export interface ReportedChange {
  poNumber: string;
  orderNumber: string;
  /** The field's name in spec 2.7. */
  field: string;
  was: string | null;
  became: string | null;
  seenAt: Date;
}

/** The content of a status report, from one snapshot of the ledger. */
export interface ReportSnapshot {
  /** Every change before this moment is in the report. */
  asOf: Date;
  /** When the previous report was made; undefined for the first report. */
  since: Date | undefined;
  /** The orders, oldest first, in pages; can be read several times. */
  orders(): AsyncIterable<ReportedOrder[]>;
  /** POs without an order, by state. */
  notOrdered(): Promise<{ state: PurchaseOrderState; poCount: number }[]>;
  /** Changes since `since`, the latest first. */
  changes(limit: number): Promise<{ total: number; shown: ReportedChange[] }>;
}

/** The part of the ledger for status reports. */
export interface StatusLedger {
  /**
   * Passes one snapshot of an account's orders to `work`.
   * @param request.replaces the report that is written again, if any: it then shows the changes since the report before
   * that one
   */
  readReport<T>(
    request: { account: string; timeZone: string; filter: ReportFilter; replaces: string | undefined },
    work: (snapshot: ReportSnapshot) => Promise<T>,
  ): Promise<T>;
  /** Records the latest report by its path relative to the account's folder; the next one shows changes since then. */
  recordReport(
    account: string,
    path: string,
    snapshot: Pick<ReportSnapshot, 'asOf' | 'since'>,
  ): Promise<void>;
}
