import type { CodeLists } from '../contract/carts.ts';
import { FileRefused } from '../errors.ts';
import { createRowCheck } from './check-row.ts';
import type { FieldName } from './fields.ts';
import { createRowGrouping, type RowSink } from './group-rows.ts';
import { type PurchaseFile, readPurchaseFile } from './read-purchase-file.ts';
import type { CartOptionValues, CheckedRow, Detection, Stage } from './types.ts';

export interface ImportProgress {
  /** Rows read below the header. */
  rows: number;
}

/** What became of a file's rows. Whether its POs are ready is the ledger's to say, once all of it was staged. */
export type ImportOutcome =
  | {
      kind: 'read';
      detection: Detection;
      /** Rows below the header that are not blank. */
      rowCount: number;
      /** Cart options of POs that give none of their own. */
      optionDefaults: CartOptionValues;
      /** The dealer's header for each field, for what is said later about its rows. */
      columnNames: Record<FieldName, string>;
      /** The price guard cannot act on this file; why and what to do, in sentences. */
      idlePriceGuard?: string | undefined;
    }
  | { kind: 'refused'; code: string; message: string };

export interface ImportRequest extends Omit<PurchaseFile, 'detection'> {
  codeLists: CodeLists;
  stage: Stage;
  /** The account holds POs whose prices are above what their file expects, so the file should say what it expects. */
  priceGuard?: boolean;
  onProgress?: (progress: ImportProgress) => void;
}

const idleGuard = (column: string, mapped: boolean): string =>
  `No expected price was read from this file, so the price guard (guards.abovePercent) cannot hold any of its POs. ${
    mapped
      ? `Fill in the column ${column}.`
      : 'Add a column expected_price, or map one of the columns to it in intake.columns.'
  }`;

/**
 * Reads a purchase file, checks every row by the contract and hands rows and issues to `stage` in the file's order.
 * Memory does not grow with the file. Nothing is ready before the file was read to its end: a file that turns
 * out to be broken on its last line is refused whole, and the caller drops what was staged.
 *
 * Errors of `stage`, and those of the machine (the file is gone), are thrown.
 */
export const importPurchaseFile = async (request: ImportRequest): Promise<ImportOutcome> => {
  const { stage, onProgress, signal } = request;
  const opened = await readPurchaseFile(request);
  if (opened.kind === 'refused') return opened;
  try {
    const { detection, fixedWidth } = opened;
    const rowCheck = createRowCheck(
      detection.columns,
      request.options,
      request.codeLists,
      detection.format !== 'csv',
    );
    const grouping = createRowGrouping(rowCheck, detection.columns, request.options, fixedWidth);
    let rowCount = 0;
    let prices = 0;
    let first: CheckedRow | undefined;
    for await (const batch of opened.batches) {
      signal?.throwIfAborted();
      const sink: RowSink = { rows: [], issues: [] };
      for (const row of batch) grouping.take(row, sink);
      rowCount += batch.length;
      first ??= sink.rows[0];
      if (prices === 0) prices = sink.rows.filter(({ expectedPrice }) => expectedPrice !== undefined).length;
      await stage.add(sink.rows, sink.issues);
      onProgress?.({ rows: rowCount });
    }
    if (rowCount === 0) {
      throw new FileRefused('no_rows', 'There are no rows below the header.');
    }
    const last: RowSink = { rows: [], issues: [] };
    grouping.end(last);
    const { optionDefaults, columnNames } = rowCheck;
    const mapped = detection.columns.some(({ field }) => field === 'expected_price');
    const idlePriceGuard =
      request.priceGuard && prices === 0 ? idleGuard(columnNames.expected_price, mapped) : undefined;
    if (idlePriceGuard !== undefined && first) {
      last.issues.push({
        rowNumber: first.rowNumber,
        poNumber: first.poNumber,
        severity: 'note',
        column: columnNames.expected_price,
        code: 'price_guard_idle',
        message: idlePriceGuard,
        found: undefined,
        expected: undefined,
      });
    }
    await stage.add(last.rows, last.issues);
    return { kind: 'read', detection, rowCount, optionDefaults, columnNames, idlePriceGuard };
  } catch (error) {
    if (error instanceof FileRefused) return { kind: 'refused', code: error.code, message: error.message };
    throw error;
  } finally {
    opened.close();
  }
};
