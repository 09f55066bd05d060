import type { RawRow, Table, TableSource } from './types.ts';

/** Prepends the cells of another row, with their annotations. Pure. */
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

/**
 * The content besides combined tables: rows above their headers, and the other sheets. Pure.
 *
 * @param others the combined tables with their header rows, except for `kept`
 * @param kept the table whose rows the combined one keeps
 */
export const besideTables = (
  { tables }: Pick<TableSource, 'tables'>,
  others: readonly { table: Table; headerRow: number }[],
  kept: readonly Table[],
): NonNullable<TableSource['beside']> => {
  const read = new Set([...kept, ...others.map(({ table }) => table)]);
  return {
    titleRows: others.flatMap(({ table, headerRow }) =>
      table.head
        .filter(({ rowNumber }) => rowNumber < headerRow)
        .map((row) => ({ ...row, from: `Sheet "${table.name}", row ${row.rowNumber}` })),
    ),
    tables: tables.filter((table) => !read.has(table)),
  };
};
