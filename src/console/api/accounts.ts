import {
  type AccountDetail,
  type AccountSummary,
  accountDetail,
  accountsAnswer,
  scheduleKinds,
} from '../../api-contract/accounts.ts';
import { accountParams } from '../../api-contract/basics.ts';
import type { Account } from '../../config/config.ts';
import { plainCause } from '../../errors.ts';
import { type ListedAccount, listAccounts, readAccountExtras } from '../../ledger/console/accounts.ts';
import { countHeld } from '../../ledger/console/count-purchase-orders.ts';
import { readCallsByStep } from '../../ledger/console/today.ts';
import { listScheduleRuns } from '../../ledger/schedule-runs.ts';
import { listReceivers, type SyncReceiver } from '../../ledger/sync-receivers.ts';
import { type LiveWorker, listWorkers } from '../../ledger/workers.ts';
import { holdReasonOf } from '../../placing/hold-reasons.ts';
import { orderStatusMeaning } from '../../reports/order-status-meaning.ts';
import type { SyncWebhook } from '../../sync/webhook.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import type { KnownProblem } from '../console-work.ts';
import { chosenAccounts } from '../known-accounts.ts';
import { pauseAdvice } from '../pause-words.ts';
import { shownSchedule } from '../schedule-words.ts';
import { routesOf } from './routes-of.ts';

/** The webhooks of an account with their delivery states. Pure. */
const webhookStates = (
  webhooks: readonly SyncWebhook[],
  receivers: readonly SyncReceiver[],
): AccountDetail['webhooks'] =>
  webhooks.map(({ name, url, problem }) => {
    const known = receivers.find((one) => one.name === name);
    return {
      name,
      // The rest of the address may be a secret.
      host: new URL(url).host,
      state:
        problem !== undefined
          ? 'unusable'
          : known === undefined
            ? 'new'
            : known.parkedAt
              ? 'parked'
              : known.failingSince
                ? 'failing'
                : 'working',
      error: problem ?? known?.lastError ?? null,
      waiting: known?.waiting ?? 0,
      sentAt: known?.sentAt?.toISOString() ?? null,
    };
  });

const troubleCodes = new Set(['account_trouble', 'files_waiting', 'orders_stalled', 'poll_failed']);

const sentenceOf = (
  { account, pauseReason, pausedBy }: ListedAccount,
  state: AccountSummary['state'],
  troubles: readonly string[],
): string => {
  switch (state) {
    case 'working':
      return `${account} is working.`;
    case 'paused':
      return pausedBy === null
        ? `${account} is paused: ${plainCause(pauseReason ?? 'the service did not answer')}`
        : `${account} is paused until a person resumes it: ${pauseReason}`;
    case 'troubled':
      return troubles[0]!;
    case 'not_configured':
      return `${account} is in no configuration any more, so its POs wait. Add it to cartwright.yaml again.`;
  }
};

const summaryOf = (
  one: ListedAccount,
  configured: Account | undefined,
  problems: readonly KnownProblem[],
  workers: readonly LiveWorker[],
): AccountSummary => {
  const troubles = problems
    .filter(({ code, account }) => account === one.account && troubleCodes.has(code))
    .map(({ message }) => message);
  const isServed = workers.some(({ places }) => places.includes(one.account));
  const state =
    one.pauseCode !== null
      ? 'paused'
      : !configured && !isServed
        ? 'not_configured'
        : troubles.length > 0
          ? 'troubled'
          : 'working';
  return {
    ...one,
    state,
    sentence: sentenceOf(one, state, troubles),
    pause:
      one.pauseCode === null
        ? null
        : {
            code: one.pauseCode,
            reason: one.pauseReason ?? '',
            remedy: pauseAdvice({ code: one.pauseCode }).remedy,
            byOperator: one.pausedBy !== null,
            since: one.pausedSince,
            until: one.pausedUntil,
          },
    troubles,
    timeZone: configured?.schedule.timeZone ?? null,
    canPause: one.pausedBy === null,
    canResume: one.pauseCode !== null && pauseAdvice({ code: one.pauseCode }).canResume,
  };
};

/** Adds the list of accounts and the details of one. */
export const addAccountRoutes = (app: ConsoleApp, deps: ConsoleDeps): void => {
  const { pool, config, work } = deps;
  const { view } = routesOf('Accounts');
  const configuredAs = (account: string) => config.accounts.find(({ name }) => name === account);
  const summaries = async (names: readonly string[]) => {
    const [listed, problems, workers] = await Promise.all([
      listAccounts(pool, names),
      work.findProblems(names),
      listWorkers(pool),
    ]);
    return listed.map((one) => ({
      one,
      summary: summaryOf(one, configuredAs(one.account), problems, workers),
    }));
  };

  app.get('/accounts', view('Accounts and how they are', accountsAnswer), async (request) => ({
    asOf: new Date().toISOString(),
    items: (await summaries(await chosenAccounts(deps, request, undefined))).map(({ summary }) => summary),
  }));

  app.get(
    '/accounts/:account',
    view('One account', accountDetail, { params: accountParams }),
    async (request): Promise<AccountDetail> => {
      const { account } = request.params;
      await chosenAccounts(deps, request, account);
      const [found, extras, held, calls, schedules, runs, receivers] = await Promise.all([
        summaries([account]),
        readAccountExtras(pool, account),
        countHeld(pool, [account]),
        readCallsByStep(pool, account),
        work.listSchedules(),
        listScheduleRuns(pool, [account]),
        listReceivers(pool, [account]),
      ]);
      const { one, summary } = found[0]!;
      const configured = configuredAs(account);
      return {
        ...summary,
        asOf: new Date().toISOString(),
        baseUrl: configured?.baseUrl ?? null,
        folder: configured?.folder ?? extras.folderPath,
        folderHost: extras.folderHost,
        limits: {
          inFlight: configured?.inFlight ?? null,
          callsPerSecond: configured?.callsPerSecond ?? null,
          shares: extras.shares,
        },
        readLagMs: one.readLagMs,
        itemsUnreadableSince: one.itemsUnreadableSince,
        unreadDays: one.unreadDays,
        orderStatuses: extras.orderStatuses.map((each) => ({
          ...each,
          meaning: orderStatusMeaning(each.status),
        })),
        heldFor: held.map(({ reasonCode, n }) => ({
          reasonCode,
          meaning: holdReasonOf(reasonCode)?.meaning ?? reasonCode,
          count: n,
        })),
        calls,
        schedules: scheduleKinds.flatMap((kind) =>
          schedules
            .filter((each) => each.account === account && each.kind === kind)
            .map((each) => shownSchedule(each, runs)),
        ),
        guards: { ...configured?.placing.guards },
        webhooks: webhookStates(configured?.webhooks ?? [], receivers),
        fileProblems: extras.fileProblems,
      };
    },
  );
};
