import type { RawRow } from '../../types.ts';

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
  let next = 0;
  let active: { merge: MergedRange; text: string }[] = [];
  return (row) => {
    const at = row.rowNumber - 1;
    active = active.filter(({ merge }) => merge.bottom >= at);
    for (const { merge, text } of active) {
      if (text === '' || (row.cells[merge.left] ?? '') !== '') continue;
      while (row.cells.length <= merge.left) row.cells.push('');
      row.cells[merge.left] = text;
      row.annotations = [...(row.annotations ?? []), { column: merge.left, kind: 'filled' }];
    }
    for (; next < waiting.length && waiting[next]!.top <= at; next += 1) {
      const merge = waiting[next]!;
      // A merge that begins in a row without cells has no text.
      if (merge.top === at && merge.bottom > at) active.push({ merge, text: row.cells[merge.left] ?? '' });
    }
  };
};
