import type pg from 'pg';
import { poKeyOf } from '../po-key.ts';
import type { PoFilter } from './po-filter.ts';
import { beginsWith, isPart } from './sql-parts.ts';

/** Of fewer POs, those with the number are found first. Each costs a step into an index. */
const fewNumbers = 1000;

/**
 * SQL: `(id, po_number, po_key)` of the POs of an account whose number contains the key, the latest first. Ends as soon as a limit around it is
 * reached. `offset 0` keeps Postgres from reading all POs instead of those that were found. Not by `pg_trgm`, which not every Postgres
 * allows, and whose index on `purchase_orders` would be written at each step of each PO.
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

/** A filter whose POs can be found at once. */
export interface FoundFilter {
  /** For lists and sums. */
  filter: PoFilter;
  /** For counts. */
  counted: PoFilter;
  /** More POs have such a number than `counted` asks for. */
  isCut: boolean;
}

/**
 * Finds the POs whose number a filter asks for. Where at most 1,000 have one, the filter then names them; otherwise so many have one that the
 * first are soon met in any order.
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
  // Of those that were found first, none may fit what else is asked for.
  const { account: _, ...conditions } = others;
  const isAlone = Object.values(conditions).every((one) => one === undefined);
  return { filter, counted: isAlone ? found : filter, isCut: true };
};
