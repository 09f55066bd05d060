import type pg from 'pg';
import type { FileProblem } from '../intake/inbox/file-problems.ts';
import type { PurchaseOrderState } from '../placing/types.ts';
import { statesOf } from './count-states.ts';
import { listMaintenance, type MaintenanceTask } from './maintenance.ts';
import { rowWithoutNulls } from './nulls.ts';
import { listStalled, type StalledPurchaseOrder } from './po/stalled.ts';
import { countedState, hasOpenAlarm, isActive, isMeant, isPaused, isUnsolved } from './purchase-order-sql.ts';
import { columnOf } from './query.ts';
import { listQueueHolds, type QueueHold } from './queue-holds.ts';
import { type LiveWorker, listWorkers } from './workers.ts';

/** Files with the same unknown header. */
export interface UnknownFiles {
  files: number;
  since: Date;
  /** The first of these files. */
  importId: string;
  fileName: string;
  reason: string;
}

/** A webhook that does not confirm changes. */
export interface FailingWebhook {
  name: string;
  since: Date;
  error: string;
  /** Nothing is sent until a person resumes it. */
  isParked: boolean;
}

/** The state of an account. */
export interface AccountOverview {
  account: string;
  /** POs by state, without rejected and failed ones that a later file corrected or has again, or that a person says are not needed. */
  states: Partial<Record<PurchaseOrderState, number>>;
  /** Rejected and failed POs that a later file corrected. */
  corrected: number;
  /** Rejected and failed POs that a person marked as not needed. */
  notNeeded: number;
  /** Held POs by reason code. */
  heldFor: Record<string, number>;
  /** Orders by the status at the service; `''` for orders that no poll has shown yet. */
  orderStatuses: Record<string, number>;
  /** Files that were claimed and are not read yet. */
  unread: number;
  /** When the oldest of these was claimed. */
  unreadSince: Date | undefined;
  /** Waiting files with an unknown header, grouped by header, longest wait first. */
  unknownFiles: UnknownFiles[];
  /** Stuck POs, the longest first. */
  stalled: StalledPurchaseOrder[];
  /** POs with an alarm, for example because the quantities of the order differ from the file. */
  alarms: number;
  /** The first PO with an alarm; null: none. */
  alarmPo: string | null;
  /** Files that cannot be picked up or need attention, and why. */
  fileTroubles: (FileProblem & { since: Date })[];
  /** Start of the first pause since the last successful call. */
  pausedSince: Date | undefined;
  paused: { until: Date | undefined; code: string; reason: string } | undefined;
  polledAt: Date | undefined;
  /** Why the last poll failed. */
  pollNote: string | undefined;
  /** Days whose orders the service fails to return although other days work. */
  unreadDays: { day: string; since: Date; why: string }[];
  /** Webhooks that do not confirm its changes. */
  failingWebhooks: FailingWebhook[];
  reportPath: string | undefined;
  /** The longest delay seen until a change was readable at the service; undefined: none seen. */
  readLagMs: number | undefined;
  /** Since when the service has returned orders without readable items, so that quantities cannot be compared. */
  itemsUnreadableSince: Date | undefined;
}

export interface Overview {
  accounts: AccountOverview[];
  workers: LiveWorker[];
  /** Job queues that someone else has paused or limited. */
  queueHolds: QueueHold[];
  /** Backups and the removal of what is old. */
  maintenance: MaintenanceTask[];
}

// Each is counted with an index alone, so that an account with a million POs takes a part of a second. Only the rejected and failed POs
// are read, and of these only one of each number is counted: the one that a person means.
const countsSql = `
    (select coalesce(jsonb_object_agg(s.state, s.n), '{}') from ${statesOf('n.account')} s) as states,
    (select coalesce(json_agg(s), '[]') from (
      select p.state, case when ${isUnsolved('p')} then 'came_again' else ${countedState('p')} end as solved, count(*)::int as n
      from purchase_orders p where p.account = n.account and p.state in ('rejected', 'failed')
        and not (${isUnsolved('p')} and ${isMeant('p')}) group by 1, 2) s) as solved,
    (select coalesce(jsonb_object_agg(code, c), '{}') from (
      select coalesce(reason_code, 'unknown') as code, count(*) as c from purchase_orders
      where account = n.account and state = 'held' group by 1) s) as "heldFor",
    (select coalesce(jsonb_object_agg(status, c), '{}') from (
      select coalesce(order_status, '') as status, count(*) as c from orders
      where account = n.account group by 1) s) as "orderStatuses"`;
const noCountsSql = `'{}'::jsonb as states, '[]'::json as solved, '{}'::jsonb as "heldFor", '{}'::jsonb as "orderStatuses"`;

/** SQL: an account's waiting files with an unknown header, grouped by header. */
export const unknownFilesOf = (account: string): string => `(
    select coalesce(json_agg(json_build_object('files', u.n, 'since', u.since, 'importId', u.first::text, 'fileName', f.file_name,
        'reason', coalesce(f.reason_text, '')) order by u.since, u.first), '[]')
    from (select count(*)::int as n, min(w.waiting_since) as since, min(w.id) as first from imports w
      where w.state = 'waiting' and w.account = ${account} group by w.waiting_key) u
    join imports f on f.id = u.first)`;

const overviewSql = (counts: string) => `
  with names as (select unnest($1::text[]) as account)
  select n.account, ${counts},
    (select count(*)::int from imports where account = n.account and state = 'taken') as unread,
    (select min(taken_at) from imports where account = n.account and state = 'taken') as "unreadSince",
    ${unknownFilesOf('n.account')} as "unknownFiles",
    (select count(*)::int from purchase_orders where account = n.account and ${hasOpenAlarm('purchase_orders')}) as alarms,
    (select po_number from purchase_orders where account = n.account and ${hasOpenAlarm('purchase_orders')} order by id limit 1) as "alarmPo",
    (select coalesce(json_agg(json_build_object('fileName', f.file_name, 'code', f.code, 'message', f.message,
        'since', f.since) order by f.since, f.file_name), '[]')
      from file_problems f where f.account = n.account) as "fileTroubles",
    (select coalesce(json_agg(json_build_object('day', date '1970-01-01' + u.day, 'since', u.since, 'why', u.why) order by u.day), '[]')
      from unread_days u where u.account = n.account) as "unreadDays",
    (select coalesce(json_agg(json_build_object('name', s.name, 'since', s.failing_since, 'error', coalesce(s.last_error, ''),
        'isParked', s.parked_at is not null) order by s.name), '[]')
      from sync_receivers s where s.account = n.account and s.failing_since is not null
        and s.wanted_at > clock_timestamp() - interval '1 hour') as "failingWebhooks",
    case when a.operator_paused_at is null then a.paused_until end as until, a.pause_code as code, a.pause_reason as reason,
    coalesce(${isPaused('a')}, false) as paused, a.paused_since as "pausedSince",
    a.polled_at as "polledAt", a.poll_note as "pollNote", a.report_path as "reportPath",
    a.read_lag_ms as "readLagMs", a.items_unreadable_since as "itemsUnreadableSince"
  from names n left join account_states a on a.account = n.account
  order by n.account`;

/** Accounts with POs or files that wait for a worker, including accounts that are no longer configured. */
export const listAccountsWithWork = (pool: pg.Pool): Promise<string[]> =>
  columnOf(
    pool,
    `select p.account from purchase_orders p where ${isActive('p')}
     union select account from imports where state = 'taken' order by account`,
  );

/** Rejected and failed POs with which nothing is left to do; `came_again`: another PO of their number counts. */
interface Solved {
  state: 'rejected' | 'failed';
  solved: 'corrected' | 'not_needed' | 'came_again';
  n: number;
}

const sum = (solved: readonly Solved[], wanted: (one: Solved) => boolean): number =>
  solved.filter(wanted).reduce((all, { n }) => all + n, 0);

const less = (states: Record<string, number>, solved: readonly Solved[]): Record<string, number> =>
  Object.fromEntries(
    Object.entries(states).map(([state, n]) => [state, n - sum(solved, (one) => one.state === state)]),
  );

/** Times in JSON are text. */
const withDates = <Row extends { since: Date }>(rows: readonly (Omit<Row, 'since'> & { since: string })[]) =>
  rows.map((row) => ({ ...row, since: new Date(row.since) }) as unknown as Row);

/**
 * Reads the state of each account, the running workers and the holds of job queues.
 * @param options.counts false: omits POs by state, held POs by reason, and orders by status, whose cost grows with the ledger
 */
export const readOverview = async (
  pool: pg.Pool,
  accounts: readonly string[],
  { counts = true }: { counts?: boolean } = {},
): Promise<Overview> => {
  const { rows } = await pool.query({
    name: counts ? 'overview' : 'overview-without-counts',
    text: overviewSql(counts ? countsSql : noCountsSql),
    values: [accounts],
  });
  const stalled = await listStalled(pool, accounts);
  return {
    accounts: rows.map(({ until, code, reason, paused, solved, ...row }) => ({
      ...rowWithoutNulls<AccountOverview>(row),
      stalled: stalled.filter(({ account }) => account === row.account),
      // Subtracted here, so that Postgres can count the states of a million POs with the index alone.
      states: less(row.states, solved),
      corrected: sum(solved, (one) => one.solved === 'corrected'),
      notNeeded: sum(solved, (one) => one.solved === 'not_needed'),
      paused: paused
        ? { until: until ?? undefined, code: code ?? 'paused', reason: reason ?? '' }
        : undefined,
      unknownFiles: withDates(row.unknownFiles),
      fileTroubles: withDates(row.fileTroubles),
      failingWebhooks: withDates(row.failingWebhooks),
      unreadDays: withDates(row.unreadDays),
    })),
    workers: await listWorkers(pool),
    queueHolds: await listQueueHolds(pool),
    maintenance: await listMaintenance(pool),
  };
};
