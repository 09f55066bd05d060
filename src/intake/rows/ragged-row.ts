import type { DetectedColumn, RawRow, RowIssue } from '../types.ts';

/** What is said of a row whose cells are probably shifted. */
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

/** What is said of a row that has another number of cells than the header. Pure. */
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
 * Finds values below the blank end of a header, where the rows above have none: the cells of such a row are probably shifted. Must be
 * called for each row, in order.
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
