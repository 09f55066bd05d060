import type pg from 'pg';
import type { StatisticsSums } from '../../api-contract/statistics.ts';
import { iso } from '../console/sql-parts.ts';

export type PeriodUnit = 'day' | 'week' | 'month';

/** An account whose statistics are read. */
export interface StatisticsAccount {
  account: string;
  /** Today in its time zone, as YYYY-MM-DD. */
  today: string;
  /** An order is late after this many days without a shipment; null: never. */
  lateDays: number | null;
}

/** Days are those of the service. */
export type Sums = Omit<StatisticsSums, 'held' | 'failed'>;

/** The sums of a day, a week (from Monday), or a month. */
export interface PeriodSums extends Sums {
  /** Its first day. */
  from: string;
}

export interface PeriodReason {
  from: string;
  state: 'held' | 'failed' | 'rejected';
  reasonCode: string;
  count: number;
}

export interface StatisticsRange {
  /** Days as YYYY-MM-DD, both inclusive. */
  from: string;
  to: string;
  by: PeriodUnit;
  /** Days within which an order should ship. */
  within: number;
}

const accountsSql = `accounts as materialized (
  select * from jsonb_to_recordset($1::jsonb) a(account text, today date, "lateDays" int))`;
const periodOf = (day: string) => `to_char(date_trunc($4, ${day}), 'YYYY-MM-DD')`;
const within = (days: string) =>
  `coalesce(s.shipped_within[least(${days} + 1, cardinality(s.shipped_within))], 0)`;
// Orders without a readable ship day, and orders that ended unshipped, are unknown.
const known = '(s.orders - s.shipped_undated - s.ended_unshipped)';
const isOld = 's.day + $5::int < a.today';
const canBeLate = 's.day + a."lateDays" < a.today';

// `offset 0` makes Postgres find the rows by the primary key, account by account, because the planner cannot estimate their number. Period
// names are computed from days, of which there are few.
const sumsSql = `
  with ${accountsSql}, days as (
    select s.day, sum(s.orders) as orders, sum(s.pieces) as pieces, sum(s.amount) as amount, sum(s.by_prices) as by_prices,
      sum(s.without_amount) as without_amount, sum(s.backordered) as backordered,
      sum(${within('$5::int')}) filter (where ${isOld}) as shipped, sum(${known}) filter (where ${isOld}) as shippable,
      sum(${known} - ${within('a."lateDays"')}) filter (where ${canBeLate}) as late, sum(${known}) filter (where ${canBeLate}) as lateable
    from accounts a cross join lateral (
      select * from daily_statistics s where s.account = a.account and s.day between $2::date and $3::date offset 0) s
    group by s.day
  )
  select ${periodOf('d.day')} as "from", ${[
    'orders',
    'pieces',
    'backordered',
    'shipped',
    'shippable',
    'late',
    'lateable',
  ]
    .map((name) => `coalesce(sum(d.${name}), 0)::float8 as ${name}`)
    .join(', ')},
    coalesce(sum(d.by_prices), 0)::float8 as "byPrices", coalesce(sum(d.without_amount), 0)::float8 as "withoutAmount",
    coalesce(sum(d.amount), 0)::text as amount
  from days d group by grouping sets ((${periodOf('d.day')}), ()) order by 1`;

const reasonsSql = `
  with ${accountsSql}
  select ${periodOf('r.day')} as "from", r.state, r.reason_code as "reasonCode", sum(r.count)::float8 as count
  from accounts a cross join lateral (
    select * from daily_reasons r where r.account = a.account and r.day between $2::date and $3::date offset 0) r
  group by 1, 2, 3 order by 1, 2, 4 desc, 3`;

/** How up to date the statistics are. */
export interface StatisticsState {
  /** All changes before it are counted; null: the first count has not ended. */
  asOf: string | null;
  /** Days of these accounts that are still to be counted. */
  daysToCount: number;
}

/** What these accounts ordered, by period; an empty period has no entry. */
export const readStatistics = async (
  pool: pg.Pool,
  accounts: readonly StatisticsAccount[],
  { from, to, by, within }: StatisticsRange,
): Promise<{ sums: PeriodSums[]; total: Sums; reasons: PeriodReason[] } & StatisticsState> => {
  const values = [JSON.stringify(accounts), from, to, by];
  const [sums, reasons, state] = await Promise.all([
    pool.query<Sums & { from: string | null }>({
      name: 'statistics-sums',
      text: sumsSql,
      values: [...values, within],
    }),
    pool.query<PeriodReason>({ name: 'statistics-reasons', text: reasonsSql, values }),
    pool.query<StatisticsState>({
      name: 'statistics-state',
      text: `select ${iso('as_of')} as "asOf", (select count(*)::int from statistics_due where account = any($1)) as "daysToCount"
        from statistics_head`,
      values: [accounts.map(({ account }) => account)],
    }),
  ]);
  // The row without a period is the total.
  const { from: _, ...total } = sums.rows.find((row) => row.from === null)!;
  return {
    sums: sums.rows.filter((row): row is PeriodSums => row.from !== null),
    total,
    reasons: reasons.rows,
    ...state.rows[0]!,
  };
};
