import type { IntakeOptions } from '../options.ts';
import type { RawRow } from '../types.ts';
import { matchHeader } from './match-header.ts';

/** Why a table cannot be read: another table above it has lines that would be lost. Undefined if there is none. Pure. */
export const otherTableAbove = (
  titleRows: readonly RawRow[],
  headerRow: number,
  options: IntakeOptions,
): string | undefined => {
  // The account says where the header is.
  if (typeof options.header === 'number' || options.skipRows > 0) return undefined;
  for (const [at, row] of titleRows.entries()) {
    const below = titleRows[at + 1];
    if (!below) return undefined;
    const fields = new Set(matchHeader(row.cells, options).columns.map(({ field }) => field));
    const hasItem = fields.has('item_sku') || fields.has('item_id');
    if (!hasItem || !fields.has('quantity')) continue;
    const shown = row.cells
      .filter((cell) => cell.trim() !== '')
      .slice(0, 5)
      .map((cell) => `"${cell.trim().slice(0, 40).toWellFormed()}"`);
    return `Row ${row.rowNumber} is a header, too: ${shown.join(', ')}. The rows below it would not be read, because the header with all needed columns is in row ${headerRow}. Send both tables in files of their own, or remove the upper one.`;
  }
  return undefined;
};
