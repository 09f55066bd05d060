import { FileRefused } from '../errors.ts';
import { withoutAnswers } from './own-columns.ts';
import type { DetectedColumn, RawRow, TableSource } from './types.ts';

const refuseCutOff = (last: RawRow | undefined, width: number) => {
  if (!last || last.cells.length >= width) return;
  throw new FileRefused(
    'truncated_end',
    `The file ends in the middle of row ${last.rowNumber}, which has ${last.cells.length} of ${width} columns and no line end. The file was probably cut off during transfer; send it again.`,
  );
};

/**
 * The rows of a table from `firstRow` on, without the columns that our result files add. Can be read once, and closes the source.
 *
 * @throws FileRefused `truncated_end`, and what reading the source throws
 */
export async function* rowsBelow(
  source: TableSource,
  at: number,
  firstRow: number,
  columns: readonly DetectedColumn[],
): AsyncGenerator<RawRow[]> {
  const own = withoutAnswers(columns);
  try {
    let last: RawRow | undefined;
    const headers = columns.map(({ header }) => header);
    for await (const batch of source.rows(at, headers)) {
      last = batch.at(-1);
      const below =
        batch[0]!.rowNumber >= firstRow ? batch : batch.filter((row) => row.rowNumber >= firstRow);
      const rest = own(below);
      if (rest.length > 0) yield rest;
    }
    if (source.endsOpen) refuseCutOff(last, columns.length);
  } finally {
    source.close();
  }
}
