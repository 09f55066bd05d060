import { FileRefused } from '../../errors.ts';
import { type FieldName, headerKey } from '../columns/fields.ts';
import { matchHeader } from '../columns/match-header.ts';
import type { IntakeOptions } from '../options.ts';
import type { DetectedColumn, RawRow } from '../types.ts';

const telling: readonly FieldName[][] = [['po_number'], ['item_sku', 'item_id'], ['quantity']];

/**
 * Recognises a header among the rows below the first one: several exports that were put into one file. Returns whether
 * the row is the same header again, with the same fields in the same columns.
 *
 * The function throws FileRefused `header_differs` for a header with other columns, because the rows below it would be
 * read by the first one, with SKU and quantity swapped for example.
 */
export const createHeaderWatch = (
  columns: readonly DetectedColumn[],
  headerRow: number | null,
  options: IntakeOptions,
): ((row: RawRow) => boolean) => {
  if (headerRow === null) return () => false;
  const named = (field: FieldName) => columns.findIndex((column) => column.field === field);
  const at = named('quantity') >= 0 ? named('quantity') : named('po_number');
  if (at < 0) return () => false;
  return ({ rowNumber, cells }) => {
    const cell = cells[at] ?? '';
    // A quantity is hardly ever text or blank, and this test is faster than the one below it.
    if (cell !== '' && !/^\s*(?:\p{L}|$)/u.test(cell)) return false;
    const others = matchHeader(cells, options).columns;
    const fields = new Set(others.map((column) => column.field));
    if (telling.filter((names) => names.some((name) => fields.has(name))).length < 2) return false;
    const width = Math.max(columns.length, others.length);
    for (let position = 0; position < width; position += 1) {
      const first = columns[position];
      const other = others[position];
      if ((first?.field ?? null) === (other?.field ?? null)) continue;
      // The column may have lost its field for another reason than its header.
      if (first && other && headerKey(first.header) === headerKey(other.header)) continue;
      throw new FileRefused(
        'header_differs',
        `Row ${rowNumber} is a header again, but its columns are not those of the header in row ${headerRow}: column ${position + 1} is ${first ? `"${first.header}"` : 'missing'} in row ${headerRow} and ${other ? `"${other.header}"` : 'missing'} in row ${rowNumber}. Give both tables the same columns, or send each in a file of its own.`,
      );
    }
    return true;
  };
};
