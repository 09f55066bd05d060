import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import { warehouses } from '../contract/codes.ts';
import { decodeUtf8, plainText } from '../contract/text.ts';
import { CannotStart } from './cannot-start.ts';
import type { ServiceConfig } from './config.ts';

/** An item that can be ordered. Its stock is constant: orders do not use it up. */
export interface CatalogueItem {
  sku: string;
  name: string;
  priceCents: number;
  /** Not in a catalogue file: its price is derived from its name. */
  isMadeUp?: boolean;
  /** By warehouse, in the order in which they are tried. */
  stock: Record<string, number>;
}

/** The name of an item in a request (spec 4.3). */
export type ItemName = { item_sku?: string | undefined; item_id?: string | undefined };

/** Finds an item; undefined if it is not in the catalogue. The same name always returns the same item. */
export type Catalogue = (name: ItemName) => CatalogueItem | undefined;

/** The price in cents that somebody expects for a made-up item; undefined if nobody does. */
export type ExpectedPrice = (name: ItemName) => Promise<number | undefined>;

/**
 * Derives an item for any SKU from the SKU's hash: a price from 1.00 to 500.99, and in each warehouse no stock (one
 * time in eight) or 20 to 999 pieces. An item ID is read as the SKU `ID-…`.
 */
const inventItem = ({ item_sku, item_id }: ItemName, more: readonly string[]): CatalogueItem => {
  const sku = item_sku ?? `ID-${item_id}`;
  const hash = createHash('sha256').update(sku).digest();
  const stockOf = (number: number) => (number % 8 === 0 ? 0 : 20 + (number % 980));
  const stockAt = (at: number) => stockOf(hash.readUInt16BE(at));
  const added = more.map((warehouse): [string, number] => [
    warehouse,
    stockOf(createHash('sha256').update(`${sku}/${warehouse}`).digest().readUInt16BE()),
  ]);
  return {
    sku,
    name: `Item ${sku}`,
    priceCents: 100 + (hash.readUInt32BE(0) % 50_000),
    isMadeUp: true,
    stock: { GA: stockAt(4), ID: stockAt(6), IN: stockAt(8), TX: stockAt(10), ...Object.fromEntries(added) },
  };
};

const stockCount = z
  .string()
  .regex(/^\d{1,9}$/, { error: 'must be a whole number' })
  .transform(Number);

const rowOf = (more: readonly string[]) =>
  z.object({
    sku: plainText().min(1),
    item_id: plainText(),
    name: plainText(),
    price: z
      .string()
      .regex(/^\d{1,9}(\.\d{1,2})?$/, { error: 'must be an amount such as 12.50' })
      .transform((text) => Math.round(Number(text) * 100)),
    stock_GA: stockCount,
    stock_ID: stockCount,
    stock_IN: stockCount,
    stock_TX: stockCount,
    ...(Object.fromEntries(more.map((warehouse) => [`stock_${warehouse}`, stockCount])) as object),
  });

/**
 * Reads a catalogue file; `any` is a built-in catalogue in which every SKU exists.
 *
 * @param config.warehouses beyond those of the interface; a file needs a column for each, unless missing items are made up
 * @throws CannotStart naming the line and column that is wrong
 */
export const openCatalogue = async ({
  catalogue: source,
  unknownItems,
  warehouses: more,
}: Pick<ServiceConfig, 'catalogue' | 'unknownItems' | 'warehouses'>): Promise<Catalogue> => {
  const invent: Catalogue = (name) => inventItem(name, more);
  if (source === 'any') return invent;
  const isMadeUp = unknownItems === 'made-up';
  const stocked = isMadeUp ? [] : more;
  const catalogueRow = rowOf(stocked);
  const refuse = (what: string, cause?: unknown) =>
    new CannotStart('catalogue_unreadable', `The catalogue ${source} cannot be used: ${what}.`, { cause });
  const bytes = await readFile(source).catch((thrown: NodeJS.ErrnoException) => {
    if (thrown.code === 'ENOENT') {
      const message = `The catalogue file ${source} does not exist. Check --catalogue.`;
      throw new CannotStart('catalogue_unreadable', message, { cause: thrown });
    }
    throw refuse(thrown.message, thrown);
  });
  const text = decodeUtf8(bytes);
  if (typeof text !== 'string')
    throw refuse(`line ${text.line}, column ${text.column} is not UTF-8; save the file as UTF-8`);
  const bySku = new Map<string, CatalogueItem>();
  const byId = new Map<string, CatalogueItem>();
  let rows: { record: Record<string, string>; info: { lines: number } }[];
  try {
    rows = parse(text, { columns: true, bom: true, trim: true, skip_empty_lines: true, info: true });
  } catch (thrown) {
    throw refuse((thrown as Error).message, thrown);
  }
  for (const { record, info } of rows) {
    const row = catalogueRow.safeParse(record);
    if (!row.success) {
      const issue = row.error.issues[0];
      throw refuse(`line ${info.lines}, column ${issue?.path.join('.')}: ${issue?.message}`);
    }
    const { sku, item_id, name, price } = row.data;
    const item: CatalogueItem = {
      sku,
      name,
      priceCents: price,
      stock: Object.fromEntries(
        [...warehouses, ...stocked].map((warehouse) => [
          warehouse,
          (row.data as Record<string, unknown>)[`stock_${warehouse}`] as number,
        ]),
      ),
    };
    if (bySku.has(sku)) throw refuse(`line ${info.lines}: the SKU ${sku} appears twice`);
    if (item_id !== '' && byId.has(item_id))
      throw refuse(`line ${info.lines}: the item ID ${item_id} appears twice`);
    bySku.set(sku, item);
    if (item_id !== '') byId.set(item_id, item);
  }
  if (bySku.size === 0) throw refuse('it has no items');
  const find: Catalogue = ({ item_sku, item_id }) =>
    item_sku !== undefined ? bySku.get(item_sku) : item_id !== undefined ? byId.get(item_id) : undefined;
  if (!isMadeUp) return find;
  return (name) => {
    const [known, madeUp] = [find(name), invent(name)!];
    return known ? { ...known, stock: { ...madeUp.stock, ...known.stock } } : madeUp;
  };
};
