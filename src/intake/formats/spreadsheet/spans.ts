import type { CellAnnotationKind, RawRow } from '../../types.ts';
import { putCell } from './cell-text.ts';

/** A cell that covers several columns or rows. Columns from 0, rows as in `RawRow`; both ends included. */
interface Span {
  left: number;
  right: number;
  bottom: number;
  text: string;
  annotation: CellAnnotationKind | undefined;
}

/** Annotations that make a value unusable, so they also apply to the rows below. */
const carried = new Set<CellAnnotationKind>(['date', 'error', 'raised', 'struck', 'unclear', 'unevaluated']);

/** Tracks cells that span later rows, for formats that declare the span where the cell begins. */
export const createSpans = () => {
  let open: Span[] = [];
  let added: Span[] = [];
  /** Whether a cell that begins in a row above covers one of these columns. */
  const covers = (left: number, right: number) =>
    open.some((span) => span.left <= right && left <= span.right);
  return {
    startRow: (rowNumber: number): void => {
      if (open.length + added.length > 0) {
        open = [...open, ...added].filter((span) => span.bottom >= rowNumber);
        added = [];
      }
    },
    covers,
    /** The first column, from this one on, that is not covered from above. */
    nextFree: (from: number): number => {
      let column = from;
      while (covers(column, column)) column += 1;
      return column;
    },
    /** Adds a cell of the current row; it counts from the next row on. */
    add: (span: Span) => void added.push(span),
    /** Puts the text of cells from above into their leftmost column of this row, where it is blank, and annotates it. */
    fill: (row: RawRow): void => {
      for (const { left, text, annotation } of open) {
        if ((row.cells[left] ?? '') !== '') continue;
        const kind = annotation && carried.has(annotation) ? annotation : 'filled';
        if (text !== '' || kind !== 'filled') putCell(row, left, { text, annotation: kind });
      }
    },
    /** Ends all cells: they do not reach beyond their group of rows. */
    clear: (): void => {
      open = [];
      added = [];
    },
  };
};
