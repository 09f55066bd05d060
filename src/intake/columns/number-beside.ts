import type { NamedColumn } from './choose-column.ts';
import type { ColumnContent } from './column-content.ts';
import type { FieldName } from './fields.ts';
import { isOnly, readHeader } from './read-header.ts';

/** Whether each value of a column always has the same one beside it in the other, and several rows show it. */
const arePairs = (a: ColumnContent, b: ColumnContent): boolean => {
  const pairs = new Set(a.cells.map((cell, at) => JSON.stringify([cell, b.cells[at]])));
  return a.distinct === b.distinct && pairs.size === a.distinct && a.distinct > 1 && a.distinct < a.values;
};

/**
 * The column with the number that people know an order by, beside the ID that the shop's system gave it: `number` beside
 * `orderId`, with one value for each of the other's. Undefined if there is none. Pure.
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
