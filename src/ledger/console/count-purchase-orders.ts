import type pg from 'pg';
import type { CappedCount } from '../../api-contract/basics.ts';
import { type PurchaseOrderState, poStates } from '../../placing/types.ts';
import { isUnsolved } from '../purchase-order-sql.ts';
import { rowsOf } from '../query.ts';
import { capped, countedAtMost, iso } from './sql-parts.ts';

/** POs of these accounts by state, and held ones by reason; each is counted up to 10,001. */
export const countFacets = async (
  pool: pg.Pool,
  accounts: readonly string[],
  importId: string | undefined,
): Promise<{
  states: { state: PurchaseOrderState; count: CappedCount }[];
  reasons: { reasonCode: string; count: CappedCount }[];
}> => {
  const states = await pool.query<{ state: PurchaseOrderState; n: number }>(
    importId === undefined
      ? {
          name: 'console-states',
          text: statesSql,
          values: [accounts, poStates.filter((state) => !endedBadly.includes(state))],
        }
      : { name: 'console-states-of-import', text: statesOfImportSql, values: [accounts, importId] },
  );
  const reasons = await pool.query<{ reasonCode: string; n: number }>(
    importId === undefined
      ? { name: 'console-held-for', text: heldForSql, values: [accounts] }
      : { name: 'console-held-for-of-import', text: heldForOfImportSql, values: [accounts, importId] },
  );
  return {
    states: states.rows.map(({ state, n }) => ({ state, count: capped(n) })),
    reasons: reasons.rows.map(({ reasonCode, n }) => ({ reasonCode, count: capped(n) })),
  };
};

// Over all accounts together, counting ends at the limit: a tenth of what counting each account up to it would read.
const inStates = (states: string, also: string): string => `
  select s.state, counted.n::int as n
  from unnest(${states}) s(state)
  cross join lateral (select count(*) as n from (select from unnest($1::text[]) a(account)
    cross join lateral (select from purchase_orders p
      where p.account = a.account and p.state = s.state ${also} limit ${countedAtMost + 1}) one
    limit ${countedAtMost + 1}) those) counted
  where counted.n > 0`;

/** Failed and rejected POs count only while they need something; a partial index serves that. */
const endedBadly: readonly PurchaseOrderState[] = ['failed', 'rejected'];
const statesSql = `${inStates('$2::text[]', '')} union all ${inStates(`array['${endedBadly.join(`', '`)}']`, `and ${isUnsolved('p')}`)}`;

/** SQL: the pairs of account and reason of held POs, each found by one step into the index `purchase_orders_held`. */
const heldGroups = `
  groups(account, code) as (
    (select a.account, f.code from unnest($1::text[]) a(account) cross join lateral (
      select p.reason_code as code from purchase_orders p
      where p.account = a.account and p.state = 'held' order by p.reason_code limit 1) f)
    union all
    select g.account, (select p.reason_code from purchase_orders p
      where p.account = g.account and p.state = 'held' and p.reason_code > g.code order by p.reason_code limit 1)
    from groups g where g.code is not null
  )`;

const heldForSql = `
  with recursive ${heldGroups}
  select c.code as "reasonCode", counted.n::int as n
  from (select distinct code from groups where code is not null) c
  cross join lateral (select count(*) as n from (select from groups g
    cross join lateral (select from purchase_orders p
      where p.account = g.account and p.reason_code = g.code and p.state = 'held' limit ${countedAtMost + 1}) one
    where g.code = c.code limit ${countedAtMost + 1}) those) counted
  order by n desc, 1`;

const heldForOfImportSql = `
  select p.reason_code as "reasonCode", count(*)::int as n from purchase_orders p
  where p.import_id = $2::bigint and p.account = any($1::text[]) and p.state = 'held' and p.reason_code is not null
  group by 1 order by n desc, 1`;

const statesOfImportSql = `
  select p.state, count(*)::int as n from purchase_orders p
  where p.import_id = $2::bigint and p.account = any($1::text[])
    and (p.state not in ('failed', 'rejected') or ${isUnsolved('p')}) group by 1`;

/** Held POs of one account and reason. */
interface HeldCount {
  account: string;
  reasonCode: string;
  n: number;
  heldSince: string;
  id: string;
  poNumber: string;
}

/**
 * Held POs of these accounts by reason, each counted up to 10,001, with the PO that came first. The one held longest would need reading all
 * of them, because no index contains `changed_at`.
 */
export const countHeld = (pool: pg.Pool, accounts: readonly string[]): Promise<HeldCount[]> =>
  rowsOf(pool, {
    name: 'console-held',
    text: `
      with recursive ${heldGroups}
      select g.account, g.code as "reasonCode", counted.n::int, ${iso('first.changed_at')} as "heldSince",
        first.id::text, first.po_number as "poNumber"
      from groups g
      cross join lateral (select count(*) as n from (select from purchase_orders p
        where p.account = g.account and p.reason_code = g.code and p.state = 'held' limit ${countedAtMost + 1}) those) counted
      cross join lateral (select p.changed_at, p.id, p.po_number from purchase_orders p
        where p.account = g.account and p.reason_code = g.code and p.state = 'held'
        order by p.id limit 1) first
      where g.code is not null
      order by counted.n desc, 1, 2`,
    values: [accounts],
  });

/** The held POs assigned to a person, in the form of `countHeld`. */
export const countHeldOf = (
  pool: pg.Pool,
  accounts: readonly string[],
  person: string,
): Promise<HeldCount[]> =>
  rowsOf(pool, {
    name: 'console-held-of-person',
    text: `
      select p.account, coalesce(p.reason_code, 'unknown') as "reasonCode", count(*)::int as n, ${iso('min(p.changed_at)')} as "heldSince",
        min(p.id)::text as id, (array_agg(p.po_number order by p.id))[1] as "poNumber"
      from assigned g join purchase_orders p on p.id = g.id
      where g.kind = 'po' and g.person = $2 and p.account = any($1) and p.state = 'held'
      group by 1, 2 order by n desc, 1, 2`,
    values: [accounts, person],
  });
