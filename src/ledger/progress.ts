import type pg from 'pg';
import { isActive } from './purchase-order-sql.ts';
import { rowsOf } from './query.ts';

/** An account's progress with the imports that have POs to place. */
export interface Progress {
  account: string;
  /** POs with a next step. */
  toGo: number;
  /** All POs of these imports, finished or not. */
  all: number;
  /** POs that ended in the last ten minutes, and when the first of them ended. */
  ended: number;
  since: Date;
}

/**
 * The accounts that place many POs.
 * @param least accounts with fewer POs to go are omitted
 */
export const readProgress = async (
  pool: pg.Pool,
  accounts: readonly string[],
  least: number,
): Promise<Progress[]> => {
  // An ordered PO counts as ended when it was ordered, whatever its status does later.
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

/** Fewer ended POs allow no estimate. */
const leastEnded = 10;

/** The estimated time for the remaining POs at the current pace, in ms; undefined if too few have ended. Pure. */
export const msToGo = ({ toGo, ended, since }: Progress, now: Date): number | undefined =>
  ended < leastEnded ? undefined : (toGo * Math.max(1000, now.getTime() - since.getTime())) / ended;
