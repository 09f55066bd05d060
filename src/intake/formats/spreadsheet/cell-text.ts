import type { CellAnnotation, CellAnnotationKind, RawRow } from '../../types.ts';

/** The value of a cell as text, with its annotation. */
export interface CellText {
  text: string;
  annotation?: CellAnnotationKind;
  /** With the annotation `formatted`: the plain number. */
  number?: string;
  /** With the annotation `date`, if the cell has a number. */
  date?: CellAnnotation['date'];
}

/** Puts a value into a row, with its annotation. */
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

/** Whether a row has no values and no annotations. */
export const isBlankRow = ({ cells, annotations }: RawRow): boolean =>
  cells.every((cell) => cell.trim() === '') && !annotations;
