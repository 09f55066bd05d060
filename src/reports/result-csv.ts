import { holdsNumber } from '../intake/columns/fields.ts';
import { answerColumns } from '../intake/own-columns.ts';
import type { DetectedColumn, Detection } from '../intake/types.ts';
import { writeCsvFile } from './csv-file.ts';
import { textEncodingFor } from './encode-text.ts';
import type { OpenedResult, ResultRow } from './result-rows.ts';

const blanks = (count: number): string[] => Array.from({ length: Math.max(0, count) }, () => '');

/**
 * Whether a column's plain numbers are written unchanged. An identifier such as -1001 is not, because spreadsheet programs
 * must read it as text.
 */
export const holdsNumbers = ({ field }: DetectedColumn): boolean => field === null || holdsNumber(field);

/**
 * A row of the dealer's with our columns to the right. A row with more or fewer cells than the header is an issue and
 * must still be one when the file is sent back: its extra cells, or a note about missing ones, follow our columns.
 */
const cellsOf = ({ raw, surplus, answer }: ResultRow, width: number): string[] => {
  const lacking = width - raw.cells.length;
  return [
    ...raw.cells,
    ...blanks(lacking),
    ...answerColumns.map(({ name }) => answer[name]),
    ...surplus,
    ...(lacking > 0 ? [`This row has ${raw.cells.length} of ${width} columns`] : []),
  ];
};

async function* rowsOf(result: OpenedResult): AsyncGenerator<string[][]> {
  const width = result.columns.length;
  let next = 1;
  // Blank lines are kept, so that row numbers in issues match this file too.
  const at = (rowNumber: number, cells: string[]): string[][] => {
    const rows = [...Array.from({ length: Math.max(0, rowNumber - next) }, () => ['']), cells];
    next = rowNumber + 1;
    return rows;
  };
  yield result.titleRows.flatMap((row) => at(row.rowNumber, row.cells));
  if (result.hasHeader) {
    yield at(result.headerRow, [...result.headers, ...answerColumns.map(({ header }) => header)]);
  }
  for await (const batch of result.batches) {
    yield batch.flatMap((row) => at(row.raw.rowNumber, cellsOf(row, width)));
  }
}

/** Writes a result as a CSV file in the dealer's own format. */
export const writeResultCsv = (path: string, result: OpenedResult, detection: Detection): Promise<void> =>
  writeCsvFile(
    path,
    rowsOf(result),
    {
      delimiter: detection.delimiter ?? ',',
      quoted: detection.quoted !== false,
      encoding: textEncodingFor(detection.encoding),
    },
    [...result.columns.map(holdsNumbers), ...answerColumns.map(({ numeric }) => numeric)],
  );
