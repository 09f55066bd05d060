import { FileRefused } from '../errors.ts';
import type { IntakeOptions } from '../intake/options.ts';
import { type OpenedPurchaseFile, readPurchaseFile } from '../intake/read-purchase-file.ts';
import type { ColumnShape, DetectedColumn, RawRow } from '../intake/types.ts';
import { isAnswerHeader } from './answer-columns.ts';
import { type AnsweredRow, answerRow } from './row-answer.ts';
import type { ResultLedger } from './types.ts';

/** A row of the dealer's file, without columns of ours that it came with, and what became of it. */
export interface ResultRow extends AnsweredRow {
  raw: RawRow;
  /** Cells beyond the header's columns. */
  surplus: string[];
}

export interface OpenedResult {
  /** The dealer's own columns in their order. */
  columns: DetectedColumn[];
  /** Their headers as the dealer wrote them; blank where there is none. */
  headers: string[];
  /** How they look, where the file says so. */
  shapes: ColumnShape[];
  /** False: the file has no header, and its columns only positions. */
  hasHeader: boolean;
  /** Row number of the header; 0 where there is none. */
  headerRow: number;
  titleRows: RawRow[];
  /** The rows below the header, in order, in batches; to be read once. */
  batches: AsyncIterable<ResultRow[]>;
  close(): void;
}

/** What is left of the cells without the columns of ours; marks keep to their cells. */
const keepColumns = (row: RawRow, kept: readonly number[] | undefined): RawRow => {
  if (!kept) return row;
  const width = Math.max(0, ...kept) + 1;
  const cells = kept.filter((at) => at < row.cells.length).map((at) => row.cells[at]!);
  const marks = row.marks?.flatMap((mark) => {
    const column = kept.indexOf(mark.column);
    return column < 0 ? [] : [{ ...mark, column }];
  });
  return { ...row, cells: [...cells, ...row.cells.slice(width)], ...(marks ? { marks } : {}) };
};

const changedCopy = (ledger: ResultLedger, why: string, cause?: unknown) =>
  new Error(
    `the private copy of import ${ledger.facts.importId} (${ledger.facts.filePath}) is no longer what was read: ${why}`,
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
    throw changedCopy(ledger, `it has ${rowCount} rows and had ${ledger.facts.rowCount}`);
}

/**
 * Opens the dealer's file as it was read the first time, each row with what became of it. Memory does not grow with
 * the file: the ledger is asked for as many rows as are read at a time.
 *
 * @throws Error when the private copy is gone or no longer what was read; also while `batches` is read
 */
export const openResult = async (
  ledger: ResultLedger,
  file: { path: string; options: IntakeOptions },
): Promise<OpenedResult> => {
  const { facts } = ledger;
  const { detection } = facts;
  if (!detection) throw new Error(`import ${facts.importId} was not read, so it has no rows to answer`);
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
