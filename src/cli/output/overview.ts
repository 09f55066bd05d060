import { orderStatuses } from '../../contract/codes.ts';
import type { AccountOverview, Overview } from '../../ledger/overview.ts';
import { tallyOf } from './imports.ts';
import { count, showFileName, showText, showTime } from './show-text.ts';
import { drawTable } from './table.ts';
import type { Terminal } from './terminal.ts';

/** Order statuses in the order in which orders reach them; unknown ones after them, as the service writes them. */
export const listStatuses = (statuses: Record<string, number>): string => {
  const rank = (status: string) => {
    const at = (orderStatuses as readonly string[]).indexOf(status);
    return at === -1 ? orderStatuses.length : at;
  };
  return Object.entries(statuses)
    .sort(([one], [other]) => rank(one) - rank(other) || one.localeCompare(other))
    .map(([status, n]) => `${n} ${status === '' ? 'not polled yet' : showText(status)}`)
    .join(', ');
};

/** An account with what keeps it from being served, in sentences. */
export type ShownAccount = AccountOverview & { troubles: readonly string[] };

const shownTroubles = 10;

const remarks = (terminal: Terminal, one: ShownAccount): string[] => {
  const held = Object.entries(one.heldFor).map(([code, n]) => `${n} ${code}`);
  return [
    ...one.troubles.map((trouble) => terminal.paint('red', `${one.account}: ${showText(trouble)}`)),
    ...(one.paused
      ? [
          terminal.paint(
            'red',
            `${one.account} pauses until ${showTime(one.paused.until)}: ${showText(one.paused.reason)} (${one.paused.code})`,
          ),
        ]
      : []),
    ...(one.pollNote ? [`${one.account}: the last poll failed: ${showText(one.pollNote)}`] : []),
    ...(held.length > 0 ? [terminal.paint('yellow', `${one.account} has held: ${held.join(', ')}`)] : []),
    ...(one.corrected > 0
      ? [`${one.account}: ${count(one.corrected, 'rejected PO')} corrected in a later file`]
      : []),
    ...(one.alarms > 0
      ? [
          terminal.paint(
            'red',
            `${one.account}: ${count(one.alarms, 'PO')} with an alarm; see the result files`,
          ),
        ]
      : []),
    ...(one.readLagMs !== undefined
      ? [
          `${one.account}: the service shows what was written only up to ${Math.ceil(one.readLagMs / 1000)} s later, and POs wait for it. Set accounts.${one.account}.readLag to ${Math.ceil(one.readLagMs / 1000)}s.`,
        ]
      : []),
    ...(one.itemsUnreadableSince
      ? [
          `${one.account}: the service shows no readable items of orders (since ${showTime(one.itemsUnreadableSince)}), so quantities are not compared with the files.`,
        ]
      : []),
    ...one.fileTroubles
      .slice(0, shownTroubles)
      .map(({ fileName, message, since }) =>
        terminal.paint(
          'red',
          `${one.account}: ${showFileName(fileName)} (since ${showTime(since)}): ${showText(message)}`,
        ),
      ),
    ...(one.fileTroubles.length > shownTroubles
      ? [
          `${one.account}: and ${count(one.fileTroubles.length - shownTroubles, 'more file')} like these; see --json`,
        ]
      : []),
    ...(one.unread > 0 ? [`${one.account}: ${count(one.unread, 'file')} not read yet`] : []),
  ];
};

/** What to do about a queue that is held. */
export const holdAdvice = 'resume it in the queue view, or set queueView.readOnly to true.';

/** Where all accounts stand, what keeps them back, and who works. */
export const drawOverview = (
  terminal: Terminal,
  { accounts, workers, queueHolds }: Omit<Overview, 'accounts'> & { accounts: readonly ShownAccount[] },
): string => {
  const table = drawTable(
    terminal,
    [
      { head: 'Account' },
      { head: 'Ordered', align: 'right' },
      { head: 'Under way', align: 'right' },
      { head: 'Held', align: 'right' },
      { head: 'Rejected', align: 'right' },
      { head: 'Failed', align: 'right' },
      { head: 'Orders by status', wraps: true },
      { head: 'Polled' },
    ],
    accounts.map((one) => {
      const tally = tallyOf(one.states);
      return [
        one.account,
        String(tally.ordered),
        String(tally.underWay),
        String(tally.held),
        String(tally.rejected),
        String(tally.failed),
        listStatuses(one.orderStatuses),
        one.polledAt ? showTime(one.polledAt) : 'never',
      ];
    }),
  );
  const living =
    workers.length === 0
      ? 'No worker runs; `cartwright up` starts one.'
      : `${count(workers.length, 'worker')}: ${workers.map(({ host, pid, startedAt }) => `${host} ${pid} since ${showTime(startedAt)}`).join(', ')}`;
  const held = queueHolds.map(({ queue, what, noticedAt, liftedAt }) =>
    liftedAt
      ? `The job queue ${queue} was ${what} by somebody else; a worker put it right at ${showTime(liftedAt)}.`
      : terminal.paint(
          'red',
          `The job queue ${queue} is ${what} since ${showTime(noticedAt)}: ${holdAdvice}`,
        ),
  );
  return [table, '', ...accounts.flatMap((one) => remarks(terminal, one)), ...held, living].join('\n');
};
