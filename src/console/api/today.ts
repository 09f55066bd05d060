import { z } from 'zod';
import { listPauses } from '../../ledger/console/accounts.ts';
import { type ListedImport, listRunningImports } from '../../ledger/console/imports.ts';
import { countHeld, visibleAccounts } from '../../ledger/console/purchase-orders.ts';
import { capped } from '../../ledger/console/sql-parts.ts';
import {
  listAlarms,
  listNotOrdered,
  listRefused,
  listUnknownFiles,
  notOrderedAtMost,
  readCalls,
  readHours,
} from '../../ledger/console/today.ts';
import { listQuestions } from '../../ledger/questions.ts';
import { listScheduleRuns } from '../../ledger/schedule-runs.ts';
import { listWorkers } from '../../ledger/workers.ts';
import { explainHold } from '../../placing/hold-reasons.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { summaryOfImport } from '../import-words.ts';
import { chosenAccounts } from '../known-accounts.ts';
import { endedActions, groupActions } from '../offered-actions.ts';
import { accountsOf } from '../person.ts';
import { shownSchedule } from '../schedule-words.ts';
import { whatNeedsYou } from '../today-words.ts';
import { withoutAdvice } from '../uploads/advice.ts';
import { presentQuestion } from './questions.ts';
import { accountName } from './schemas/basics.ts';
import type { ImportProgress } from './schemas/imports.ts';
import { problemsAnswer, type TodayAnswer, todayAnswer } from './schemas/today.ts';

const shownImports = 20;

type Paused = { account: string; reason: string };

const progressOf = (one: ListedImport, paused: readonly Paused[], workers: number): ImportProgress => {
  const pause = paused.find(({ account }) => account === one.account);
  return {
    id: one.id,
    account: one.account,
    fileName: one.fileName,
    step: one.state === 'taken' ? 'reading' : 'placing',
    done: one.poCount - one.active,
    total: one.poCount,
    states: one.states,
    takenAt: summaryOfImport(one).takenAt,
    waitingFor:
      workers === 0
        ? 'No worker is running. Start one with `cartwright up`.'
        : pause && one.state !== 'taken'
          ? `Its account is paused: ${pause.reason}`
          : null,
  };
};

/** Adds the page Today. */
export const addTodayRoutes = (app: ConsoleApp, deps: ConsoleDeps): void => {
  const { pool, work } = deps;
  app.get(
    '/problems',
    {
      config: { needs: 'view' },
      schema: {
        summary:
          'What keeps files or POs from being processed until a person acts, as `cartwright status --check` lists it',
        tags: ['Today'],
        querystring: z.object({ account: accountName.optional() }),
        response: { 200: problemsAnswer },
      },
    },
    async (request) => {
      const accounts = await chosenAccounts(deps, request, request.query.account);
      const problems = await work.findProblems(accounts, { held: true });
      return { healthy: problems.length === 0, problems };
    },
  );

  app.get(
    '/today',
    {
      config: { needs: 'view' },
      schema: {
        summary: 'What needs a person, what runs, and the last 24 hours',
        tags: ['Today'],
        querystring: z.object({ account: accountName.optional() }),
        response: { 200: todayAnswer },
      },
    },
    async (request): Promise<TodayAnswer> => {
      const { account: named } = request.query;
      const accounts =
        named === undefined
          ? await visibleAccounts(pool, accountsOf(request))
          : await chosenAccounts(deps, request, named);
      const [
        unknown,
        questions,
        groups,
        refused,
        ended,
        pauses,
        alarms,
        running,
        hours,
        calls,
        workers,
        schedules,
        runs,
        problems,
      ] = await Promise.all([
        listUnknownFiles(pool, accounts),
        listQuestions(pool, accounts),
        countHeld(pool, accounts),
        listRefused(pool, accounts),
        listNotOrdered(pool, accounts),
        listPauses(pool, accounts),
        listAlarms(pool, accounts),
        listRunningImports(pool, accounts, shownImports + 1),
        readHours(pool, accounts),
        readCalls(pool, accounts),
        listWorkers(pool),
        work.listSchedules(),
        listScheduleRuns(pool, accounts),
        work.findProblems(accounts),
      ]);
      // What a question asks needs no group of its own, except where nobody can answer it any more.
      const shownGroups = groups.filter(
        ({ account, reasonCode }) =>
          reasonCode !== 'question' || !questions.some((one) => one.account === account),
      );
      const held = shownGroups.map(({ account, reasonCode, n, heldSince, id, poNumber }) => {
        const known = explainHold(reasonCode, false);
        return {
          account,
          reasonCode,
          meaning: known?.meaning ?? reasonCode,
          advice: known?.advice ?? 'Release them, or cancel them.',
          count: capped(n),
          oldestAt: heldSince,
          example: { id, poNumber },
          actions: groupActions(reasonCode),
        };
      });
      // What the page shows in lists of its own is no further problem.
      const further = problems.filter(
        ({ code, account }) =>
          code !== 'held' &&
          code !== 'alarm' &&
          code !== 'file_waits' &&
          !(code === 'account_paused' && pauses.some((pause) => pause.account === account)),
      );
      const shown = {
        unknown: unknown.map((one) => ({
          ...one,
          reason: withoutAdvice(one.reason),
          since: one.since.toISOString(),
        })),
        questions: questions.map(presentQuestion),
        held,
        refused,
        notOrdered: ended.map(({ account, state, n, latestAt, id, poNumber }) => ({
          account,
          state,
          count: { count: Math.min(n, notOrderedAtMost), more: n > notOrderedAtMost },
          latestAt,
          example: { id, poNumber },
          actions: endedActions(state),
        })),
        paused: pauses,
        alarms: alarms.alarms,
        alarmCount: capped(alarms.count),
        problems: further,
        running: running.slice(0, shownImports).map((one) => progressOf(one, pauses, workers.length)),
        runningCount: { count: Math.min(running.length, shownImports), more: running.length > shownImports },
      };
      const quiet =
        unknown.length +
          questions.length +
          held.length +
          refused.length +
          ended.length +
          pauses.length +
          alarms.count +
          further.length ===
        0;
      return {
        asOf: new Date().toISOString(),
        quiet,
        sentence: whatNeedsYou(shown),
        ...shown,
        hours,
        calls,
        schedules: schedules
          .filter(({ account }) => accounts.includes(account))
          .sort((a, b) => (a.nextAtMs ?? Infinity) - (b.nextAtMs ?? Infinity))
          .slice(0, 100)
          .map((one) => shownSchedule(one, runs)),
        workers: workers.length,
      };
    },
  );
};
