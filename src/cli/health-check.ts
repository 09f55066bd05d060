import { plainCause } from '../errors.ts';
import { listed } from '../intake/quoted.ts';
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

/** A problem that keeps files or POs from being processed until a person acts. */
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

/** The consequence of a broken configuration file, and what to do. */
export const aboutBrokenConfiguration =
  'Until it is corrected, running workers use what they read before, and no other one can start. Correct it, then run `cartwright reload`.';

const problemsOf = (one: WithTroubles, now: Date): HealthProblem[] => {
  const { account, paused, stalled } = one;
  const found: HealthProblem[] = [];
  const add = (code: HealthProblem['code'], message: string) =>
    void found.push({ code, account, message: `${account}: ${message}` });
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
  for (const trouble of one.troubles ?? []) add('account_trouble', showText(trouble));
  if (paused?.code === 'operator')
    add(
      'account_paused',
      `Paused until a person resumes it: ${showText(paused.reason)}. Resume it in the console or with \`cartwright accounts resume ${account}\`.`,
    );
  else if ((paused !== undefined && !isShort) || isOld(one.pausedSince)) {
    const since = one.pausedSince ? `no call has succeeded since ${showTime(one.pausedSince)}. ` : '';
    const until = paused
      ? `Paused (${paused.code}), ${showRetry(paused.until, now)}: ${showText(plainCause(paused.reason))}. `
      : '';
    const { advice } = serviceCause(paused?.code ?? 'service_unreachable', account);
    add('account_paused', `${since}${until}${advice}`);
  }
  // A check skipped because a person paused the account has not failed.
  if (one.pollNote !== undefined && paused?.code !== 'operator')
    add(
      'poll_failed',
      `the last status check failed: ${showText(plainCause(one.pollNote))}. It is tried again; \`cartwright doctor\` tries now and says what to do.`,
    );
  if (held > 0) add('held', `${count(held, 'PO')} held. ${holds.join(' ')}`);
  if (one.alarms > 0)
    add(
      'alarm',
      `${count(one.alarms, 'PO')} with an alarm${one.alarmPo === null ? '' : `, first ${showText(one.alarmPo)}`}. \`cartwright status ${one.alarmPo === null ? 'PO' : shellWord(showText(one.alarmPo))}\` and the result files show the cause; when nothing is left to do, say so with \`cartwright settle PO\` or in the console.`,
    );
  for (const { fileName, message, since, others } of groupTroubles(one.fileTroubles))
    add(
      'file_trouble',
      `${showFileName(fileName)}${others === 0 ? '' : ` and ${count(others, 'other')}`} (since ${showTime(since)}): ${showText(message)}`,
    );
  for (const { files, since, fileName, importId, reason } of one.unknownFiles)
    add(
      'file_waits',
      `${files === 1 ? showFileName(fileName) : `${count(files, 'file')} such as ${showFileName(fileName)}`} ${files === 1 ? 'waits' : 'wait'} since ${showTime(since)} for somebody to say what ${files === 1 ? 'it means' : 'they mean'}: ${showText(reason)} Open import ${importId} in the console, or run \`cartwright map --import ${importId}\`.`,
    );
  for (const { name, since, error, isParked } of one.failingWebhooks)
    if (isParked)
      add(
        'sync_failing',
        `the webhook ${name} has confirmed nothing since ${showTime(since)} and is sent nothing any more: ${showText(error)}. When it works again, run \`cartwright sync resume ${account} ${name}\`.`,
      );
    else if (isOld(since))
      add(
        'sync_failing',
        `the webhook ${name} has confirmed nothing since ${showTime(since)}, and is tried again: ${showText(error)}.`,
      );
  if (isOld(one.unreadSince))
    add(
      'files_waiting',
      `${count(one.unread, 'file')} waiting for a worker since ${showTime(one.unreadSince!)}. Start a worker that can read this account's folder, or check the log of the workers.`,
    );
  if (paused === undefined && one.closed === undefined && stalled.length > 0) {
    const isOne = stalled.length === 1;
    const names = stalled.map(({ poNumber, since }) => `${showText(poNumber)} since ${showTime(since)}`);
    add(
      'orders_stalled',
      `${count(stalled.length, 'PO')} ${isOne ? 'is' : 'are'} stuck: ${listed(names, namedStalled)}. Cartwright queued ${isOne ? 'it' : 'them'} again, which did not help. Search the log of the workers for the PO number, then restart the workers.`,
    );
  }
  return found;
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
    /** Conditions that notifications report. */
    openAlarms?: readonly OpenAlarm[];
    /** The mistakes in the configuration file, if the process runs on an earlier version of it. */
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
