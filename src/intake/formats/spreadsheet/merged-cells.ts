import type { RawRow } from '../../types.ts';
import { createSpans } from './spans.ts';

/** A merged range; rows and columns from 0, both ends included. */
export interface MergedRange {
  top: number;
  bottom: number;
  left: number;
  right: number;
}

/**
 * Fills the cells of a merge below its first row with the text of its first cell, and annotates them. Only the leftmost
 * column of a merge gets the text. Rows must come in order; blank rows must not be passed, so they stay blank.
 */
export const createMergeFilling = (merges: readonly MergedRange[]): ((row: RawRow) => void) => {
  const waiting = merges.filter((merge) => merge.bottom > merge.top).sort((a, b) => a.top - b.top);
  if (waiting.length === 0) return () => {};
  const spans = createSpans();
  let next = 0;
  return (row) => {
    const at = row.rowNumber - 1;
    spans.startRow(row.rowNumber);
    spans.fill(row);
    for (; next < waiting.length && waiting[next]!.top <= at; next += 1) {
      const { top, bottom, left, right } = waiting[next]!;
      const text = row.cells[left] ?? '';
      // A merge that begins in a row without cells has no text.
      if (top === at) spans.add({ left, right, bottom: bottom + 1, text, annotation: undefined });
    }
  };
};
