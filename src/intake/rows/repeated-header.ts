import { FileRefused } from '../../errors.ts';
import { type FieldName, headerKey, requiredFields, requiredInFile } from '../columns/fields.ts';
import { matchHeader } from '../columns/match-header.ts';
import { type Ranks, rankName, rankOthers } from '../columns/name-ranks.ts';
import type { IntakeOptions } from '../options.ts';
import type { DetectedColumn, RawRow } from '../types.ts';

/** From this rank on, a name means the field, unless another name in the row fits better. */
const leastRank = 3;
const longestName = 80;

/**
 * The fields of a row that consists of names of columns in any language that `cartwright map` knows; undefined for any
 * other row. At least two of PO number, item and quantity are named, and nothing is a number.
 */
const fieldsInWords = (
  cells: readonly string[],
  rankOf: (name: string) => Ranks,
): (FieldName | null)[] | undefined => {
  const filled = cells.filter((cell) => cell.trim() !== '');
  if (filled.length < 2 || filled.some((cell) => cell.length > longestName || !/\p{L}/u.test(cell)))
    return undefined;
  const ranks = cells.map(rankOf);
  const found: (FieldName | null)[] = cells.map(() => null);
  for (const field of requiredFields) {
    const best = Math.max(...ranks.map((rank) => rank[field]));
    const at = ranks.findIndex((rank, column) => rank[field] === best && found[column] === null);
    if (best >= leastRank && at >= 0) found[at] = field;
  }
  if (found.filter((field) => field !== null).length < 2) return undefined;
  return found.map((field, at) => field ?? rankOthers(cells[at]!)[0]?.field ?? null);
};

const itself = (field: FieldName | null | undefined) => (field === 'item_id' ? 'item_sku' : (field ?? null));

/**
 * Recognises a header among the rows below the first one, as in several exports concatenated into one file. Returns whether the row is the
 * same header again, with the same fields in the same columns.
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
  // Rows without a quantity mostly repeat the same texts.
  const known = new Map<string, Ranks>();
  const rankOf = (name: string): Ranks => {
    const ranks = known.get(name) ?? rankName(name);
    if (known.size < 1000) known.set(name, ranks);
    return ranks;
  };
  return ({ rowNumber, cells }) => {
    const cell = cells[at] ?? '';
    // A fast pre-check: a quantity is hardly ever text or blank.
    if (cell !== '' && !/^\s*(?:\p{L}|$)/u.test(cell)) return false;
    let others = matchHeader(cells, options).columns;
    const fields = new Set(others.map((column) => column.field));
    if (requiredInFile.filter((names) => names.some((name) => fields.has(name))).length < 2) {
      // The account's own names do not apply to another table in the same file.
      const words = fieldsInWords(cells, rankOf);
      if (!words) return false;
      others = others.map((column, position) => ({ ...column, field: words[position]! }));
    }
    const width = Math.max(columns.length, others.length);
    for (let position = 0; position < width; position += 1) {
      const first = columns[position];
      const other = others[position];
      if (itself(first?.field) === itself(other?.field)) continue;
      // The column may have lost its field for a reason other than its header.
      if (first && other && headerKey(first.header) === headerKey(other.header)) continue;
      throw new FileRefused(
        'header_differs',
        `Row ${rowNumber} is a header again, but its columns are not those of the header in row ${headerRow}: column ${position + 1} is ${first ? `"${first.header}"` : 'missing'} in row ${headerRow} and ${other ? `"${other.header}"` : 'missing'} in row ${rowNumber}. Give both tables the same columns, or send each in a file of its own.`,
      );
    }
    return true;
  };
};
