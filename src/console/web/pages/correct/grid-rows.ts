import type {
  CorrectedRow,
  CorrectionAnswer,
  CorrectionColumn,
} from '../../../../api-contract/corrections.ts';

/** A row of the grid, with a stable key. */
export interface GridRow {
  key: string;
  /** Number in the file; null: the person added the row. */
  rowNumber: number | null;
  cells: string[];
  /** Columns with a question whose values the person accepted. */
  accepted: number[];
}

/** The grid with a person's corrections so far. */
export interface Grid {
  columns: CorrectionColumn[];
  rows: GridRow[];
  /** Number of rows added so far, for their keys. */
  added: number;
}

/** The position of a cell. */
export interface Place {
  row: number;
  column: number;
}

export const gridOf = ({ columns, rows }: CorrectionAnswer): Grid => ({
  columns,
  rows: rows.map(({ rowNumber, cells }) => ({ key: `row ${rowNumber}`, rowNumber, cells, accepted: [] })),
  added: 0,
});

/** The differences from the rows in the file. */
export interface GridChanges {
  cells: number;
  added: number;
  removed: number;
}

/** The cells of the file, by row key. */
export type CellsOfFile = ReadonlyMap<string, readonly string[]>;

export const cellsOfFile = (answer: CorrectionAnswer): CellsOfFile =>
  new Map(gridOf(answer).rows.map(({ key, cells }) => [key, cells]));

/** Pure. */
export const changesOf = ({ rows }: Grid, ofFile: CellsOfFile): GridChanges => {
  const kept = rows.filter(({ key }) => ofFile.has(key));
  const changed = ({ key, cells }: GridRow) =>
    cells.filter((cell, at) => cell !== (ofFile.get(key)![at] ?? '')).length;
  return {
    cells: kept.reduce((sum, row) => sum + changed(row), 0),
    added: rows.length - kept.length,
    removed: ofFile.size - kept.length,
  };
};

const newRow = (grid: Grid): Grid => ({
  ...grid,
  rows: [
    ...grid.rows,
    { key: `new ${grid.added}`, rowNumber: null, cells: grid.columns.map(() => ''), accepted: [] },
  ],
  added: grid.added + 1,
});

/** The PO number column; the first column if there is none. */
export const poColumnOf = ({ columns }: Grid): number =>
  Math.max(
    0,
    columns.findIndex(({ field }) => field === 'po_number'),
  );

/** Adds a row below the last one, prefilled with its PO number. Pure. */
export const addRow = (grid: Grid): Grid => {
  const poAt = grid.columns.findIndex(({ field }) => field === 'po_number');
  const po = grid.rows.at(-1)?.cells[poAt];
  const more = newRow(grid);
  const last = more.rows.at(-1)!;
  return po === undefined ? more : setCells(more, [{ row: more.rows.indexOf(last), column: poAt, text: po }]);
};

export const removeRow = (grid: Grid, row: number): Grid => ({ ...grid, rows: grid.rows.toSpliced(row, 1) });

export const addColumn = (grid: Grid, column: CorrectionColumn): Grid => ({
  ...grid,
  columns: [...grid.columns, column],
  rows: grid.rows.map((row) => ({ ...row, cells: [...row.cells, ''] })),
});

/** Unchanged rows keep their identity, so that they do not rerender. Pure. */
export const setCells = (grid: Grid, cells: readonly (Place & { text: string })[]): Grid => {
  const rows = [...grid.rows];
  let isChanged = false;
  for (const { row, column, text } of cells) {
    const before = rows[row];
    if (!before || before.cells[column] === text) continue;
    rows[row] = { ...before, cells: before.cells.with(column, text) };
    isChanged = true;
  }
  return isChanged ? { ...grid, rows } : grid;
};

export const acceptCell = (grid: Grid, { row, column }: Place): Grid => ({
  ...grid,
  rows: grid.rows.with(row, { ...grid.rows[row]!, accepted: [...grid.rows[row]!.accepted, column] }),
});

/**
 * Writes pasted cells from a position on, and adds rows if needed. Pure.
 *
 * @param shown the shown columns in order; others are skipped
 */
export const pasteCells = (
  grid: Grid,
  { row, column }: Place,
  pasted: readonly (readonly string[])[],
  shown: readonly number[],
  mostRows: number,
): Grid => {
  const first = shown.indexOf(column);
  let all = grid;
  while (all.rows.length < Math.min(row + pasted.length, mostRows)) all = newRow(all);
  return setCells(
    all,
    pasted.flatMap((cells, down) =>
      cells.flatMap((text, right) => {
        const at = shown[first + right];
        return at === undefined ? [] : [{ row: row + down, column: at, text }];
      }),
    ),
  );
};

/** The rows in the form of a request. */
export const givenRows = ({ rows }: Grid): CorrectedRow[] =>
  rows.map(({ rowNumber, cells, accepted }) => ({
    rowNumber,
    cells,
    ...(accepted.length > 0 ? { accepted } : {}),
  }));
