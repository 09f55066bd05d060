import { orderStatuses } from '../../contract/codes.ts';
import { plainCause } from '../../errors.ts';
import type { MaintenanceTask } from '../../ledger/maintenance.ts';
import type { AccountOverview, Overview } from '../../ledger/overview.ts';
import type { QueueHold } from '../../ledger/queue-holds.ts';
import { redisItself } from '../../queue/holds.ts';
import { tallyOf } from './imports.ts';
import { count, showFileName, showRetry, showText, showTime, showUtc } from './show-text.ts';
import { drawTable } from './table.ts';
import type { Terminal } from './terminal.ts';

/** Counts by order status, in the order in which orders reach them; unknown statuses last. */
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
};

const shownTroubles = 10;

const notesOf = (terminal: Terminal, one: ShownAccount): string[] => {
  const held = Object.entries(one.heldFor).map(([code, n]) => `${n} ${code}`);
  const red = (text: string) => terminal.paint('red', text);
  const more = one.fileTroubles.length - shownTroubles;
  const lagSeconds = Math.ceil((one.readLagMs ?? 0) / 1000);
  const notes = [
    ...one.troubles.map((trouble) => red(showText(trouble))),
    one.paused &&
      red(
        `paused (${one.paused.code})${one.pausedSince ? ` since ${showTime(one.pausedSince)}` : ''}, ${showRetry(one.paused.until)}: ${showText(plainCause(one.paused.reason))}`,
      ),
    one.closed !== undefined && `closed now, so files and orders wait: ${one.closed}`,
    one.pollNote && `the last status check failed: ${showText(plainCause(one.pollNote))}`,
    ...one.failingWebhooks.map(({ name, since, error, isParked }) =>
      red(
        `the webhook ${name} has confirmed no change since ${showTime(since)}${isParked ? ' and is sent nothing any more' : ''}: ${showText(error)}`,
      ),
    ),
    ...one.unreadDays
      .slice(0, shownTroubles)
      .map(
        ({ day, since, why }) =>
          `since ${showTime(since)} the service has not answered which orders it has of ${day} (${showText(plainCause(why))}), so they are looked up one by one and the day is tried again later. Ask the operator of the service.`,
      ),
    held.length > 0 && terminal.paint('yellow', `held POs: ${held.join(', ')}`),
    one.corrected > 0 && `${count(one.corrected, 'rejected PO')} corrected in a later file`,
    one.alarms > 0 && red(`${count(one.alarms, 'PO')} with an alarm; see the result files`),
    one.readLagMs !== undefined &&
      `the service shows changes up to ${lagSeconds} s late, and POs wait for them. Set accounts.${one.account}.readLag to ${lagSeconds}s.`,
    one.itemsUnreadableSince &&
      `since ${showTime(one.itemsUnreadableSince)} the service has shown orders without readable items, so their quantities are not compared with the files.`,
    ...one.fileTroubles
      .slice(0, shownTroubles)
      .map(({ fileName, message, since }) =>
        red(`${showFileName(fileName)} (since ${showTime(since)}): ${showText(message)}`),
      ),
    more > 0 && `${count(more, 'more file')} with problems; --json shows all of them`,
    ...one.unknownFiles.map(
      ({ files, fileName, since }) =>
        `${files === 1 ? showFileName(fileName) : `${count(files, 'file')} such as ${showFileName(fileName)}`} ${files === 1 ? 'waits' : 'wait'} for somebody to say what ${files === 1 ? 'it means' : 'they mean'} (since ${showTime(since)})`,
    ),
    one.unread > 0 &&
      `${count(one.unread, 'file')} waiting for a worker to read ${one.unread === 1 ? 'it' : 'them'} (since ${showTime(one.unreadSince!)})`,
  ];
  return notes.flatMap((note) => (note ? [terminal.wrap(`${one.account}: ${note}`)] : []));
};

/** What is wrong with a job queue that is paused or limited, or with its Redis, and what to do about it. */
export const holdSentence = ({ queue, what, noticedAt }: QueueHold): string =>
  queue === redisItself
    ? `Redis may evict jobs when its memory is full (maxmemory-policy ${what}, since ${showTime(noticedAt)}). POs are placed later then, and none is lost. Set maxmemory-policy to noeviction.`
    : `The job queue ${queue} has been ${what} since ${showTime(noticedAt)}. Resume it on the console's queues page, or set console.queues.readOnly to true.`;

/** Why a backup, or the removal of what is old, has failed. */
export const maintenanceSentence = ({ task, failedBecause }: MaintenanceTask): string => {
  const what =
    task === 'backup' ? 'The backup of the ledger failed' : `Removing what is old failed (${showText(task)})`;
  const fix = task === 'backup' ? 'Check backup.folder and its disk.' : 'Check the folder of the account.';
  return `${what}: ${showText(plainCause(failedBecause ?? ''))}. ${fix} It is tried again every hour.`;
};

const describeHold = (terminal: Terminal, hold: QueueHold): string =>
  hold.liftedAt
    ? `The job queue ${hold.queue} was ${hold.what} from outside; a worker resumed it at ${showTime(hold.liftedAt)}.`
    : terminal.paint('red', holdSentence(hold));

const describeWorkers = (workers: Overview['workers']): string => {
  if (workers.length === 0) return 'No worker is running; start one with `cartwright up`.';
  const list = (some: Overview['workers']) =>
    some
      .map(({ host, pid, startedAt }) => `process ${pid} on ${host} (since ${showTime(startedAt)})`)
      .join(', ');
  const placing = workers.filter(({ slots }) => slots > 0);
  const others = workers.filter(({ slots }) => slots === 0);
  const files = others.length > 0 ? `Only for files: ${list(others)}.` : '';
  return placing.length === 0
    ? `No worker that places orders is running; start one with \`cartwright work\` or \`cartwright up\`. ${files}`
    : `${count(placing.length, 'worker')} running: ${list(placing)}${files && `. ${files}`}`;
};

const lastCheck = ({ polledAt, pollNote }: ShownAccount): string => {
  if (!polledAt) return 'never';
  return `${showUtc(polledAt)}${pollNote ? '\nfailed' : ''}`;
};

/** The counts of all accounts, their problems, and the running workers. */
export const drawOverview = (
  terminal: Terminal,
  {
    accounts,
    workers,
    queueHolds,
    maintenance,
  }: Omit<Overview, 'accounts'> & { accounts: readonly ShownAccount[] },
): string => {
  const table = drawTable(
    terminal,
    [
      { head: 'Account' },
      { head: 'Ordered', align: 'right' },
      { head: 'In progress', align: 'right' },
      { head: 'Held', align: 'right' },
      { head: 'Rejected', align: 'right' },
      { head: 'Failed', align: 'right' },
      { head: 'Last status\ncheck (UTC)' },
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
  const orders = accounts.flatMap(({ account, orderStatuses }) => {
    const statuses = listStatuses(orderStatuses);
    return statuses === '' ? [] : [terminal.wrap(`Orders of ${account}: ${statuses}`)];
  });
  return [
    table,
    '',
    ...orders,
    ...accounts.flatMap((one) => notesOf(terminal, one)),
    ...queueHolds.map((hold) => terminal.wrap(describeHold(terminal, hold))),
    ...maintenance.flatMap((task) => {
      if (task.failedBecause !== null)
        return [terminal.wrap(terminal.paint('red', maintenanceSentence(task)))];
      return task.task === 'backup'
        ? [terminal.wrap(`Last backup: ${showTime(task.endedAt!)}, ${showText(task.result!)}`)]
        : [];
    }),
    terminal.wrap(describeWorkers(workers)),
  ].join('\n');
};
