import { plainCause } from '../errors.ts';
import type { OpenAlarm } from '../ledger/notification-alarms.ts';
import type { RouteState } from '../ledger/notifications.ts';
import type { AccountOverview, Overview } from '../ledger/overview.ts';
import { eventKinds } from '../notify/kinds.ts';
import { holdReasonOf } from '../placing/hold-reasons.ts';
import { serviceCause } from '../placing/service-causes.ts';
import { shellWord } from '../shell-word.ts';
import { routeTroubles } from './output/notifications.ts';
import { holdSentence, maintenanceSentence } from './output/overview.ts';
import { count, showFileName, showRetry, showText, showTime } from './output/show-text.ts';

/** Something that keeps files or POs from being processed until a person acts. */
export interface HealthProblem {
  code:
    | 'configuration_broken'
    | 'no_worker'
    | 'queue_held'
    | 'account_trouble'
    | 'account_paused'
    | 'poll_failed'
    | 'held'
    | 'alarm'
    | 'file_trouble'
    | 'files_waiting'
    | 'file_waits'
    | 'orders_stalled'
    | 'notifications_failing'
    | 'sync_failing'
    | 'maintenance_failed'
    | OpenAlarm['kind'];
  account?: string;
  /** The problem and what to do, in sentences. */
  message: string;
}

/** `troubles`: why the account's POs or files are not processed, one sentence each. `closed`: why they wait for its opening hours. */
type WithTroubles = AccountOverview & { troubles?: readonly string[]; closed?: string | undefined };

/** Shorter waits are normal, for example for a rate limit or a long queue of files. */
const patienceMs = 10 * 60_000;

const namedStalled = 5;

const troublesNamed = 3;

/** File problems of an account; of more than `troublesNamed` of one kind only the oldest is named. Pure. */
const groupTroubles = (
  troubles: AccountOverview['fileTroubles'],
): (AccountOverview['fileTroubles'][number] & { others: number })[] => {
  const byCode = new Map<string, AccountOverview['fileTroubles']>();
  for (const one of troubles) byCode.set(one.code, [...(byCode.get(one.code) ?? []), one]);
  return troubles.flatMap((one) => {
    const alike = byCode.get(one.code)!;
    if (alike.length <= troublesNamed) return [{ ...one, others: 0 }];
    return one === alike[0] ? [{ ...one, others: alike.length - 1 }] : [];
  });
};

/** What a broken configuration file means, and what to do. */
export const aboutBrokenConfiguration =
  'Until it is corrected, running workers use what they read before, and no other one can start. Correct it, then run `cartwright reload`.';

const stalledNames = (stalled: AccountOverview['stalled']): string => {
  const named = stalled
    .slice(0, namedStalled)
    .map(({ poNumber, since }) => `${showText(poNumber)} since ${showTime(since)}`);
  const others = stalled.length - named.length;
  return `${named.join(', ')}${others > 0 ? ` and ${others} more` : ''}`;
};

const problemsOf = (one: WithTroubles, now: Date): HealthProblem[] => {
  const { account, paused } = one;
  const problem = (code: HealthProblem['code'], holds: boolean, message: () => string): HealthProblem[] =>
    holds ? [{ code, account, message: `${account}: ${message()}` }] : [];
  const isOld = (since: Date | undefined) =>
    since !== undefined && now.getTime() - since.getTime() > patienceMs;
  const isShort =
    paused?.code === 'restored' ||
    (paused?.code === 'rate_limited' &&
      paused.until !== undefined &&
      paused.until.getTime() - now.getTime() <= patienceMs);
  const held = Object.values(one.heldFor).reduce((sum, n) => sum + n, 0);
  const holds = Object.entries(one.heldFor).map(
    ([code, n]) =>
      `${n} as ${code}: ${holdReasonOf(code)?.advice ?? 'Check it with `cartwright status PO`, then release or cancel it.'}${holdReasonOf(code)?.release === 'approve_numbers' ? ` All of them: \`cartwright release --account ${account} --reason ${code}\`.` : ''}`,
  );
  return [
    ...(one.troubles ?? []).flatMap((trouble) => problem('account_trouble', true, () => showText(trouble))),
    ...problem('account_paused', (paused !== undefined && !isShort) || isOld(one.pausedSince), () => {
      if (paused?.code === 'operator') {
        return `Paused until a person resumes it: ${showText(paused.reason)}. Resume it in the console or with \`cartwright accounts resume ${account}\`.`;
      }
      const since = one.pausedSince ? `no call has succeeded since ${showTime(one.pausedSince)}. ` : '';
      const until = paused
        ? `Paused (${paused.code}), ${showRetry(paused.until, now)}: ${showText(plainCause(paused.reason))}. `
        : '';
      return `${since}${until}${serviceCause(paused?.code ?? 'service_unreachable', account).advice}`;
    }),
    ...problem(
      'poll_failed',
      // A check that was put off because a person paused the account has not failed.
      one.pollNote !== undefined && paused?.code !== 'operator',
      () =>
        `the last status check failed: ${showText(plainCause(one.pollNote!))}. It is tried again; \`cartwright doctor\` tries now and says what to do.`,
    ),
    ...problem('held', held > 0, () => `${count(held, 'PO')} held. ${holds.join(' ')}`),
    ...problem(
      'alarm',
      one.alarms > 0,
      () =>
        `${count(one.alarms, 'PO')} with an alarm${one.alarmPo === null ? '' : `, first ${showText(one.alarmPo)}`}. \`cartwright status ${one.alarmPo === null ? 'PO' : shellWord(showText(one.alarmPo))}\` and the result files show the cause; when nothing is left to do, say so with \`cartwright settle PO\` or in the console.`,
    ),
    ...groupTroubles(one.fileTroubles).flatMap(({ fileName, message, since, others }) =>
      problem(
        'file_trouble',
        true,
        () =>
          `${showFileName(fileName)}${others === 0 ? '' : ` and ${count(others, 'other')}`} (since ${showTime(since)}): ${showText(message)}`,
      ),
    ),
    ...one.unknownFiles.flatMap(({ files, since, fileName, importId, reason }) =>
      problem(
        'file_waits',
        true,
        () =>
          `${files === 1 ? showFileName(fileName) : `${count(files, 'file')} such as ${showFileName(fileName)}`} ${files === 1 ? 'waits' : 'wait'} since ${showTime(since)} for somebody to say what ${files === 1 ? 'it means' : 'they mean'}: ${showText(reason)} Open import ${importId} in the console, or run \`cartwright map --import ${importId}\`.`,
      ),
    ),
    ...one.failingWebhooks.flatMap(({ name, since, error, isParked }) =>
      problem('sync_failing', isParked || isOld(since), () =>
        isParked
          ? `the webhook ${name} has confirmed nothing since ${showTime(since)} and is sent nothing any more: ${showText(error)}. When it works again, run \`cartwright sync resume ${account} ${name}\`.`
          : `the webhook ${name} has confirmed nothing since ${showTime(since)}, and is tried again: ${showText(error)}.`,
      ),
    ),
    ...problem(
      'files_waiting',
      isOld(one.unreadSince),
      () =>
        `${count(one.unread, 'file')} waiting for a worker since ${showTime(one.unreadSince!)}. Start a worker that can read this account's folder, or check the log of the workers.`,
    ),
    ...problem(
      'orders_stalled',
      paused === undefined && one.closed === undefined && one.stalled.length > 0,
      () =>
        `${count(one.stalled.length, 'PO')} ${one.stalled.length === 1 ? 'is' : 'are'} stuck: ${stalledNames(one.stalled)}. Cartwright queued ${one.stalled.length === 1 ? 'it' : 'them'} again, which did not help. Search the log of the workers for the PO number, then restart the workers.`,
    ),
  ];
};

const alarmProblem = ({ kind, account, subject, detail }: OpenAlarm): HealthProblem => {
  const { one, advice } = eventKinds[kind];
  const what = showText(one.replace('{subject}', subject));
  const place = 'inbox/ or the folder from which it is fetched';
  return {
    code: kind,
    ...(account === null ? {} : { account }),
    message: `${what}${detail === undefined ? '' : `: ${showText(detail.replace(/\.$/, ''))}`}. ${advice.replace('`inbox/`', 'inbox/').replace('{place}', place)}`,
  };
};

const noWorkerSentence = (workers: Overview['workers']): string =>
  workers.length === 0
    ? 'No worker is running. Start one with `cartwright up`.'
    : 'No worker that places orders is running. Start one with `cartwright work` or `cartwright up`.';

/**
 * The problems that a health check reports. Rejected and failed POs and refused files are not problems: the result file
 * explains them, and the next step is the dealer's.
 */
export const checkHealth = (
  {
    accounts,
    workers,
    queueHolds,
    maintenance,
    routes = [],
    openAlarms = [],
    brokenConfiguration,
  }: Pick<Overview, 'workers' | 'queueHolds' | 'maintenance'> & {
    accounts: readonly WithTroubles[];
    routes?: readonly RouteState[];
    /** Conditions that notifications tell of. */
    openAlarms?: readonly OpenAlarm[];
    /** What is wrong in the configuration file, where what follows is by an earlier one. */
    brokenConfiguration?: string | undefined;
  },
  now: Date,
): HealthProblem[] => [
  ...(brokenConfiguration === undefined
    ? []
    : [
        {
          code: 'configuration_broken' as const,
          message: `${brokenConfiguration}\n${aboutBrokenConfiguration}`,
        },
      ]),
  ...(workers.some(({ slots }) => slots > 0)
    ? []
    : [{ code: 'no_worker' as const, message: noWorkerSentence(workers) }]),
  ...maintenance.flatMap((task) =>
    task.failedBecause === null
      ? []
      : [{ code: 'maintenance_failed' as const, message: maintenanceSentence(task) }],
  ),
  ...queueHolds.flatMap((hold) =>
    hold.liftedAt ? [] : [{ code: 'queue_held' as const, message: holdSentence(hold) }],
  ),
  ...accounts.flatMap((one) => problemsOf(one, now)),
  ...routes
    .flatMap(routeTroubles)
    .map((message) => ({ code: 'notifications_failing' as const, message: showText(message) })),
  ...openAlarms.map(alarmProblem),
];
