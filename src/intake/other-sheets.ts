import type { TableToRead } from './chosen-table.ts';
import { findLayout } from './columns/find-layout.ts';
import { isOwnSheet } from './own-columns.ts';
import { listed, quoted } from './quoted.ts';
import { noteAt } from './rows/row-issue.ts';
import type { RawRow, RowIssue, Table, TableSource } from './types.ts';

export interface OtherSheets {
  /** Unread sheets that have rows, with their first rows; hidden ones only if they could hold orders. */
  otherSheets: { name: string; rows: readonly RawRow[]; hidden: boolean }[];
  /** The names of other hidden sheets whose rows could be lines, whatever their headers. */
  hiddenSheets: string[];
}

/** A row with a number and as many cells as an order line; a drop-down list has fewer. */
const couldBeLine = ({ cells }: RawRow): boolean =>
  cells.filter((cell) => cell.trim() !== '').length >= 3 &&
  cells.some((cell) => /^\d{1,7}$/.test(cell.trim()));

/** The unread sheets of a file; none if the account names the sheet to read. Pure. */
export const otherSheets = (
  { tables, beside }: TableSource,
  { table, options }: TableToRead,
): OtherSheets => {
  if (!beside && options.sheet !== undefined) return { otherSheets: [], hiddenSheets: [] };
  const others = (beside?.tables ?? tables).filter(
    (one) => one !== table && one.head.length > 0 && !isOwnSheet(one),
  );
  // Hidden sheets often hold drop-down lists.
  const isAsked = (one: Table) => !one.hidden || findLayout(one, options).search.kind === 'found';
  return {
    otherSheets: others.filter(isAsked).map(({ name = '', head, hidden }) => ({ name, rows: head, hidden })),
    hiddenSheets: others.flatMap((one) =>
      !isAsked(one) && one.head.some(couldBeLine) ? [one.name ?? ''] : [],
    ),
  };
};

/** Notes about such hidden sheets, so that orders on them are not missed. Pure. */
export const hiddenSheetNotes = (names: readonly string[], headerRow: number | null): RowIssue[] => {
  if (names.length === 0) return [];
  const [sheets, are, them] = names.length === 1 ? ['sheet', 'is', 'it'] : ['sheets', 'are', 'them'];
  const message = `The ${sheets} ${listed(names.map(quoted), 3)} ${are} hidden and not read. If there are orders on ${them}, show ${them} and send the file again.`;
  return [noteAt(headerRow ?? 1, undefined, '', 'hidden_sheet', message)];
};
