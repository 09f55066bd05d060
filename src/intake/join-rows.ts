import type { RawRow, Table, TableSource } from './types.ts';

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

/**
 * What a file has beside tables that are put together into one: rows above the headers of these tables, and the sheets that are none of
 * them. Pure.
 *
 * @param others the tables, with the rows of their headers, apart from that whose rows the new one keeps
 * @param kept that one
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
