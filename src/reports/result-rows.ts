import { FileRefused } from '../errors.ts';
import type { IntakeOptions } from '../intake/options.ts';
import { isAnswerHeader } from '../intake/own-columns.ts';
import { type OpenedPurchaseFile, readPurchaseFile } from '../intake/read-purchase-file.ts';
import type { ColumnShape, DetectedColumn, RawRow } from '../intake/types.ts';
import { type AnsweredRow, answerRow } from './row-answer.ts';
import type { ResultLedger } from './types.ts';

/** A row of the dealer's file without our own columns, and its outcome. */
export interface ResultRow extends AnsweredRow {
  raw: RawRow;
  /** Cells beyond the header's columns. */
  surplus: string[];
}

export interface OpenedResult {
  /** The dealer's own columns in their order. */
  columns: DetectedColumn[];
  /** Their headers as the dealer wrote them; blank if missing. */
  headers: string[];
  /** Their widths and visibility, if the file defines them. */
  shapes: ColumnShape[];
  /** False: the file has no header, so its columns have positions only. */
  hasHeader: boolean;
  /** Row number of the header; 0 if there is none. */
  headerRow: number;
  titleRows: RawRow[];
  /** The rows below the header, in order, in batches; can be read once. */
  batches: AsyncIterable<ResultRow[]>;
  close(): void;
}

/** Removes our columns from a row; annotations stay with their cells. */
const keepColumns = (row: RawRow, kept: readonly number[] | undefined): RawRow => {
  if (!kept) return row;
  const width = Math.max(0, ...kept) + 1;
  const cells = kept.filter((at) => at < row.cells.length).map((at) => row.cells[at]!);
  const annotations = row.annotations?.flatMap((annotation) => {
    const column = kept.indexOf(annotation.column);
    return column < 0 ? [] : [{ ...annotation, column }];
  });
  return { ...row, cells: [...cells, ...row.cells.slice(width)], ...(annotations ? { annotations } : {}) };
};

const changedCopy = (ledger: ResultLedger, why: string, cause?: unknown) =>
  new Error(
    `The private copy of import ${ledger.facts.importId} (${ledger.facts.filePath}) has changed since the import: ${why}`,
    { cause },
  );

async function* answeredRows(
  opened: Extract<OpenedPurchaseFile, { kind: 'opened' }>,
  ledger: ResultLedger,
  kept: readonly number[] | undefined,
  width: number,
): AsyncGenerator<ResultRow[], void, undefined> {
  let rowCount = 0;
  try {
    for await (const batch of opened.batches) {
      const facts = await ledger.rowsBetween(batch[0]!.rowNumber, batch.at(-1)!.rowNumber);
      rowCount += batch.length;
      yield batch.map((row) => {
        const raw = keepColumns(row, kept);
        const surplus = raw.cells.slice(width);
        const own = { ...raw, cells: raw.cells.slice(0, width) };
        return { raw: own, surplus, ...answerRow(facts.get(row.rowNumber), ledger.facts.asOf) };
      });
    }
  } catch (error) {
    throw error instanceof FileRefused ? changedCopy(ledger, error.message, error) : error;
  }
  if (rowCount !== ledger.facts.rowCount)
    throw changedCopy(ledger, `it has ${rowCount} rows and had ${ledger.facts.rowCount}.`);
}

/**
 * Opens the dealer's file as it was first read, each row with its outcome. Memory does not grow with the file: outcomes
 * are read from the ledger for one batch of rows at a time.
 *
 * @throws Error if the private copy is missing or has changed; also while `batches` is read
 */
export const openResult = async (
  ledger: ResultLedger,
  file: { path: string; options: IntakeOptions },
): Promise<OpenedResult> => {
  const { facts } = ledger;
  const { detection } = facts;
  if (!detection) throw new Error(`Import ${facts.importId} was not read, so it has no rows.`);
  const opened = await readPurchaseFile({ ...file, fileName: facts.fileName, detection });
  if (opened.kind === 'refused') throw changedCopy(ledger, opened.message);
  const own = detection.columns.flatMap((column, at) => (isAnswerHeader(column.header) ? [] : [at]));
  const kept = own.length === detection.columns.length ? undefined : own;
  return {
    columns: own.map((at) => detection.columns[at]!),
    headers: own.map((at) => {
      const { header } = detection.columns[at]!;
      return header === `column ${at + 1}` ? '' : header;
    }),
    shapes: own.map((at) => opened.shapes[at] ?? {}),
    hasHeader: detection.headerRow !== null,
    headerRow: detection.headerRow ?? 0,
    titleRows: opened.titleRows.map((row) => keepColumns(row, kept)),
    batches: answeredRows(opened, ledger, kept, own.length),
    close: opened.close,
  };
};
