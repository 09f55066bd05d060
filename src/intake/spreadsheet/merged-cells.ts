import type { RawRow } from '../types.ts';
import type { MergedRange } from './survey-sheet.ts';

/**
 * Fills the cells that a merge covers below its first row with the text of its first cell, and marks them. Rows come
 * in order; a row that has nothing of its own stays blank. Only the leftmost column of a merge has a value.
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
      row.marks = [...(row.marks ?? []), { column: merge.left, mark: 'filled' }];
    }
    for (; next < waiting.length && waiting[next]!.top <= at; next += 1) {
      const merge = waiting[next]!;
      // A merge that began on a row without cells has nothing to fill with.
      if (merge.top === at && merge.bottom > at) active.push({ merge, text: row.cells[merge.left] ?? '' });
    }
  };
};
