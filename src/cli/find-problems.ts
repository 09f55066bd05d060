import type { AccountOverview, Overview } from '../ledger/overview.ts';
import { holdAdvice } from './output/overview.ts';
import { count, showFileName, showText, showTime } from './output/show-text.ts';

/** Something that keeps orders from being placed or watched until a person acts. */
export interface Problem {
  code:
    | 'no_worker'
    | 'queue_held'
    | 'account_trouble'
    | 'account_paused'
    | 'poll_failed'
    | 'held'
    | 'alarm'
    | 'file_trouble'
    | 'files_waiting'
    | 'orders_stalled';
  account?: string;
  /** What is wrong and what to do, in sentences. */
  message: string;
}

/** The account's own troubles: it cannot be opened, its files cannot be taken. One sentence each. */
type WithTroubles = AccountOverview & { troubles?: readonly string[] };

/** Shorter waits are normal operation: a rate limit, a long queue of files. */
const patienceMs = 10 * 60_000;

const problemsOf = (one: WithTroubles, now: Date): Problem[] => {
  const { account, paused } = one;
  const problem = (code: Problem['code'], holds: boolean, message: () => string): Problem[] =>
    holds ? [{ code, account, message: `${account}: ${message()}` }] : [];
  const isOld = (since: Date | undefined) =>
    since !== undefined && now.getTime() - since.getTime() > patienceMs;
  const isShort = paused?.code === 'rate_limited' && paused.until.getTime() - now.getTime() <= patienceMs;
  const held = Object.values(one.heldFor).reduce((sum, n) => sum + n, 0);
  const codes = Object.entries(one.heldFor).map(([code, n]) => `${n} ${code}`);
  return [
    ...(one.troubles ?? []).flatMap((trouble) => problem('account_trouble', true, () => showText(trouble))),
    ...problem('account_paused', (paused !== undefined && !isShort) || isOld(one.pausedSince), () => {
      const since = one.pausedSince ? `no call has succeeded since ${showTime(one.pausedSince)}. ` : '';
      const until = paused
        ? `Paused until ${showTime(paused.until)} (${paused.code}): ${showText(paused.reason)}. `
        : '';
      const advice =
        paused?.code === 'rate_limited'
          ? 'Ask the operator of the service about its rate limit, or set callsPerSecond.'
          : "Check the account's baseUrl and credential, and the service.";
      return `${since}${until}${advice}`;
    }),
    ...problem(
      'poll_failed',
      one.pollNote !== undefined,
      () => `the last status check failed: ${showText(one.pollNote!)}. Check the service.`,
    ),
    ...problem(
      'held',
      held > 0,
      () =>
        `${count(held, 'PO')} held (${codes.join(', ')}). See docs/operating.md, then release, adopt or cancel.`,
    ),
    ...problem(
      'alarm',
      one.alarms > 0,
      () =>
        `${count(one.alarms, 'PO')} with an alarm. \`cartwright status PO\` and the result files name the cause.`,
    ),
    ...one.fileTroubles.flatMap(({ fileName, message, since }) =>
      problem(
        'file_trouble',
        true,
        () => `${showFileName(fileName)} (since ${showTime(since)}): ${showText(message)}`,
      ),
    ),
    ...problem(
      'files_waiting',
      isOld(one.unreadSince),
      () =>
        `${count(one.unread, 'file')} not read since ${showTime(one.unreadSince!)}. Start a worker that can read this account's folder, or check the log of the workers.`,
    ),
    ...problem(
      'orders_stalled',
      paused === undefined && isOld(one.movedAt),
      () => `POs are due, and none has moved since ${showTime(one.movedAt!)}. Check the log of the workers.`,
    ),
  ];
};

/**
 * What a health check reports. Rejected and failed POs and refused files are not among it: they have their answer in
 * the result file, and the next step is the dealer's.
 */
export const findProblems = (
  {
    accounts,
    workers,
    queueHolds,
  }: Pick<Overview, 'workers' | 'queueHolds'> & { accounts: readonly WithTroubles[] },
  now: Date,
): Problem[] => [
  ...(workers.length === 0
    ? [{ code: 'no_worker' as const, message: 'No worker is running. Start one with `cartwright up`.' }]
    : []),
  ...queueHolds.flatMap(({ queue, what, noticedAt, liftedAt }) =>
    liftedAt
      ? []
      : [
          {
            code: 'queue_held' as const,
            message: `The job queue ${queue} is ${what} since ${showTime(noticedAt)}: ${holdAdvice}`,
          },
        ],
  ),
  ...accounts.flatMap((one) => problemsOf(one, now)),
];
