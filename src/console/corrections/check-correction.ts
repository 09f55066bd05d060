import { extname } from 'node:path';
import type pg from 'pg';
import type { z } from 'zod';
import type {
  CorrectedRow,
  CorrectionCheck,
  correctionCheck,
  MarkedCell,
} from '../../api-contract/corrections.ts';
import type { Account } from '../../config/config.ts';
import { correctedReading } from '../../intake/file-reading.ts';
import { fitName } from '../../intake/inbox/file-names.ts';
import { cleanCell } from '../../intake/rows/clean-cell.ts';
import { codesOfWholeRow, leftOutCodes } from '../../intake/rows/row-issue.ts';
import { listLayouts } from '../../ledger/layouts.ts';
import { plainCsv, writeCsvFile } from '../../reports/csv-file.ts';
import { holdsNumbers } from '../../reports/result-csv.ts';
import { previewFile } from '../uploads/preview-file.ts';
import { columnAt, type OpenedCorrection } from './open-correction.ts';

/** The first row below the header. */
export const firstRow = 2;

/** Maximum number of issues and POs; enough for all rows of a grid. */
const most = 10_000;

/** Bytes reserved for making the name unique. */
const reservedBytes = 60;
const ending = ' corrected';

/** `night corrected.csv`, even if it was corrected before. */
export const nameOfCorrected = (fileName: string): string => {
  const stem = fileName.slice(0, fileName.length - extname(fileName).length);
  const first = stem.endsWith(ending) ? stem.slice(0, -ending.length) : stem;
  return fitName(first, `${ending}.csv`, reservedBytes);
};

/** Notes about rows that are not ordered unchanged. */
const shownNotes: ReadonlySet<string> = new Set([...leftOutCodes, 'pieces_counted', 'question']);

export const isBlankRow = ({ cells }: CorrectedRow): boolean => cells.every((cell) => cell.trim() === '');

/** Writes rows as a file that is read like the original. */
export const writeCorrectedRows = (
  path: string,
  { columns }: Pick<OpenedCorrection, 'columns'>,
  rows: readonly CorrectedRow[],
): Promise<void> => {
  async function* all(): AsyncGenerator<string[][]> {
    yield [columns.map(({ header }) => header), ...rows.map(({ cells }) => cells)];
  }
  return writeCsvFile(path, all(), plainCsv, columns.map(holdsNumbers));
};

/** The row numbers in the file; added rows follow the others. */
const numberRows = (opened: OpenedCorrection, rows: readonly CorrectedRow[]): number[] => {
  const ofFile = new Set(opened.rows.map(({ rowNumber }) => rowNumber));
  let last = Math.max(firstRow, ...ofFile);
  return rows.map(({ rowNumber }) => {
    if (rowNumber !== null && ofFile.delete(rowNumber)) return rowNumber;
    last += 1;
    return last;
  });
};

/** Issues that only the file showed, for cells that nobody has changed or accepted since. */
const listAsked = (opened: OpenedCorrection, rows: readonly CorrectedRow[]): MarkedCell[] => {
  const before = new Map(opened.rows.map(({ rowNumber, cells }) => [rowNumber, cells]));
  const poAt = columnAt(opened.columns, 'po_number');
  return rows.flatMap(({ rowNumber, cells, accepted = [] }, row): MarkedCell[] => {
    const was = rowNumber === null ? undefined : before.get(rowNumber);
    if (!was) return [];
    const isChanged = (at: number) => (was[at] ?? '') !== cells[at];
    const { beyondText = [] } = opened.ledgerRows.get(rowNumber!) ?? {};
    return beyondText.flatMap(({ column: name, code, message, expected }) => {
      const column = columnAt(opened.columns, name) ?? poAt!;
      const isSettled = codesOfWholeRow.includes(code)
        ? cells.some((_, at) => isChanged(at))
        : isChanged(column);
      return isSettled || accepted.includes(column)
        ? []
        : [{ row, column, message, expected, kind: 'asks' as const }];
    });
  });
};

/** The lines refused by the service that are not changed yet. */
const listRefused = (opened: OpenedCorrection, rows: readonly CorrectedRow[]): MarkedCell[] => {
  const before = new Map(opened.rows.map(({ rowNumber, cells }) => [rowNumber, cells]));
  const column = columnAt(opened.columns, 'item_sku') ?? columnAt(opened.columns, 'item_id');
  return rows.flatMap(({ rowNumber, cells }, row): MarkedCell[] => {
    const refusal = rowNumber === null ? null : opened.ledgerRows.get(rowNumber)?.refusal;
    if (!refusal || before.get(rowNumber!)?.some((cell, at) => cell !== cells[at])) return [];
    const message = `The service refused this line: ${refusal}`;
    return [{ row, column, message, expected: null, kind: 'wrong' }];
  });
};

export interface CheckedRows {
  check: z.input<typeof correctionCheck>;
  /** The PO of each row, by its index; undefined: none. */
  poOf: (string | undefined)[];
}

/**
 * Checks rows by reading a file with them, like an import; stores nothing.
 *
 * @param path where to write the file, which the caller removes
 */
export const checkCorrection = async (
  { pool, account, path }: { pool: pg.Pool; account: Account; path: string },
  opened: OpenedCorrection,
  rows: readonly CorrectedRow[],
  signal: AbortSignal,
): Promise<CheckedRows> => {
  await writeCorrectedRows(path, opened, rows);
  const numbers = numberRows(opened, rows);
  const places = new Map(numbers.map((rowNumber, place) => [rowNumber, place]));
  const placeOf = (rowNumber: number): number => places.get(rowNumber) ?? 0;
  const inFile = <Row extends { rowNumber: number }>(row: Row): Row => ({
    ...row,
    rowNumber: numbers[row.rowNumber - firstRow] ?? row.rowNumber,
  });
  const poOf: (string | undefined)[] = rows.map(() => undefined);
  const { answer } = await previewFile(
    pool,
    account,
    { path, fileName: nameOfCorrected(opened.from.fileName), sha256: '', replaces: null },
    correctedReading(account.intake, opened),
    await listLayouts(pool, account.name),
    [],
    signal,
    {
      most,
      // Reasons from the ledger refer to rows by number.
      beside: (stage) => ({
        add: (checked, issues) => {
          for (const { rowNumber, poNumber } of checked) poOf[rowNumber - firstRow] = poNumber;
          return stage.add(checked.map(inFile), issues.map(inFile));
        },
      }),
    },
  );
  if (answer.kind === 'refused') return { check: { kind: 'refused', message: answer.message }, poOf };
  const poAt = columnAt(opened.columns, 'po_number')!;
  // A row that is not a line may name its PO, such as an order's row above its lines.
  for (const [place, { cells }] of rows.entries())
    poOf[place] ??= cleanCell(cells[poAt] ?? '', 'identifier').text || undefined;
  const asked = listAsked(opened, rows);
  const asking = new Map(asked.map((one) => [poOf[one.row], one]));
  const purchaseOrders = answer.purchaseOrders.map(({ poNumber, outcome, reason, lineCount, pieces }) => {
    const ask = asking.get(poNumber);
    const isAsked = ask !== undefined && (outcome === 'ready' || outcome === 'held');
    return {
      ...{ poNumber, lineCount, pieces },
      outcome: isAsked ? ('rejected' as const) : outcome,
      reason: isAsked ? ask.message : reason,
    };
  });
  const marks = answer.issues.flatMap(
    ({ rowNumber, severity, column, code, message, expected }): MarkedCell[] => {
      const isNote = severity === 'note';
      if (isNote && !shownNotes.has(code)) return [];
      const kind = isNote ? 'note' : 'wrong';
      return [
        {
          row: placeOf(rowNumber),
          column: columnAt(opened.columns, column),
          message,
          expected: expected ?? null,
          kind,
        },
      ];
    },
  );
  return {
    check: {
      kind: 'read',
      marks: [...marks, ...asked, ...listRefused(opened, rows)],
      purchaseOrders,
      orderable: purchaseOrders.filter(({ outcome }) => outcome === 'ready' || outcome === 'held').length,
      sums: { lines: answer.sums.lines, pieces: answer.sums.pieces, goods: answer.sums.goods ?? null },
    },
    poOf,
  };
};

/** Whether a PO of a check can be ordered. */
export const orderableOf = (check: Extract<CorrectionCheck, { kind: 'read' }>): Set<string> =>
  new Set(
    check.purchaseOrders.flatMap(({ poNumber, outcome }) =>
      outcome === 'ready' || outcome === 'held' ? [poNumber] : [],
    ),
  );
