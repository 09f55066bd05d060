import type { CheckedRow, DetectedColumn, RawRow, RowIssue } from '../types.ts';
import { createRepeatNotes } from './repeated-lines.ts';
import { createSumNotes } from './split-quantities.ts';
import { createVariantNotes } from './variants.ts';

/** Something about lines beside each other that a person is told once for the whole file, and that changes no order. */
export interface LineNotes {
  /** Must be called for each row with the lines that it became, in the file's order. */
  see(row: RawRow, lines: readonly CheckedRow[]): void;
  /** At most one of each kind. */
  notes(): RowIssue[];
}

/**
 * Looks at the lines of all rows. Memory does not grow with the file.
 *
 * @param unread the columns that the account neither reads nor maps
 */
export const createLineNotes = (
  columns: readonly DetectedColumn[],
  unread: readonly DetectedColumn[],
): LineNotes => {
  const left = new Set(unread);
  const all = [createRepeatNotes, createVariantNotes, createSumNotes].map((create) => create(columns, left));
  return {
    see: (row, lines) => {
      for (const one of all) one.see(row, lines);
    },
    notes: () => all.flatMap((one) => one.notes()),
  };
};
