import type { NamedColumn } from './choose-column.ts';
import type { ColumnContent } from './column-content.ts';
import type { FieldName } from './fields.ts';
import { isOnly, readHeader } from './read-header.ts';

/** Whether the values of two columns map one-to-one, confirmed by several rows. */
const arePairs = (a: ColumnContent, b: ColumnContent): boolean => {
  const pairs = new Set(a.cells.map((cell, at) => JSON.stringify([cell, b.cells[at]])));
  return a.distinct === b.distinct && pairs.size === a.distinct && a.distinct > 1 && a.distinct < a.values;
};

/**
 * The column with the human-readable order number beside the shop system's internal ID: `number` beside `orderId`, mapping one-to-one.
 * Undefined if there is none. Pure.
 */
export const numberBeside = (
  { column, header }: { column: number; header: string },
  columns: readonly NamedColumn[],
  taken: ReadonlyMap<number, FieldName | null>,
): number | undefined => {
  const { meanings } = readHeader(header);
  if (!meanings.has('id') || meanings.has('number')) return undefined;
  const ids = columns[column]!.content;
  const at = columns.findIndex((one, other) => {
    const words = readHeader(one.header);
    const isNumber = words.meanings.has('number') && isOnly(words, 'number', 'order', 'shop');
    return other !== column && !taken.has(other) && isNumber && arePairs(ids, one.content);
  });
  return at < 0 ? undefined : at;
};
