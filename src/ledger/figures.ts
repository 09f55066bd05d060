import type pg from 'pg';
import { activeStates } from '../placing/types.ts';
import { statesOf } from './count-states.ts';
import { rowWithoutNulls } from './nulls.ts';
import { listStalled } from './po/stalled.ts';
import { hasOpenAlarm, isPaused, isUnsolved } from './purchase-order-sql.ts';
import { execute } from './query.ts';
import { goneMs, isLive } from './workers.ts';

/** The figures of one account that metrics show. */
export interface AccountFigures {
  account: string;
  /** POs by state, without rejected and failed ones that a later file corrected or that a person says are not needed. */
  states: Record<string, number>;
  alarms: number;
  /** Stuck POs, counted up to 1,000 over all accounts. */
  stalled: number;
  /** When the first PO to be placed last changed; undefined: none is to be placed. */
  waitingSince: Date | undefined;
  /** Unread files that were picked up; `unreadSince` is when the oldest was picked up. */
  unread: number;
  unreadSince: Date | undefined;
  /** Files that cannot be picked up or need attention. */
  fileProblems: number;
  /** Webhooks that do not confirm changes. */
  failingWebhooks: number;
  pauseCode: string | undefined;
  polledAt: Date | undefined;
  pollFailed: boolean;
  reportWrittenAt: Date | undefined;
}

export interface LedgerFigures {
  accounts: AccountFigures[];
  /** Held POs by reason code. */
  holds: Record<string, number>;
  /** Files by state, and the rows of the files that were read. */
  files: Record<string, number>;
  rows: number;
  /** Running processes that place orders, and those that only serve accounts' folders. */
  workers: { placing: number; files: number };
  /** Queues that somebody has paused or limited. */
  heldQueues: number;
  /** Messages that are due and not delivered, and when the oldest became due. */
  undelivered: number;
  undeliveredSince: Date | undefined;
  /** Due time and end of the last regular backup; undefined: none was made. */
  backup: { dueAt: Date; endedAt: Date } | undefined;
}

// Each part is an index-only scan or reads a small table.
const accountsSql = `
  with counted as (
    select a.account, s.state, s.n::float8 as n from (select distinct account from imports) a
    cross join lateral ${statesOf('a.account')} s
  ), solved as (
    select c.account, c.state, (select count(*)::float8 from purchase_orders p
      where p.account = c.account and p.state = c.state and not ${isUnsolved('p')}) as n
    from counted c where c.state in ('rejected', 'failed')
  ), states as (
    select c.account, jsonb_object_agg(c.state,
      c.n - coalesce(r.n, 0)) as states
    from counted c left join solved r on r.account = c.account and r.state = c.state group by 1
  ), waiting as (
    select c.account, min(f.changed_at) as since from counted c
    -- One exists, so the range finds it. With equal signs, Postgres would scan the POs by id, past all closed ones.
    cross join lateral (select p.changed_at from purchase_orders p
      where (p.account, p.state) >= (c.account, c.state) order by p.account, p.state, p.id limit 1) f
    where c.state = any($1) group by 1
  ), alarmed as (
    select account, count(*)::int as n from purchase_orders p where ${hasOpenAlarm('p')} group by 1
  ), unread as (
    select account, count(*)::int as n, min(taken_at) as since from imports where state = 'taken' group by 1
  ), troubled as (
    select account, count(*)::int as n from file_problems group by 1
  ), unconfirmed as (
    select account, count(*)::int as n from sync_receivers
    where failing_since is not null and wanted_at > now() - interval '1 hour' group by 1
  )
  select account, coalesce(s.states, '{}') as states, coalesce(l.n, 0) as alarms, w.since as "waitingSince",
    coalesce(u.n, 0) as unread, u.since as "unreadSince", coalesce(t.n, 0) as "fileProblems", coalesce(h.n, 0) as "failingWebhooks",
    case when ${isPaused('a')} then a.pause_code end as "pauseCode", a.polled_at as "polledAt", a.poll_note is not null as "pollFailed",
    a.report_written_at as "reportWrittenAt"
  from states s full join account_states a using (account) full join unread u using (account)
    full join troubled t using (account) left join waiting w using (account) left join alarmed l using (account)
    left join unconfirmed h using (account)`;

const totalsSql = `
  select
    (select coalesce(jsonb_object_agg(code, n), '{}') from (
      select coalesce(reason_code, 'unknown') as code, count(*) as n from purchase_orders
      where state = 'held' group by 1) h) as holds,
    (select coalesce(jsonb_object_agg(state, n), '{}') from (
      select state, count(*) as n from imports group by 1) i) as files,
    (select coalesce(sum(row_count), 0)::float8 from imports) as rows,
    (select jsonb_build_object('placing', count(*) filter (where w.slots > 0), 'files', count(*) filter (where w.slots = 0))
      from workers w where ${isLive('w', '$1')}) as workers,
    (select count(*)::int from queue_holds where lifted_at is null) as "heldQueues", n.undelivered, n.since as "undeliveredSince",
    b.due_at as "backupDueAt", b.ended_at as "backupEndedAt"
  from (
    select count(*)::int as undelivered, min(due_at) as since from notifications
    where delivered_at is null and given_up_at is null and due_at < now()
  ) n left join (
    -- After a failure, ended_at belongs to the failed run.
    select done_for as due_at, case when failed_because is null then ended_at else done_for end as ended_at
    from maintenance where task = 'backup' and done_for is not null
  ) b on true`;

/** The figures that metrics show, of every account that the ledger knows. */
export const readFigures = async (pool: pg.Pool): Promise<LedgerFigures> => {
  const { rows } = await pool.query({
    name: 'figures-of-accounts',
    text: accountsSql,
    values: [activeStates],
  });
  const stalled = await listStalled(
    pool,
    rows.map(({ account }) => account),
    1000,
  );
  const totals = await pool.query({ name: 'figures', text: totalsSql, values: [goneMs] });
  const { backupDueAt, backupEndedAt, undeliveredSince, ...counts } = totals.rows[0];
  return {
    ...counts,
    accounts: rows.map((row) => ({
      ...rowWithoutNulls<AccountFigures>(row),
      stalled: stalled.filter(({ account }) => account === row.account).length,
    })),
    undeliveredSince: undeliveredSince ?? undefined,
    backup: backupDueAt === null ? undefined : { dueAt: backupDueAt, endedAt: backupEndedAt },
  };
};

/** Rejects if the ledger cannot be reached. */
export const pingLedger = (pool: pg.Pool): Promise<void> => execute(pool, 'select 1');
