import { withoutNames } from '../rows/item-codes.ts';
import { chooseColumn, type NamedColumn, quote, sameCells, threshold } from './choose-column.ts';
import { type ColumnContent, describeContent } from './column-content.ts';
import { sayField } from './field-words.ts';
import { type FieldName, headerKey, type RequiredField } from './fields.ts';
import { findProducts } from './find-products.ts';
import { rankName, rankOthers } from './name-ranks.ts';
import { orderTotal, twiceInOrders } from './order-rows.ts';
import { readHeader } from './read-header.ts';
import { type Weight, weighItem, weighPo, weighQuantity } from './weigh-values.ts';
import { addressesOfOthers } from './whose-address.ts';

/** A column that holds a field, by its name and its values. */
export interface WeighedColumn {
  column: number;
  field: FieldName;
  /** Name and values leave no doubt; otherwise a person must confirm it. */
  certain: boolean;
  /** The reason, as a phrase for a person. */
  why: string;
}

export interface Weighed {
  columns: WeighedColumn[];
  /** For each required field without a column: why none was chosen. */
  doubts: Partial<Record<RequiredField, string>>;
  /** For each of them the possible columns, likeliest first. */
  candidates: Partial<Record<RequiredField, number[]>>;
}

/** `Total Qty` and `Units` may belong to a line or to the whole order. */
const lineAmount = 6;

const isBarePrice = (header: string): boolean => {
  const { meanings } = readHeader(header);
  return meanings.size === 1 && meanings.has('price');
};
/** Below the lines of a form, the price column may also contain words such as `Subtotal`. */
const isPriced = ({ decimals, counts, cells, values }: ColumnContent): boolean =>
  decimals + counts >= 0.5 ||
  cells.filter((cell) => /^\D{0,4}\d[\d.,' ]*\D{0,5}$/.test(cell)).length >= values * 0.5;
/** Location codes have seven characters and no adjacent lower-case letters. */
const areNames = ({ cells, values }: ColumnContent): boolean =>
  values > 0 && cells.every((cell) => cell === '' || /\p{Ll}{2}/u.test(cell));

const isTotal = (header: string): boolean => readHeader(header).meanings.has('amount');

/** `Num`, `No.` */
const isBareNumber = (header: string): boolean => {
  const { meanings } = readHeader(header);
  return meanings.size === 1 && meanings.has('number');
};

/**
 * Weighs name and values of every column against what an order needs. No column is chosen by values alone; uncertain ones need a person's
 * confirmation; and if two columns are possible, none is chosen. Pure.
 *
 * @param rows cells of the first rows below the header
 * @param known the columns that the account maps (`null`: ignored), by position
 * @param needed the required fields that still need a column
 */
export const weighColumns = (
  headers: readonly string[],
  rows: readonly (readonly string[])[],
  known: ReadonlyMap<number, FieldName | null>,
  needed: ReadonlySet<RequiredField>,
): Weighed => {
  // A header repeated on each page is not a value.
  const keys = headers.map(headerKey);
  const lines = rows.filter((row) => !keys.every((key, at) => key === headerKey(row[at] ?? '')));
  const columns = headers.map((header, at): NamedColumn => {
    const ranks = rankName(header);
    const cells = lines.map((row) => row[at] ?? '');
    return { header, ranks, content: describeContent(ranks.item_sku > 0 ? withoutNames(cells) : cells) };
  });
  const taken = new Map(known);
  const found: WeighedColumn[] = [];
  const doubts: Weighed['doubts'] = {};
  const meant: Weighed['candidates'] = {};
  const at = new Map<RequiredField, number>();
  for (const [column, field] of known)
    if (field === 'po_number' || field === 'quantity' || field === 'item_sku') at.set(field, column);
  const drop = (field: RequiredField, why: string) => {
    const column = at.get(field)!;
    taken.delete(column);
    at.delete(field);
    found.splice(
      found.findIndex((one) => one.field === field),
      1,
    );
    doubts[field] = `${quote(columns[column]!.header)} ${why}`;
    meant[field] = [column];
  };
  const take = (
    field: RequiredField,
    weigh: (content: ColumnContent, rank: number, header: string) => Weight,
  ) => {
    if (!needed.has(field)) return;
    const choice = chooseColumn(field, columns, taken, weigh);
    if (choice.best) {
      const { column, why } = choice.best;
      taken.set(column, field);
      at.set(field, column);
      found.push({
        column,
        field,
        certain: choice.certain,
        why: `its name says ${sayField(field)}, and ${why}`,
      });
    } else {
      doubts[field] = choice.doubt!;
      meant[field] = choice.candidates ?? [];
    }
  };
  take('po_number', weighPo);
  const po = columns[at.get('po_number') ?? -1]?.content;
  take('item_sku', (content, rank) => weighItem(content, rank, twiceInOrders(po, content)));
  const number = needed.has('item_sku') ? columns[at.get('item_sku') ?? -1] : undefined;
  if (needed.has('po_number') && !at.has('po_number') && number && isBareNumber(number.header))
    drop('item_sku', 'could be the number of an item, but also that of the order');
  const amounts = columns.filter(({ ranks }) => ranks.quantity > 0);
  take('quantity', (content, rank, header) => {
    const total = orderTotal(
      po,
      content,
      amounts.map((one) => one.content),
    );
    if (total?.sumOf) {
      const lines = amounts.find((one) => one.content === total.sumOf)!.header;
      return { against: `it is the sum of ${quote(lines)} in each order` };
    }
    if (total && rank < lineAmount)
      return { against: 'it is the same in all rows of an order, as a total is' };
    // Without an item in each row, rows are orders, not lines.
    if (rank < lineAmount && isTotal(header) && needed.has('item_sku') && !at.has('item_sku'))
      return { against: 'it may be the total of an order whose items are not in columns of their own' };
    const zips = columns.find(
      ({ header, content: other }) =>
        other !== content &&
        rankOthers(header).some(({ field }) => field === 'ship_zip') &&
        sameCells(other, content),
    );
    if (zips) return { against: `its values are those of ${quote(zips.header)}` };
    return weighQuantity(content, rank);
  });

  const quantity = columns[at.get('quantity') ?? -1]?.content;
  const { prices, totals } = quantity
    ? findProducts(columns, quantity)
    : { prices: new Set<number>(), totals: new Set<number>() };
  const poRank = columns[at.get('po_number') ?? -1]?.ranks.po_number ?? 0;
  const has = new Set([...known.values(), ...found.map(({ field }) => field)]);
  const ofOthers = addressesOfOthers(headers);
  const offers = columns.flatMap(({ header, content }, column) =>
    taken.has(column) || ofOthers.has(column)
      ? []
      : rankOthers(header).flatMap(({ field: named, rank }) => {
          const price = named === 'expected_price';
          if (price && content.values > 0 && !isPriced(content)) return [];
          // `Ship To` is a location code or the name of a recipient.
          const field = named === 'ship_to' && areNames(content) ? 'ship_name' : named;
          // A bare "price" is a unit price only if an amount confirms it, or if the file is an order and not a sale.
          const more = !price
            ? 0
            : totals.has(column)
              ? -9
              : prices.has(column) || (rank >= 2 && poRank >= 7)
                ? 3
                : isBarePrice(header)
                  ? 2
                  : 0;
          // An empty column may be filled in the next file, but a filled one is the better choice.
          const score = rank + more - (content.values === 0 ? 1 : 0);
          return [{ column, field, score, least: price ? threshold : 2 }];
        }),
  );
  for (const { column, field, score, least } of offers.sort(
    (a, b) => b.score - a.score || a.column - b.column,
  )) {
    if (score < least || has.has(field) || taken.has(column)) continue;
    has.add(field);
    taken.set(column, field);
    const certain = score >= (field === 'expected_price' ? threshold + 1 : 3);
    found.push({ column, field, certain, why: 'by its name' });
  }
  return { columns: found.sort((a, b) => a.column - b.column), doubts, candidates: meant };
};
