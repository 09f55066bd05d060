import { isRequired } from '../columns/fields.ts';
import type { DetectedColumn, RawRow, RowIssue } from '../types.ts';

/** The issue of a row whose cells are probably shifted. */
type RaggedRow = Pick<RowIssue, 'column' | 'message' | 'found' | 'expected'>;

/** A row without a line, which only names its PO. */
export const noLine = {
  itemSku: undefined,
  itemId: undefined,
  quantity: undefined,
  note: undefined,
  expectedPrice: undefined,
  options: '{}',
};

const inColumns = (count: number) => (count === 1 ? '1 column' : `${count} columns`);

/** The issue of a row whose number of cells differs from the header's. Pure. */
export const raggedRow = ({ cells }: RawRow, width: number): Omit<RaggedRow, 'column'> => ({
  message: `The row has ${inColumns(cells.length)} but the header has ${width}. A value may contain the separator or a line break without quotes, which shifts the cells after it.`,
  found: cells
    .map((cell) => cell.slice(0, 40))
    .join(' | ')
    .slice(0, 200)
    .toWellFormed(),
  expected: inColumns(width),
});

/**
 * Finds values below the blank end of a header where the rows above have none; the cells of such a row are probably shifted. Must be called
 * for each row, in order.
 */
export const createWidthWatch = (
  columns: readonly DetectedColumn[],
): ((row: RawRow) => RaggedRow | undefined) => {
  const named = columns.findLastIndex(({ header }, at) => header !== `column ${at + 1}`);
  const unnamed = columns.map((_, at) => at).slice(named + 1);
  const filled = new Map<number, number>();
  let rows = 0;
  if (unnamed.length === 0) return () => undefined;
  return ({ cells }) => {
    rows += 1;
    let odd: number | undefined;
    for (const at of unnamed) {
      if ((cells[at] ?? '').trim() === '') continue;
      const before = filled.get(at) ?? 0;
      if (rows > 1 && before * 2 < rows - 1) odd ??= at;
      filled.set(at, before + 1);
    }
    if (odd === undefined) return undefined;
    return {
      column: columns[odd]!.header,
      message: `The row has a value in column ${odd + 1}, which has no header and is blank in the rows above. A value may contain the separator without quotes, which shifts the cells after it. Put quotes around it, or give the column a header.`,
      found: cells[odd]!.slice(0, 200).toWellFormed(),
      expected: 'a blank cell',
    };
  };
};

const kindOf = (text: string) =>
  text.trim() === '' ? 'blank' : !/\d/.test(text) ? 'letters' : /\p{L}/u.test(text) ? 'mixed' : 'digits';

/** Recognises the rest of a row that was split by a line break, on the row below the short one. */
export const createShortRowWatch = (columns: readonly DetectedColumn[]) => {
  const watched = columns.flatMap(({ field }, at) => (isRequired(field) ? [at] : []));
  let short: RawRow | undefined;
  return {
    /** Must be called for each row with fewer cells than the header. */
    see: (row: RawRow): void => {
      short = row;
    },
    /** Why the row may be the rest of the short one above it. Must be called for each other row with a PO number, in order. */
    judge: (row: RawRow): string | undefined => {
      if (short === undefined) return undefined;
      const { cells, rowNumber } = short;
      short = undefined;
      const differs = watched.some((at) => {
        const [before, own] = [kindOf(cells[at] ?? ''), kindOf(row.cells[at] ?? '')];
        return before !== 'blank' && before !== own;
      });
      return differs
        ? `Row ${rowNumber} above has too few columns, and this row is written in another way, so it may be the rest of that row, which a line break has cut. Put quotes around the value with the line break, or remove the break.`
        : undefined;
    },
  };
};
