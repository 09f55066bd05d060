import type pg from 'pg';
import type { TodayAnswer } from '../../api-contract/today.ts';
import { shownState } from '../purchase-order-sql.ts';
import { rowsOf } from '../query.ts';
import { iso } from './sql-parts.ts';

// These statements use now(): an index cannot serve a comparison with clock_timestamp(), which changes from row to row.

/** The last 24 hours by hour, oldest first. */
export const readHours = (pool: pg.Pool, accounts: readonly string[]): Promise<TodayAnswer['hours']> =>
  rowsOf(pool, {
    name: 'console-hours',
    text: `
      with recent as materialized (
        select ${shownState('p')} as state, p.ordered_at, p.changed_at from purchase_orders p
        where p.changed_at >= date_trunc('hour', now()) - interval '23 hours' and p.account = any($1)
      ), counted as (
        select date_trunc('hour', ordered_at) as hour, count(*) as ordered, 0 as held, 0 as failed from recent
          where ordered_at is not null group by 1
        union all
        select date_trunc('hour', changed_at), 0, count(*) filter (where state = 'held'),
          count(*) filter (where state in ('failed', 'rejected')) from recent
          where state in ('held', 'failed', 'rejected') group by 1
      )
      select ${iso('h.hour')} as hour, coalesce(sum(c.ordered), 0)::int as ordered, coalesce(sum(c.held), 0)::int as held,
        coalesce(sum(c.failed), 0)::int as failed
      from generate_series(date_trunc('hour', now()) - interval '23 hours',
        date_trunc('hour', now()), interval '1 hour') h(hour)
      left join counted c on c.hour = h.hour
      group by h.hour order by h.hour`,
    values: [accounts],
  });

const latency = `
  count(*) filter (where n.outcome = 'unknown' or (n.outcome is null and n.begun_at < now() - interval '5 minutes'))::int as unclear,
  percentile_cont(array[0.5, 0.95]) within group (order by extract(epoch from n.ended_at - n.begun_at)::float8 * 1000) as took`;

interface Quantiles {
  took: (number | null)[] | null;
}

const rounded = (ms: number | null | undefined): number | null =>
  ms === undefined || ms === null ? null : Math.round(ms * 10) / 10;

/** Both quantiles are read from one sort. */
const withQuantiles = <Row extends Quantiles>({ took, ...row }: Row) => ({
  ...row,
  p50Ms: rounded(took?.[0]),
  p95Ms: rounded(took?.[1]),
});

// A sample is enough for the quantiles and keeps the page fast on busy nights. Unordered, so that Postgres uses the index on the last day
// instead of reading all calls backwards.
const sampledCalls = 50_000;
const recentIntents = `(select * from intents where begun_at >= now() - interval '24 hours' limit ${sampledCalls})`;

/** The changing calls of the last 24 hours by account; a sample of 50,000 if there are more. */
export const readCalls = async (
  pool: pg.Pool,
  accounts: readonly string[],
): Promise<TodayAnswer['calls']> => {
  const { rows } = await pool.query<
    Quantiles & Pick<TodayAnswer['calls'][number], 'account' | 'calls' | 'unclear'>
  >({
    name: 'console-calls',
    text: `select p.account, count(*)::int as calls, ${latency}
      from ${recentIntents} n join purchase_orders p on p.id = n.purchase_order_id
      where p.account = any($1) group by 1 order by 1`,
    values: [accounts],
  });
  return rows.map(withQuantiles);
};

/** The changing calls of one account in the last 24 hours by step. */
export const readCallsByStep = async (
  pool: pg.Pool,
  account: string,
): Promise<
  { step: string; count: number; unclear: number; p50Ms: number | null; p95Ms: number | null }[]
> => {
  const { rows } = await pool.query<Quantiles & { step: string; count: number; unclear: number }>({
    name: 'console-calls-by-step',
    text: `select n.step, count(*)::int as count, ${latency}
      from ${recentIntents} n join purchase_orders p on p.id = n.purchase_order_id
      where p.account = $1 group by 1 order by 1`,
    values: [account],
  });
  return rows.map(withQuantiles);
};
