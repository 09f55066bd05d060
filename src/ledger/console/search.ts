import type pg from 'pg';
import type { SearchHit } from '../../api-contract/search.ts';
import { poKeyOf } from '../po-key.ts';
import { isSettled } from '../purchase-order-sql.ts';
import { posContaining } from './po-numbers.ts';
import { visibleAccounts } from './purchase-orders.ts';
import { beginsWith, contains, iso, isPart } from './sql-parts.ts';

type SearchKind = SearchHit['kind'];

// $1: the text, $2: the accounts, $3: hits of each kind, $4: the PO key of the text, $5: spellings of a tracking number, $6: the text
// without gaps, $7: whether it is long enough for a substring search. `hits` are (matched, id of the PO, rank).
const described = (hits: string) => `
  select h.matched, h.rank, p.id, p.account,
    json_build_object('id', p.id::text, 'poNumber', p.po_number, 'state', p.state, 'reasonCode', p.reason_code, 'settled', ${isSettled('p')}, 'quoteOnly', p.quote_only,
      'changedAt', ${iso('p.changed_at')}) as "purchaseOrder",
    json_build_object('id', i.id::text, 'fileName', i.file_name, 'takenAt', ${iso('i.taken_at')}) as import
  from (${hits}) h join purchase_orders p on p.id = h.id join imports i on i.id = p.import_id
  order by h.rank desc, p.id desc limit $3`;

/** SQL: how well a text matches: 2 exactly, 1 by prefix, 0 by substring. */
const rankOf = (text: string, asked: string) =>
  `case when ${text} = ${asked} then 2 when strpos(${text}, ${asked}) = 1 then 1 else 0 end`;

// At most this many matches are read, in index order, which starts with exact matches.
const candidates = 200;

/** Matches a column of the orders. */
const orderHits = (column: string, given = `o.${column} is not null`) => {
  const text = `lower(o.${column})`;
  return described(`
    select o.${column} as matched, o.purchase_order_id as id, ${rankOf(text, 'lower($1)')} as rank
    from orders o where ${beginsWith(text, 'lower($1)')} and ${given} and o.account = any($2::text[])
    order by ${text} using ~<~ limit ${candidates}`);
};

/** Matches a column of the orders that is also a PO option, to include POs that were not ordered. */
const optionHits = (column: 'ship_name' | 'ship_zip') => {
  const ordered = `lower(o.${column})`;
  const asked = `lower(p.options ->> '${column}')`;
  return described(`
    (select o.${column} as matched, o.purchase_order_id as id, ${rankOf(ordered, 'lower($1)')} as rank
     from orders o where ${beginsWith(ordered, 'lower($1)')} and o.${column} is not null and o.account = any($2::text[])
     order by ${ordered} using ~<~ limit ${candidates})
    union all
    (select p.options ->> '${column}', p.id, ${rankOf(asked, 'lower($1)')}
     from purchase_orders p where ${beginsWith(asked, 'lower($1)')} and p.options ->> '${column}' is not null
       and p.state = any (array['rejected', 'held', 'failed', 'cancelled']) and p.account = any($2::text[])
       and not exists (select from orders o where o.purchase_order_id = p.id)
     order by ${asked} using ~<~ limit ${candidates})`);
};

/** SQL: the line has this item, given in lower case. */
const isItem = (l: string, item: string) =>
  `lower(${l}.item_sku) ~>=~ ${item} and lower(${l}.item_sku) ~<=~ ${item} and ${l}.item_sku is not null`;

const hitsOf: Record<SearchKind, string> = {
  // Account by account, in the order of the index one_live_po. Substring matches are the latest.
  po: described(`
    select f.po_number as matched, f.id, ${rankOf('f.po_key', '$4::text')} as rank from (
      select f.* from unnest($2::text[]) a(account) cross join lateral (
        (select p.id, p.po_number, p.po_key from purchase_orders p
         where p.account = a.account and ${beginsWith('p.po_key', '$4::text')}
         order by p.po_key using ~<~ limit $3)
        union
        (${posContaining('a.account', '$4::text')} where $7 limit $3)) f) f
    order by 3 desc, f.po_key using ~<~, f.id desc limit $3`),
  order: orderHits('order_number', 'true'),
  invoice: orderHits('invoice_number'),
  ship_to: optionHits('ship_name'),
  zip: optionHits('ship_zip'),
  // By the prefix of an order's first number, and by any complete number.
  tracking: described(`
    select coalesce((select n from unnest(o.tracking_numbers) n where n = any($5::text[]) limit 1), o.tracking_numbers[1]) as matched,
      o.id, o.rank
    from (
      (select o.tracking_numbers, o.purchase_order_id as id, 2 as rank from orders o
       where o.tracking_numbers && $5::text[] and o.tracking_numbers <> '{}' and o.account = any($2::text[])
       limit ${candidates})
      union
      (select o.tracking_numbers, o.purchase_order_id, case when o.tracking_numbers && $5::text[] then 2 else 1 end from orders o
       where ${beginsWith('lower(o.tracking_numbers[1])', 'lower($6)')} and o.tracking_numbers <> '{}'
         and o.account = any($2::text[])
       order by lower(o.tracking_numbers[1]) using ~<~ limit ${candidates})
    ) o`),
  // The latest lines of exactly this SKU, then of SKUs that begin with the text, then of those that contain it. Ranges, because an equality
  // would lose the index order.
  sku: described(`
    select min(l.item_sku) as matched, p.id, max(${rankOf('lower(l.item_sku)', 'lower($1)')}) as rank
    from (
      (select l.item_sku, l.import_id, l.po_number
       from lines l join imports i on i.id = l.import_id and i.account = any($2::text[])
       where ${isItem('l', 'lower($1)')} order by lower(l.item_sku) using ~>~ limit ${candidates})
      union all
      (select l.item_sku, l.import_id, l.po_number
       from lines l join imports i on i.id = l.import_id and i.account = any($2::text[])
       where lower(l.item_sku) ~>~ lower($1) and lower(l.item_sku) ~<~ (lower($1) || chr(1114111))
         and l.item_sku is not null
       order by lower(l.item_sku) using ~<~ limit ${candidates})
      union all
      (select l.item_sku, l.import_id, l.po_number
       from (select distinct n.item from (select n.item from item_numbers n
         where $7 and ${contains('n.item', 'lower($1)')} and n.account = any($2::text[]) limit ${candidates}) n) n
       cross join lateral (
         select l.item_sku, l.import_id, l.po_number from lines l join imports i on i.id = l.import_id and i.account = any($2::text[])
         where ${isItem('l', 'n.item')} order by lower(l.item_sku) using ~>~ limit $3) l
       limit ${candidates})
    ) l join purchase_orders p on p.import_id = l.import_id and p.po_number = l.po_number
    group by p.id order by 3 desc, p.id desc limit $3`),
  file: `
    select i.file_name as matched, ${rankOf('lower(i.file_name)', 'lower($1)')} as rank, i.id, i.account, null::json as "purchaseOrder",
      json_build_object('id', i.id::text, 'fileName', i.file_name, 'takenAt', ${iso('i.taken_at')}) as import
    from (
      (select i.id from imports i where ${beginsWith('lower(i.file_name)', 'lower($1)')} and i.account = any($2::text[])
       order by lower(i.file_name) using ~<~ limit ${candidates})
      union
      (select i.id from (select i.id from imports i
         where $7 and ${contains('lower(i.file_name)', 'lower($1)')} and i.account = any($2::text[]) offset 0) i
       order by i.id desc limit $3)
    ) found join imports i on i.id = found.id
    order by rank desc, i.id desc limit $3`,
};

// One statement: a search never takes more than one connection from the workers of the process.
const searchSql = `${Object.entries(hitsOf)
  .map(([kind, hits]) => `(select '${kind}' as kind, * from (${hits}) ${kind}_hits)`)
  .join(' union all ')}
  order by kind, rank desc, id desc`;

/** People copy tracking numbers from mails with spaces or hyphens. */
const withoutGaps = (text: string): string => text.replace(/[\s-]+/g, '');

/**
 * POs and files with a number or name that begins with this text, ignoring case, at most `limit` of each kind. PO numbers, SKUs and file
 * names are also found by any part of three or more characters. Exact matches first, then prefixes, each latest first.
 *
 * @param allowed the accounts that the reader may see; null for all
 */
export const searchLedger = async (
  pool: pg.Pool,
  text: string,
  limit: number,
  allowed: readonly string[] | null,
): Promise<SearchHit[]> => {
  const accounts = await visibleAccounts(pool, allowed);
  const plain = withoutGaps(text);
  const { rows } = await pool.query<SearchHit & { rank: number; id: string }>({
    name: 'console-search',
    text: searchSql,
    values: [
      text,
      accounts,
      limit,
      poKeyOf(text),
      [...new Set([text, plain, plain.toUpperCase(), plain.toLowerCase()])],
      // A text of only hyphens would match every tracking number.
      plain || text,
      isPart(text),
    ],
  });
  return rows.map(({ rank: _, id: __, ...hit }) => hit);
};
