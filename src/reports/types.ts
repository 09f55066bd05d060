import type { Detection } from '../intake/types.ts';
import type { PurchaseOrderState } from '../placing/types.ts';

/** An import whose result file is to be written. */
export interface ImportFacts {
  importId: string;
  account: string;
  /** The name the dealer gave; data, never a path. */
  fileName: string;
  /** The private copy, relative to the account's folder. */
  filePath: string;
  state: 'read' | 'refused';
  /** Why the file as a whole was refused. */
  reasonText: string | undefined;
  /** Undefined for a refused file. */
  detection: Detection | undefined;
  /** Rows below the header when it was read. */
  rowCount: number;
  takenAt: Date;
  /** The result tells what the ledger knew then; whatever changes later makes it due again. */
  asOf: Date;
  quoteOnly: boolean;
}

/** Where a PO stands, for the rows that ask for it. */
export interface PoFacts {
  poNumber: string;
  state: PurchaseOrderState;
  reasonCode: string | undefined;
  reasonText: string | undefined;
  /** It asks for prices only. */
  quoteOnly: boolean;
  alarm: string | undefined;
  cartNumber: string | undefined;
  orderNumbers: string[];
  /** It came before with the same content: everything here is told of that one. */
  repeats: { importId: string; fileName: string } | undefined;
}

/** What the ledger knows of one row of a purchase file. Rows that it does not know were left out or stood above. */
export interface RowFacts {
  rowNumber: number;
  /** It asks for an item of a PO. */
  isLine: boolean;
  po: PoFacts | undefined;
  issues: { severity: 'issue' | 'note'; column: string; code: string; message: string }[];
  /** Why the service refused this line. */
  refusal: string | undefined;
  available: number | undefined;
  backorder: number | undefined;
  /** dealer_price of spec 2.3, decimal text. */
  price: string | undefined;
}

/** How many POs of an import stand where. */
export interface StateCount {
  state: PurchaseOrderState;
  reasonCode: string | undefined;
  repeated: boolean;
  poCount: number;
  lineCount: number;
}

/** An import as a whole, for the first look. */
export interface ImportTotals {
  states: StateCount[];
  orderCount: number;
  /** Sum of what the service charges for its orders, decimal text; undefined until it has said so for one. */
  orderTotal: string | undefined;
  /** Rows with an issue that belong to no PO. */
  rowsWithoutPo: number;
  /** Sum of quantity x dealer_price over the lines whose price is known, decimal text. */
  pricedTotal: string | undefined;
  /** POs that a person has to look at, in the file's order; the first 200. */
  toDo: PoToDo[];
  toDoCount: number;
}

/** A PO that a person has to look at. */
export interface PoToDo {
  poNumber: string;
  firstRow: number;
  state: PurchaseOrderState;
  reasonCode: string | undefined;
  reasonText: string | undefined;
  quoteOnly: boolean;
  alarm: string | undefined;
}

/** One import at one moment: everything that is asked of it is of the same moment. */
export interface ResultLedger {
  facts: ImportFacts;
  /** What is known of the rows from `firstRow` to `lastRow`, both included, by row number. */
  rowsBetween(firstRow: number, lastRow: number): Promise<Map<number, RowFacts>>;
  totals(): Promise<ImportTotals>;
}

/**
 * What became of the wish to write a result file. `current`: nothing has changed since it was written, or its import
 * has none; `busy`: another process is at it; `unknown`: the ledger has no such import.
 */
export type ResultWritten = { kind: 'written'; path: string } | { kind: 'current' | 'busy' | 'unknown' };

/** Where result files are kept account of. */
export interface ResultRegister {
  /**
   * Lets `write` write the result file of an import, one writer at a time over all processes, and records the path
   * that it answers. A change that the ledger takes meanwhile leaves the result due.
   * @param options.force writes it even when it is current
   */
  write(
    importId: string,
    options: { force: boolean },
    write: (ledger: ResultLedger) => Promise<{ path: string }>,
  ): Promise<ResultWritten>;
}

/** An order with what stood in its file, for the status report. */
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
  changedAt: Date;
}

/** What a status report is written from. */
export interface StatusLedger {
  /** Hands `work` every order of the account, in the order in which they were made, in pages, all of one moment. */
  readOrders<T>(account: string, work: (pages: AsyncIterable<ReportedOrder[]>) => Promise<T>): Promise<T>;
  /** Records what was written last, relative to the account's folder. */
  recordReport(account: string, path: string): Promise<void>;
}
