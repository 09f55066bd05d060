import type { RawRow } from './types.ts';

/** A row with the cells of another one before its own, each with what the spreadsheet says about it. Pure. */
export const afterCells = (
  row: RawRow,
  before: Pick<RawRow, 'cells' | 'annotations'>,
  width: number,
): RawRow => {
  const cells = Array.from({ length: width }, (_, at) => before.cells[at] ?? '');
  const annotations = [
    ...(before.annotations ?? []).filter(({ column }) => column < width),
    ...(row.annotations ?? []).map((one) => ({ ...one, column: one.column + width })),
  ];
  return {
    ...row,
    cells: [...cells, ...row.cells],
    ...(annotations.length > 0 ? { annotations } : {}),
  };
};
