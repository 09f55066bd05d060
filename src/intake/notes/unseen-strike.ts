import { noteAt } from '../rows/row-issue.ts';
import type { RowIssue, Table } from '../types.ts';

/** Warns once that struck-out lines may be read as ordinary ones in this file. Pure. */
export const unseenStrikeNotes = (why: Table['unseenStrike'], headerRow: number | null): RowIssue[] => {
  if (why === undefined) return [];
  const message =
    why === 'format'
      ? 'The workbook may have text that is struck out, which cannot be seen in files of this format (.xls, .xlsb). Lines that are struck out are not skipped. If there are any, remove them, or save the workbook as .xlsx.'
      : 'The workbook strikes out cells by a conditional format, which is not read. Lines that it strikes out are not skipped. If there are any, remove them.';
  return [noteAt(headerRow ?? 1, undefined, '', 'strike_not_seen', message)];
};
