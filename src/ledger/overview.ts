import type pg from 'pg';
import type { FileTrouble } from '../intake/file-troubles.ts';
import { activeStates, type PurchaseOrderState } from '../placing/types.ts';
import { listQueueHolds, type QueueHold } from './queue-holds.ts';
import { type LiveWorker, listWorkers } from './workers.ts';

/** Where an account stands. */
export interface AccountOverview {
  account: string;
  /** POs by state. Rejected POs that a later file corrected are not counted here. */
  states: Partial<Record<PurchaseOrderState, number>>;
  /** Rejected POs that a later file corrected. */
  corrected: number;
  /** Held POs by reason code. */
  heldFor: Record<string, number>;
  /** Orders by the service's word for their status; orders that no poll has shown yet under `''`. */
  orderStatuses: Record<string, number>;
  /** Files that were taken and are not read yet. */
  unread: number;
  /** When the oldest of these was taken. */
  unreadSince: Date | undefined;
  /** When the last of the POs changed its state; only where a PO is due that nobody works on. */
  movedAt: Date | undefined;
  /** POs whose order does not have the file's quantities, or about which a person must know something else. */
  alarms: number;
  /** What keeps files from being picked up, and files that a person has to look at. */
  fileTroubles: (FileTrouble & { since: Date })[];
  /** When the first of the pauses began after which no call has succeeded. */
  pausedSince: Date | undefined;
  paused: { until: Date; code: string; reason: string } | undefined;
  polledAt: Date | undefined;
  /** Why the last poll failed. */
  pollNote: string | undefined;
  reportPath: string | undefined;
  /** How much later than it was answered something could be read at the service, at most so far; undefined: never noticed. */
  readLagMs: number | undefined;
  /** Since when the service has shown orders without readable items, so that quantities are not compared. */
  itemsUnreadableSince: Date | undefined;
}

export interface Overview {
  accounts: AccountOverview[];
  workers: LiveWorker[];
  /** Job queues that somebody paused or limited. */
  queueHolds: QueueHold[];
}

const active = activeStates.map((state) => `'${state}'`).join(', ');

const overviewSql = `
  with names as (select unnest($1::text[]) as account)
  select n.account,
    (select coalesce(jsonb_object_agg(state, c), '{}') from (
      select state, count(*) as c from purchase_orders where account = n.account group by state) s) as states,
    (select count(*)::int from purchase_orders
      where account = n.account and state = 'rejected' and reason_code = 'corrected') as corrected,
    (select coalesce(jsonb_object_agg(code, c), '{}') from (
      select coalesce(reason_code, 'unknown') as code, count(*) as c from purchase_orders
      where account = n.account and state = 'held' group by 1) s) as "heldFor",
    (select coalesce(jsonb_object_agg(status, c), '{}') from (
      select coalesce(order_status, '') as status, count(*) as c from orders
      where account = n.account group by 1) s) as "orderStatuses",
    (select count(*)::int from imports where account = n.account and state = 'taken') as unread,
    (select min(taken_at) from imports where account = n.account and state = 'taken') as "unreadSince",
    (select max(changed_at) from purchase_orders where account = n.account and exists (
      select from purchase_orders d where d.account = n.account and d.state in (${active})
        and d.lease_owner is null and d.next_at < clock_timestamp())) as "movedAt",
    (select count(*)::int from purchase_orders where account = n.account and alarm is not null) as alarms,
    (select coalesce(json_agg(json_build_object('fileName', f.file_name, 'code', f.code, 'message', f.message,
        'since', f.since) order by f.since, f.file_name), '[]')
      from file_troubles f where f.account = n.account) as "fileTroubles",
    a.paused_until as until, a.pause_code as code, a.pause_reason as reason,
    a.paused_until > clock_timestamp() as paused, a.paused_since as "pausedSince",
    a.polled_at as "polledAt", a.poll_note as "pollNote", a.report_path as "reportPath",
    a.read_lag_ms as "readLagMs", a.items_unreadable_since as "itemsUnreadableSince"
  from names n left join account_states a on a.account = n.account
  order by n.account`;

/** Accounts with POs or files that wait for a worker; also those that are in no configuration any more. */
export const listAccountsWithWork = async (pool: pg.Pool): Promise<string[]> => {
  const states = activeStates.map((state) => `'${state}'`).join(', ');
  const { rows } = await pool.query<{ account: string }>(
    `select account from purchase_orders where state in (${states})
     union select account from imports where state = 'taken' order by account`,
  );
  return rows.map(({ account }) => account);
};

/** What a person wants to know first: each account's POs and orders, what keeps it back, and who works. */
export const readOverview = async (pool: pg.Pool, accounts: readonly string[]): Promise<Overview> => {
  const { rows } = await pool.query({ name: 'overview', text: overviewSql, values: [accounts] });
  return {
    accounts: rows.map(({ until, code, reason, paused, ...row }) => ({
      ...row,
      // Subtracted, so that the states of a million POs are counted from their index alone.
      states:
        row.corrected === 0
          ? row.states
          : { ...row.states, rejected: (row.states.rejected ?? 0) - row.corrected },
      paused: paused ? { until, code: code ?? 'paused', reason: reason ?? '' } : undefined,
      fileTroubles: row.fileTroubles.map((one: { since: string }) => ({
        ...one,
        since: new Date(one.since),
      })),
      unreadSince: row.unreadSince ?? undefined,
      movedAt: row.movedAt ?? undefined,
      pausedSince: row.pausedSince ?? undefined,
      polledAt: row.polledAt ?? undefined,
      pollNote: row.pollNote ?? undefined,
      reportPath: row.reportPath ?? undefined,
      readLagMs: row.readLagMs ?? undefined,
      itemsUnreadableSince: row.itemsUnreadableSince ?? undefined,
    })),
    workers: await listWorkers(pool),
    queueHolds: await listQueueHolds(pool),
  };
};
