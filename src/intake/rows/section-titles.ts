import type { RawRow } from '../types.ts';
import { isGoneTitle } from './gone-words.ts';
import { saysOff } from './off-remarks.ts';

/** The text of a row with nothing else, as a title has it; undefined for any other row. Pure. */
const titleOf = ({ cells }: RawRow): string | undefined => {
  let title: string | undefined;
  for (const cell of cells) {
    if (cell === '' || cell.trim() === '') continue;
    if (title !== undefined) return undefined;
    title = cell.trim();
  }
  return title;
};

export interface SectionWatch {
  /** Must be called for each row, in order. @returns whether the row has only one filled cell, as a title has */
  see(row: RawRow): boolean;
  /** Why a line of the current row may be no order; undefined if no title above it says so. */
  doubt(): string | undefined;
}

/** Looks for titles between the rows that say that those below them are no orders (`Returns`, `Cancelled orders:`). */
export const createSectionWatch = (): SectionWatch => {
  let section: { title: string; rowNumber: number } | undefined;
  const see = (row: RawRow) => {
    const title = titleOf(row);
    if (title === undefined) return false;
    section =
      isGoneTitle(title) || saysOff(title)
        ? { title: title.slice(0, 60).toWellFormed(), rowNumber: row.rowNumber }
        : undefined;
    return true;
  };
  const doubt = () =>
    section &&
    `Row ${section.rowNumber} above says "${section.title}", so this line may be no order. Send such rows in a file of their own, or not at all; if they are orders, remove row ${section.rowNumber}.`;
  return { see, doubt };
};
