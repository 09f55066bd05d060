import type pg from 'pg';
import type { TodayAnswer } from '../../api-contract/today.ts';
import { poStates } from '../../placing/types.ts';
import type { StateCounts } from '../import-counts.ts';
import { hasOpenAlarm, isPaused, isUnsolved } from '../purchase-order-sql.ts';
import { rowsOf } from '../query.ts';
import { countedAtMost, iso } from './sql-parts.ts';

export interface ListedAccount {
  account: string;
  /** Each is counted up to 10,001. Completed quotes do not count as cancelled; failed and rejected POs count only while they need something. */
  states: StateCounts & { quoted?: number };
  alarms: number;
  unread: number;
  pauseCode: string | null;
  pauseReason: string | null;
  pausedSince: string | null;
  /** Null for the pause of a person, and without a pause. */
  pausedUntil: string | null;
  pausedBy: string | null;
  polledAt: string | null;
  pollNote: string | null;
  readLagMs: number | null;
  itemsUnreadableSince: string | null;
  unreadDays: { day: string; since: string; why: string }[];
}

/** The state of these accounts. */
export const listAccounts = (pool: pg.Pool, accounts: readonly string[]): Promise<ListedAccount[]> =>
  rowsOf(pool, {
    name: 'console-accounts',
    text: `
      select n.account,
        (select coalesce(jsonb_object_agg(s.state, c.n) filter (where c.n > 0), '{}') from unnest($2::text[]) s(state)
          cross join lateral (select count(*)::int as n from (select from purchase_orders p
            where p.account = n.account and p.state = s.state limit ${countedAtMost + 1}) those) c)
          || (select coalesce(jsonb_object_agg(s.state, c.n) filter (where c.n > 0), '{}') from unnest(array['failed', 'rejected']) s(state)
            cross join lateral (select count(*)::int as n from (select from purchase_orders p
              where p.account = n.account and p.state = s.state and ${isUnsolved('p')} limit ${countedAtMost + 1}) those) c)
          || (select coalesce(jsonb_object_agg(s.state, c.n) filter (where c.n > 0), '{}') from unnest(array['cancelled', 'quoted']) s(state)
            cross join lateral (select count(*)::int as n from (select from purchase_orders p
              where p.account = n.account and p.state = 'cancelled'
                and (p.reason_code is not distinct from 'quoted') = (s.state = 'quoted') limit ${countedAtMost + 1}) those) c) as states,
        (select count(*)::int from purchase_orders where account = n.account and ${hasOpenAlarm('purchase_orders')}) as alarms,
        (select count(*)::int from imports where account = n.account and state = 'taken') as unread,
        s.code as "pauseCode", s.reason as "pauseReason", ${iso('s.since')} as "pausedSince", ${iso('s.until')} as "pausedUntil",
        a.operator_paused_by as "pausedBy", ${iso('a.polled_at')} as "polledAt", a.poll_note as "pollNote",
        a.read_lag_ms as "readLagMs",
        ${iso('a.items_unreadable_since')} as "itemsUnreadableSince",
        (select coalesce(json_agg(json_build_object('day', date '1970-01-01' + u.day, 'since', ${iso('u.since')}, 'why', u.why)
          order by u.day), '[]') from unread_days u where u.account = n.account) as "unreadDays"
      from unnest($1::text[]) n(account)
      left join account_states a on a.account = n.account
      left join lateral (select a.pause_code as code, a.pause_reason as reason, a.paused_since as since,
        case when a.operator_paused_at is null then a.paused_until end as until where ${isPaused('a')}) s on true
      order by n.account`,
    values: [accounts, poStates.filter((state) => !['cancelled', 'failed', 'rejected'].includes(state))],
  });

/** The pauses of these accounts. */
export const listPauses = (
  pool: pg.Pool,
  accounts: readonly string[],
): Promise<Omit<TodayAnswer['paused'][number], 'remedy' | 'canResume'>[]> =>
  rowsOf(pool, {
    name: 'console-pauses',
    text: `
      select account, pause_code as code, coalesce(pause_reason, '') as reason, operator_paused_at is not null as "byOperator",
        ${iso('paused_since')} as since, case when operator_paused_at is null then ${iso('paused_until')} end as until
      from account_states a where ${isPaused('a')} and account = any($1) order by account`,
    values: [accounts],
  });

export interface AccountExtras {
  folderHost: string | null;
  folderPath: string | null;
  shares: { worker: string; calls: number }[];
  /** Each is counted up to 10,001. */
  orderStatuses: { status: string | null; count: number }[];
  fileProblems: { fileName: string; code: string; message: string; since: string }[];
}

/** What an account's page shows besides its state. */
export const readAccountExtras = async (pool: pg.Pool, account: string): Promise<AccountExtras> => {
  const { rows } = await pool.query<AccountExtras>({
    name: 'console-account',
    // The service defines the statuses, so each is found by one step into the index `orders_by_status` (a loose index scan).
    text: `
      with recursive statuses(status) as (
        (select order_status from orders where account = $1 and order_status is not null order by order_status limit 1)
        union all
        select (select o.order_status from orders o where o.account = $1 and o.order_status > s.status
          order by o.order_status limit 1)
        from statuses s where s.status is not null
      )
      select f.host as "folderHost", f.path as "folderPath",
        (select coalesce(json_agg(json_build_object('worker', coalesce(w.host || ' ' || w.pid, s.key),
            'calls', coalesce((s.value ->> 'calls')::int, 0)) order by 1), '[]')
          from call_shares c cross join lateral jsonb_each(c.shares) s left join workers w on w.id::text = s.key
          where c.account = $1 and jsonb_typeof(s.value) = 'object') as shares,
        (select coalesce(json_agg(json_build_object('status', status, 'count', n) order by n desc, status), '[]') from (
          select s.status, c.n from statuses s cross join lateral (select count(*)::int as n from (
            select from orders where account = $1 and order_status = s.status limit ${countedAtMost + 1}) those) c
          union all
          select null, count(*)::int from (
            select from orders where account = $1 and order_status is null limit ${countedAtMost + 1}) those) o
          where n > 0) as "orderStatuses",
        (select coalesce(json_agg(json_build_object('fileName', file_name, 'code', code, 'message', message,
            'since', ${iso('since')}) order by since), '[]') from file_problems where account = $1) as "fileProblems"
      from (select) one left join account_folders f on f.account = $1 and f.replaced_at is null`,
    values: [account],
  });
  return rows[0]!;
};
