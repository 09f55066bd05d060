import type pg from 'pg';
import { onlyValue } from './query.ts';

/** The latest price that a file expects for an item, as decimal text; undefined: no file has one. */
export const latestPrice = async (
  pool: pg.Pool,
  { item_sku: sku, item_id: id }: { item_sku?: string | undefined; item_id?: string | undefined },
): Promise<string | undefined> => {
  const isItem = sku === undefined ? 'item_id = $1' : 'lower(item_sku) = lower($1) and item_sku = $1';
  return onlyValue(
    pool,
    `select expected_price::text as price from lines where ${isItem} and expected_price is not null
     order by import_id desc, row_number desc limit 1`,
    [sku ?? id],
  );
};
