import { Gauge, type Registry } from 'prom-client';
import type { AccountFigures, LedgerFigures } from '../ledger/figures.ts';
import { nameAccounts, otherAccounts } from './name-accounts.ts';

interface LedgerMetricsOptions {
  /** How many accounts have metrics of their own. */
  most: number;
  /** When the next status check after this one is due; undefined: not known here. */
  pollDueAfter(account: string, polledAt: Date): Date | undefined;
  /** Whether an account is outside its opening hours, so that waiting POs and files are no problem. */
  isClosed(account: string, now: Date): boolean;
  /** The due time of the regular backup after the last one; may be in the past. Undefined: none configured here. */
  backupDue(lastDueAt: Date): Date | undefined;
}

const secondsSince = (since: Date | undefined, now: Date): number =>
  since === undefined ? 0 : Math.max(0, (now.getTime() - since.getTime()) / 1000);

/** The figures of the ledger as gauges. Values of accounts that are 0 are left out, except the numbers of POs. */
export const addLedgerMetrics = (
  registry: Registry,
  { most, pollDueAfter, isClosed, backupDue }: LedgerMetricsOptions,
): ((figures: LedgerFigures, now: Date) => void) => {
  const clear: (() => void)[] = [];
  const gauge = <L extends string>(name: string, help: string, labelNames: L[] = []): Gauge<L> => {
    const made = new Gauge({ name: `cartwright_${name}`, help, labelNames, registers: [registry] });
    clear.push(() => made.reset());
    return made;
  };
  const orders = gauge('purchase_orders', 'Purchase orders by account and state.', ['account', 'state']);
  const holds = gauge('held_purchase_orders', 'Held purchase orders by reason.', ['reason']);
  const alarms = gauge('alarms', 'Purchase orders with an unsettled alarm.', ['account']);
  const stalled = gauge(
    'stalled_purchase_orders',
    'Purchase orders that make no progress although nothing keeps them waiting, of accounts that are open now.',
    ['account'],
  );
  const waiting = gauge(
    'oldest_waiting_purchase_order_seconds',
    'How long the oldest purchase order that is to be placed has not changed, of accounts that are open now.',
    ['account'],
  );
  const webhooks = gauge('failing_webhooks', 'Webhooks that do not confirm changes.', ['account']);
  const files = gauge('files', 'Purchase files in the ledger by state.', ['state']);
  const rows = gauge('file_rows', 'Rows of the purchase files in the ledger.');
  const unread = gauge('unread_files', 'Files that were picked up and not read yet.', ['account']);
  const unreadFor = gauge(
    'oldest_unread_file_seconds',
    'How long the oldest of them waits, of accounts that are open now.',
    ['account'],
  );
  const troubles = gauge('file_problems', 'Files that cannot be picked up or need attention.', ['account']);
  const paused = gauge('account_paused', 'Paused accounts by the reason of the pause.', ['account', 'code']);
  const failed = gauge('poll_failed', 'Accounts whose last status check failed.', ['account']);
  const lag = gauge('poll_lag_seconds', 'How long the next successful status check is overdue.', ['account']);
  const success = gauge(
    'schedule_last_success_timestamp_seconds',
    'When a schedule last succeeded: poll or report. Of several accounts the earliest.',
    ['account', 'schedule'],
  );
  const workers = gauge('workers', 'Running processes by what they do: placing orders, or only files.', [
    'role',
  ]);
  const heldQueues = gauge('held_queues', 'Job queues that somebody has paused or limited.');
  const undelivered = gauge(
    'undelivered_notifications',
    'Messages to people that are due and not delivered.',
  );
  const undeliveredFor = gauge(
    'oldest_undelivered_notification_seconds',
    'How long the oldest of them is due.',
  );
  const backedUp = gauge('last_backup_timestamp_seconds', 'When the last regular backup was made.');
  const backupLag = gauge(
    'backup_overdue_seconds',
    'How long the regular backup is overdue; only where backup.folder is set.',
  );

  /** Combines several accounts: counts are added, and the largest age is used. */
  const show = (account: string, some: readonly AccountFigures[], now: Date): void => {
    const add = (to: Gauge<'account'>, of: (one: AccountFigures) => number) => {
      const value = some.reduce((sum, one) => sum + of(one), 0);
      if (value > 0) to.set({ account }, value);
    };
    const longest = (to: Gauge<'account'>, of: (one: AccountFigures) => number) => {
      const value = Math.max(...some.map(of));
      if (value > 0) to.set({ account }, Math.round(value));
    };
    const earliest = (schedule: string, of: (one: AccountFigures) => Date | undefined) => {
      const times = some.flatMap((one) => of(one)?.getTime() ?? []);
      if (times.length > 0) success.set({ account, schedule }, Math.round(Math.min(...times) / 1000));
    };
    for (const { states, pauseCode } of some) {
      for (const [state, n] of Object.entries(states)) orders.inc({ account, state }, n);
      if (pauseCode !== undefined) paused.inc({ account, code: pauseCode });
    }
    add(alarms, (one) => one.alarms);
    add(stalled, (one) => (isClosed(one.account, now) ? 0 : one.stalled));
    add(unread, (one) => one.unread);
    add(troubles, (one) => one.fileProblems);
    add(webhooks, (one) => one.failingWebhooks);
    add(failed, (one) => Number(one.pollFailed));
    const whileOpen = (name: string, since: Date | undefined) =>
      isClosed(name, now) ? 0 : secondsSince(since, now);
    longest(waiting, ({ account: name, waitingSince }) => whileOpen(name, waitingSince));
    longest(unreadFor, ({ account: name, unreadSince }) => whileOpen(name, unreadSince));
    longest(lag, ({ account: name, polledAt }) =>
      secondsSince(polledAt && (pollDueAfter(name, polledAt) ?? now), now),
    );
    earliest('poll', ({ polledAt }) => polledAt);
    earliest('report', ({ reportWrittenAt }) => reportWrittenAt);
  };

  /** When this process first found no backup: the ledger does not know since when there should be one. */
  let neverBackedUpSince: Date | undefined;
  return (figures, now) => {
    neverBackedUpSince = figures.backup ? undefined : (neverBackedUpSince ?? now);
    for (const one of clear) one();
    const { named, others } = nameAccounts(figures.accounts, most);
    for (const one of named) show(one.account, [one], now);
    if (others.length > 0) show(otherAccounts, others, now);
    for (const [reason, n] of Object.entries(figures.holds)) holds.set({ reason }, n);
    for (const [state, n] of Object.entries(figures.files)) files.set({ state }, n);
    rows.set(figures.rows);
    for (const [role, n] of Object.entries(figures.workers)) workers.set({ role }, n);
    heldQueues.set(figures.heldQueues);
    undelivered.set(figures.undelivered);
    undeliveredFor.set(Math.round(secondsSince(figures.undeliveredSince, now)));
    const { backup } = figures;
    // Without a value, a gauge without labels would show 0: a backup of 1970.
    if (backup) backedUp.set(Math.round(backup.endedAt.getTime() / 1000));
    else backedUp.remove();
    const due = backupDue(backup?.dueAt ?? neverBackedUpSince ?? now);
    if (due) backupLag.set(Math.round(secondsSince(due, now)));
    else backupLag.remove();
  };
};
