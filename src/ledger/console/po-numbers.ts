import type pg from 'pg';
import { poKeyOf } from '../po-key.ts';
import type { PoFilter } from './po-filter.ts';
import { beginsWith, isPart } from './sql-parts.ts';

/** Up to this many matching POs are looked up first; each costs one index step. */
const fewNumbers = 1000;

/**
 * SQL: `(id, po_number, po_key)` of the POs of an account whose number contains the key, the latest first. Ends as soon as a limit around
 * it is reached. `offset 0` keeps Postgres from reading all POs instead of the matches. Not by `pg_trgm`, which not every Postgres allows,
 * and whose index on `purchase_orders` would be written at each step of each PO.
 */
export const posContaining = (account: string, key: string): string => `
  select p.id, p.po_number, p.po_key
  from (select b.* from po_number_blocks b where b.account = ${account} and strpos(b.keys, ${key}) > 0 order by b.first_po desc) b
  cross join lateral (select distinct k.key from unnest(string_to_array(b.keys, E'\\n')) k(key) where strpos(k.key, ${key}) > 0) k
  cross join lateral (select p.id, p.po_number, p.po_key from purchase_orders p
    where p.account = b.account and p.po_key = k.key and p.id between b.first_po and b.last_po offset 0) p`;

const idsSql = (key: string): string => `
  select found.id::text from unnest($1::text[]) a(account) cross join lateral (
    ${
      isPart(key)
        ? posContaining('a.account', '$2::text')
        : `select p.id from purchase_orders p where p.account = a.account and ${beginsWith('p.po_key', '$2::text')}`
    }
    limit ${fewNumbers + 1}) found limit ${fewNumbers + 1}`;

/** A filter whose POs can be found quickly. */
export interface FoundFilter {
  /** For lists and sums. */
  filter: PoFilter;
  /** For counts. */
  counted: PoFilter;
  /** More POs match than `counted` contains. */
  isCut: boolean;
}

/**
 * Finds the POs whose number matches the filter. Up to 1,000 matches are named in the filter; with more, a scan in any order soon meets the
 * first ones.
 *
 * @param accounts those whose POs are read
 */
export const findNumbered = async (
  pool: pg.Pool,
  filter: PoFilter,
  accounts: readonly string[],
): Promise<FoundFilter> => {
  const { po, ...others } = filter;
  if (po === undefined) return { filter, counted: filter, isCut: false };
  const among = accounts.filter((one) => one === (filter.account ?? one));
  const key = poKeyOf(po);
  const { rows } = await pool.query<{ id: string }>(idsSql(key), [among, key]);
  const ids = rows.map(({ id }) => id);
  const found = { ...others, ids: ids.slice(0, fewNumbers) };
  if (ids.length <= fewNumbers) return { filter: found, counted: found, isCut: false };
  // None of those found first may match the other conditions.
  const { account: _, ...conditions } = others;
  const isAlone = Object.values(conditions).every((one) => one === undefined);
  return { filter, counted: isAlone ? found : filter, isCut: true };
};
