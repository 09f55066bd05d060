import type { CellAnnotation, CellAnnotationKind, RawRow } from '../../types.ts';

/** The value of a cell as text, with what is known about it. */
export interface CellText {
  text: string;
  annotation?: CellAnnotationKind;
  /** With the annotation `formatted`: the plain number. */
  number?: string;
  /** With the annotation `date`, where the cell has a number. */
  date?: CellAnnotation['date'];
}

/** Puts a value into a row, with what is known about it. */
export const putCell = (row: RawRow, column: number, { text, annotation, number, date }: CellText): void => {
  while (row.cells.length < column) row.cells.push('');
  row.cells[column] = text;
  if (!annotation) return;
  row.annotations ??= [];
  row.annotations.push({
    column,
    kind: annotation,
    ...(number === undefined ? {} : { number }),
    ...(date === undefined ? {} : { date }),
  });
};

/** Whether nothing is in a row, and nothing is to be said of its cells. */
export const isBlankRow = ({ cells, annotations }: RawRow): boolean =>
  cells.every((cell) => cell.trim() === '') && !annotations;
