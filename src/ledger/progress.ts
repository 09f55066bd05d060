import type pg from 'pg';
import { isActive } from './purchase-order-sql.ts';
import { rowsOf } from './query.ts';

/** How far an account is with the imports that have POs to place. */
export interface Progress {
  account: string;
  /** POs with a next step. */
  toGo: number;
  /** All POs of these imports. */
  all: number;
  /** POs that ended in the last ten minutes, and since when in them. */
  ended: number;
  since: Date;
}

/**
 * The accounts that place many POs.
 * @param least accounts with fewer POs to go are left out
 */
export const readProgress = async (
  pool: pg.Pool,
  accounts: readonly string[],
  least: number,
): Promise<Progress[]> => {
  // An order whose status changes ended when it was ordered.
  return rowsOf(pool, {
    name: 'progress',
    text: `
      with busy as (
        select p.account, count(*)::int as to_go, array_agg(distinct p.import_id) as imports from purchase_orders p
        where ${isActive('p')} and p.account = any($1) group by 1 having count(*) >= $2)
      select b.account, b.to_go as "toGo",
        (select count(*)::int from purchase_orders p where p.import_id = any(b.imports)) as all, e.n as ended, e.since
      from busy b cross join lateral (
        select count(*)::int as n, coalesce(min(coalesce(p.ordered_at, p.changed_at)), now()) as since from purchase_orders p
        where p.import_id = any(b.imports) and not ${isActive('p')}
          and coalesce(p.ordered_at, p.changed_at) >= now() - interval '10 minutes') e
      order by 1`,
    values: [accounts, least],
  });
};

/** Fewer of them say nothing about how long the others take. */
const leastEnded = 10;

/** How long the POs that are left take at the pace so far, in ms; undefined where too little is known. Pure. */
export const msToGo = ({ toGo, ended, since }: Progress, now: Date): number | undefined =>
  ended < leastEnded ? undefined : (toGo * Math.max(1000, now.getTime() - since.getTime())) / ended;
