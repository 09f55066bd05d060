import { orderStatuses } from '../../contract/codes.ts';
import { plainCause } from '../../errors.ts';
import { type MaintenanceTask, retryMinutesOf } from '../../ledger/maintenance.ts';
import type { AccountOverview, Overview } from '../../ledger/overview.ts';
import { msToGo, type Progress } from '../../ledger/progress.ts';
import type { QueueHold } from '../../ledger/queue-holds.ts';
import { serviceCause } from '../../placing/service-causes.ts';
import { redisItself } from '../../queue/holds.ts';
import type { InboxFile } from '../inbox-files.ts';
import type { Need } from '../needs-person.ts';
import { tallyOf } from './imports.ts';
import { atMost, drawNeeds } from './needs.ts';
import { count, showFileName, showRetry, showText, showTime, showUtc } from './show-text.ts';
import { drawTable, right } from './table.ts';
import type { Terminal } from './terminal.ts';

/** Counts by order status, in the usual order of statuses; unknown ones last. */
export const listStatuses = (statuses: Record<string, number>): string => {
  const rank = (status: string) => {
    const at = (orderStatuses as readonly string[]).indexOf(status);
    return at === -1 ? orderStatuses.length : at;
  };
  return Object.entries(statuses)
    .sort(([one], [other]) => rank(one) - rank(other) || one.localeCompare(other))
    .map(([status, n]) => `${n} ${status === '' ? 'not checked yet' : showText(status)}`)
    .join(', ');
};

/** An account with its problems, in sentences. */
export type ShownAccount = AccountOverview & {
  troubles: readonly string[];
  /** Why its files and orders wait for its opening hours. */
  closed?: string | undefined;
  /** What needs a person. */
  problems: readonly Need[];
};

const shownDays = 3;

/** Notes about an account that need no action; problems are shown before. */
const notesOf = (terminal: Terminal, one: ShownAccount): string[] => {
  const lagSeconds = Math.ceil((one.readLagMs ?? 0) / 1000);
  const { cancelled } = tallyOf(one.states);
  const isNamed = (code: Need['code']) => one.problems.some((problem) => problem.code === code);
  const notes = [
    one.paused &&
      !isNamed('account_paused') &&
      `paused (${one.paused.code})${one.pausedSince ? ` since ${showTime(one.pausedSince)}` : ''}, ${showRetry(one.paused.until)}: ${showText(plainCause(one.paused.reason))}. ${serviceCause(one.paused.code, one.account).advice}`,
    one.closed !== undefined && `closed now, so files and orders wait: ${one.closed}`,
    one.pollNote &&
      !isNamed('poll_failed') &&
      `the last status check failed: ${showText(plainCause(one.pollNote))}`,
    ...(isNamed('sync_failing') ? [] : one.failingWebhooks).map(
      ({ name, since, error }) =>
        `the webhook ${name} has confirmed no change since ${showTime(since)}: ${showText(error)}`,
    ),
    ...one.unreadDays
      .slice(0, shownDays)
      .map(
        ({ day, since, why }) =>
          `since ${showTime(since)} the service has not answered which orders it has of ${day} (${showText(plainCause(why))}), so they are looked up one by one and the day is tried again later. Ask the operator of the service.`,
      ),
    cancelled > 0 && `${count(cancelled, 'PO')} cancelled`,
    one.corrected > 0 && `${count(one.corrected, 'PO')} corrected in a later file`,
    one.notNeeded > 0 && `${count(one.notNeeded, 'PO')} not needed, as a person says`,
    one.readLagMs !== undefined &&
      `the service shows changes up to ${lagSeconds} s late, and POs wait for them. Set accounts.${one.account}.readLag to ${lagSeconds}s.`,
    one.itemsUnreadableSince &&
      `since ${showTime(one.itemsUnreadableSince)} the service has shown orders without readable items, so their quantities are not compared with the files.`,
    one.unread > 0 &&
      !isNamed('files_waiting') &&
      `${count(one.unread, 'file')} waiting for a worker to read ${one.unread === 1 ? 'it' : 'them'} (since ${showTime(one.unreadSince!)})`,
  ];
  return notes.flatMap((note) => (note ? [terminal.wrap(`${one.account}: ${note}`)] : []));
};

/** The problem of a paused or limited job queue, or of its Redis, and what to do about it. */
export const holdSentence = ({ queue, what, noticedAt }: QueueHold): string =>
  queue === redisItself
    ? `Redis may evict jobs when its memory is full (maxmemory-policy ${what}, since ${showTime(noticedAt)}). POs are placed later then, and none is lost. Set maxmemory-policy to noeviction.`
    : `The job queue ${queue} has been ${what} since ${showTime(noticedAt)}. Resume it on the console's queues page, or set console.queues.readOnly to true.`;

/** Why a backup or the removal of old data failed. */
export const maintenanceSentence = ({ task, failedBecause }: MaintenanceTask): string => {
  const what =
    task === 'backup' ? 'The backup of the ledger failed' : `Removing what is old failed (${showText(task)})`;
  const fix =
    task === 'backup'
      ? 'Check backup.folder and its disk.'
      : 'Check the disk of the database, and the folder of the account and its disk.';
  return `${what}: ${showText(plainCause(failedBecause ?? ''))}. ${fix} It is tried again every ${retryMinutesOf(task)} minutes.`;
};

const describeLifted = ({ queue, what, liftedAt }: QueueHold): string =>
  `The job queue ${queue} was ${what} from outside; a worker resumed it at ${showTime(liftedAt!)}.`;

/** The running workers. Having none is a problem and reported with the others. */
const describeWorkers = (workers: Overview['workers']): string => {
  const list = (some: Overview['workers']) =>
    some
      .map(({ host, pid, startedAt }) => `process ${pid} on ${host} (since ${showTime(startedAt)})`)
      .join(', ');
  const placing = workers.filter(({ slots }) => slots > 0);
  const others = workers.filter(({ slots }) => slots === 0);
  return [
    ...(placing.length > 0 ? [`${count(placing.length, 'worker')} running: ${list(placing)}`] : []),
    ...(others.length > 0 ? [`Only for files: ${list(others)}`] : []),
  ].join('. ');
};

const lastCheck = ({ polledAt, pollNote }: ShownAccount): string => {
  if (!polledAt) return 'never';
  return `${showUtc(polledAt)}${pollNote ? '\nfailed' : ''}`;
};

const drawAccounts = (terminal: Terminal, accounts: readonly ShownAccount[]): string =>
  drawTable(
    terminal,
    [
      'Account',
      right('Ordered'),
      right('In progress'),
      right('Held'),
      right('Rejected'),
      right('Failed'),
      'Last status\ncheck (UTC)',
    ],
    accounts.map((one) => {
      const tally = tallyOf(one.states);
      return [
        one.account,
        String(tally.ordered),
        String(tally.inProgress),
        String(tally.held),
        String(tally.rejected),
        String(tally.failed),
        lastCheck(one),
      ];
    }),
  );

/** Further files and accounts are only counted, so that the next section stays visible. */
const most = { files: 5, accounts: 12 };

/** `about 1 h 20 min`, `about 12 min`, `less than a minute`. */
const showDuration = (ms: number): string => {
  const minutes = Math.round(ms / 60_000);
  if (minutes < 1) return 'less than a minute';
  return minutes < 60 ? `about ${minutes} min` : `about ${Math.floor(minutes / 60)} h ${minutes % 60} min`;
};

const describeProgress = (progress: Progress): string => {
  const { account, toGo, all } = progress;
  const left = msToGo(progress, new Date());
  const numbers = `${toGo.toLocaleString('en-US')} of ${all.toLocaleString('en-US')} POs to go`;
  return `${account}: ${numbers}${left === undefined ? '' : `, ${showDuration(left)}`}`;
};

/** Files in inboxes; one line per account and reason. */
const describeInbox = (files: readonly InboxFile[]): string[] => {
  const groups = new Map<string, InboxFile[]>();
  for (const file of files) {
    const key = `${file.account.name}: ${file.why}`;
    groups.set(key, [...(groups.get(key) ?? []), file]);
  }
  return [...groups.values()].map((those) => {
    const [{ account, fileName, why }] = those as [InboxFile];
    const others = those.length > 1 ? ` and ${count(those.length - 1, 'other')}` : '';
    return `${account.name}: ${showFileName(fileName)}${others}: ${showText(why)}`;
  });
};

export interface ShownOverview extends Omit<Overview, 'accounts'> {
  accounts: readonly ShownAccount[];
  /** The needs of all accounts. */
  needs: readonly Need[];
  progress: readonly Progress[];
  inbox: readonly InboxFile[];
}

const isBusy = ({ states }: ShownAccount): boolean => tallyOf(states).inProgress > 0;

/** Needs, then running work, then the accounts: those with problems first; quiet ones share one line if there are many. */
export const drawOverview = (
  terminal: Terminal,
  { accounts, needs, progress, inbox, workers, queueHolds, maintenance }: ShownOverview,
): string => {
  const hasNotes = new Map(accounts.map((one) => [one, notesOf(terminal, one)]));
  const rank = (one: ShownAccount): number =>
    one.problems.length > 0 ? 0 : isBusy(one) ? 1 : hasNotes.get(one)!.length > 0 ? 2 : 3;
  const sorted = [...accounts].sort(
    (one, other) => rank(one) - rank(other) || one.account.localeCompare(other.account),
  );
  const isFew = sorted.length <= most.accounts;
  const shown = isFew ? sorted : sorted.filter((one) => rank(one) < 3).slice(0, most.accounts);
  const quiet = isFew ? 0 : sorted.filter((one) => rank(one) === 3).length;
  const others = sorted.length - shown.length - quiet;
  const orders = shown.flatMap(({ account, orderStatuses }) => {
    const statuses = listStatuses(orderStatuses);
    return statuses === '' ? [] : [terminal.wrap(`Orders of ${account}: ${statuses}`)];
  });
  return [
    ...drawNeeds(terminal, needs),
    ...progress.map((one) => terminal.wrap(describeProgress(one))),
    ...atMost(
      describeInbox(inbox).map((line) => terminal.wrap(line)),
      most.files,
      (n) => `and ${count(n, 'more reason')} why files are in an inbox; --json shows all of them`,
    ),
    '',
    ...(shown.length > 0 ? [drawAccounts(terminal, shown)] : []),
    ...(others > 0
      ? [`${count(others, 'more account')} with something to do; --json shows all of them`]
      : []),
    ...(quiet > 0 ? [`${count(quiet, 'account')} ${quiet === 1 ? 'has' : 'have'} nothing to do`] : []),
    '',
    ...orders,
    ...shown.flatMap((one) => hasNotes.get(one)!),
    ...queueHolds.flatMap((hold) => (hold.liftedAt ? [terminal.wrap(describeLifted(hold))] : [])),
    ...maintenance.flatMap(({ task, failedBecause, endedAt, result }) =>
      task === 'backup' && failedBecause === null
        ? [terminal.wrap(`Last backup: ${showTime(endedAt!)}, ${showText(result!)}`)]
        : [],
    ),
    ...(workers.length > 0 ? [terminal.wrap(describeWorkers(workers))] : []),
  ].join('\n');
};
