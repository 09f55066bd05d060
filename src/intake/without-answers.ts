import { isAnswerHeader } from '../reports/answer-columns.ts';
import type { DetectedColumn, RawRow } from './types.ts';

/**
 * Takes what a result file says out of rows that come back with it, so that only the dealer's own cells count: a row
 * of which nothing else is left is blank and goes. Cells keep their places.
 */
export const withoutAnswers = (columns: readonly DetectedColumn[]): ((rows: RawRow[]) => RawRow[]) => {
  const ours = new Set(columns.flatMap(({ header }, at) => (isAnswerHeader(header) ? [at] : [])));
  if (ours.size === 0) return (rows) => rows;
  return (rows) => {
    for (const row of rows) {
      for (const at of ours) if (at < row.cells.length) row.cells[at] = '';
      if (row.marks) row.marks = row.marks.filter(({ column }) => !ours.has(column));
    }
    return rows.filter((row) => row.marks?.length || row.cells.some((cell) => cell.trim() !== ''));
  };
};
