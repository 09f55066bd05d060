import { accountQuery } from '../../api-contract/basics.ts';
import type { ImportProgress } from '../../api-contract/imports.ts';
import {
  problemsAnswer,
  type RefusedGroup,
  type TodayAnswer,
  todayAnswer,
  todayQuery,
} from '../../api-contract/today.ts';
import { canBeReadAgain } from '../../intake/needs-another-file.ts';
import { listPauses } from '../../ledger/console/accounts.ts';
import { countHeld, countHeldOf } from '../../ledger/console/count-purchase-orders.ts';
import { type ListedImport, listRunningImports } from '../../ledger/console/imports.ts';
import {
  listAlarms,
  listNotOrdered,
  listOpenFiles,
  listUnknownFiles,
  type OpenFile,
  rowsOfNoPo,
} from '../../ledger/console/needs-person.ts';
import { capped } from '../../ledger/console/sql-parts.ts';
import { readCalls, readHours } from '../../ledger/console/today.ts';
import { listQuestions } from '../../ledger/questions.ts';
import { listScheduleRuns } from '../../ledger/schedule-runs.ts';
import { listWorkers } from '../../ledger/workers.ts';
import { explainHold } from '../../placing/hold-reasons.ts';
import { adviseOnGroup } from '../advised-actions.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { summaryOfImport } from '../import-words.ts';
import { accountsWithWork, chosenAccounts } from '../known-accounts.ts';
import { alarmActions, endedActions, groupActions } from '../offered-actions.ts';
import { pauseAdvice } from '../pause-words.ts';
import { personOf } from '../person.ts';
import { asSentence } from '../po-banner.ts';
import { shownSchedule } from '../schedule-words.ts';
import { whatNeedsYou } from '../today-words.ts';
import { withoutAdvice } from '../uploads/advice.ts';
import { routesOf } from './routes-of.ts';

const { view } = routesOf('Today');

const shownImports = 20;
/** Maximum number of causes listed on the page. */
const mostCauses = 50;

/** Groups files by account and reason, ordered by the latest file of each group. Pure. */
const groupRefused = (files: readonly OpenFile[]): RefusedGroup[] => {
  const groups = new Map<string, RefusedGroup>();
  for (const { account, reasonCode, reasonText, id, fileName, takenAt, assignee } of files) {
    const key = JSON.stringify([account, reasonCode ?? reasonText]);
    const group = groups.get(key) ?? {
      ...{ account, reasonCode, reasonText, files: [], assignees: [] },
      canBeReadAgain: reasonCode !== rowsOfNoPo && canBeReadAgain(reasonCode),
    };
    group.files.push({ id, fileName, takenAt });
    if (assignee !== null && !group.assignees.includes(assignee)) group.assignees.push(assignee);
    groups.set(key, group);
  }
  return [...groups.values()];
};

/** Like Promise.all for an object: the results under the same names. */
const allOf = async <Asked extends Record<string, unknown>>(asked: Asked) =>
  Object.fromEntries(
    await Promise.all(Object.entries(asked).map(async ([name, answer]) => [name, await answer])),
  ) as { [Name in keyof Asked]: Awaited<Asked[Name]> };

type Paused = { account: string; code: string; reason: string };

const progressOf = (one: ListedImport, paused: readonly Paused[], workers: number): ImportProgress => {
  const pause = one.state === 'taken' ? undefined : paused.find(({ account }) => account === one.account);
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
        : pause
          ? `Its account is paused: ${asSentence(pause.reason)} ${pauseAdvice(pause).remedy}`
          : null,
    canResume: pause !== undefined && pauseAdvice(pause).canResume,
  };
};

/** Adds the page Today. */
export const addTodayRoutes = (app: ConsoleApp, deps: ConsoleDeps): void => {
  const { pool, work } = deps;
  app.get(
    '/problems',
    view(
      'What keeps files or POs from being processed until a person acts, as `cartwright status --check` lists it',
      problemsAnswer,
      { querystring: accountQuery },
    ),
    async (request) => {
      const accounts = await chosenAccounts(deps, request, request.query.account);
      const problems = await work.findProblems(accounts, { held: true });
      return { healthy: problems.length === 0, problems };
    },
  );

  app.get(
    '/today',
    view('What needs a person, what runs, and the last 24 hours', todayAnswer, { querystring: todayQuery }),
    async (request): Promise<TodayAnswer> => {
      const { account: named, mine = false } = request.query;
      const person = mine ? personOf(request).name : null;
      const accounts = await accountsWithWork(deps, request, named);
      const found = await allOf({
        unknown: listUnknownFiles(pool, mine ? [] : accounts),
        questions: listQuestions(pool, accounts),
        groups: person === null ? countHeld(pool, accounts) : countHeldOf(pool, accounts, person),
        refused: listOpenFiles(pool, accounts, person),
        ended: listNotOrdered(pool, accounts, person),
        pauses: listPauses(pool, accounts),
        alarms: listAlarms(pool, accounts, person),
        running: listRunningImports(pool, accounts, shownImports + 1),
        hours: readHours(pool, accounts),
        calls: readCalls(pool, accounts),
        workers: listWorkers(pool),
        schedules: work.listSchedules(),
        runs: listScheduleRuns(pool, accounts),
        problems: work.findProblems(accounts),
      });
      const { questions, pauses, running, schedules, workers } = found;
      // Questions have their own entries, so their POs need no group, unless the question can no longer be answered.
      const shownGroups = found.groups.filter(
        ({ account, reasonCode }) =>
          reasonCode !== 'question' || !questions.some((one) => one.account === account),
      );
      const held = shownGroups.map(({ account, reasonCode, n, heldSince, id, poNumber }) => {
        // The question can no longer be answered.
        const decidable = reasonCode === 'question' ? '' : reasonCode;
        const { advice, place } = adviseOnGroup('held', decidable);
        return {
          account,
          reasonCode,
          meaning: explainHold(reasonCode, false)?.meaning ?? reasonCode,
          advice,
          place,
          count: capped(n),
          oldestAt: heldSince,
          example: { id, poNumber },
          actions: groupActions(decidable),
        };
      });
      // Excludes problems that the page shows in other lists.
      const further = found.problems.filter(
        ({ code, account }) =>
          code !== 'held' &&
          code !== 'alarm' &&
          code !== 'file_waits' &&
          !(code === 'account_paused' && pauses.some((pause) => pause.account === account)),
      );
      const shown = {
        unknown: found.unknown.map((one) => ({
          ...one,
          reason: withoutAdvice(one.reason),
          since: one.since.toISOString(),
        })),
        questions: mine ? [] : questions,
        held,
        refused: groupRefused(found.refused),
        notOrdered: found.ended
          .slice(0, mostCauses)
          .map(({ n, isCut, id, poNumber, poNumbers: _, ...one }) => ({
            ...one,
            count: { count: n, more: isCut },
            example: { id, poNumber },
            actions: endedActions(one.state),
            advice: adviseOnGroup(one.state, null).advice,
            place: adviseOnGroup(one.state, null).place,
          })),
        paused: mine ? [] : pauses.map((one) => ({ ...one, ...pauseAdvice(one) })),
        alarms: found.alarms.alarms.map(({ n, id, poNumber, ...one }) => ({
          ...one,
          count: n,
          example: { id, poNumber },
          actions: alarmActions(one.alarm),
        })),
        alarmCount: capped(found.alarms.count),
        problems: mine ? [] : further,
        running: running.slice(0, shownImports).map((one) => progressOf(one, pauses, workers.length)),
        runningCount: { count: Math.min(running.length, shownImports), more: running.length > shownImports },
      };
      const quiet = [
        ...[shown.unknown, shown.questions, shown.held, shown.refused, shown.notOrdered],
        ...[shown.paused, shown.alarms, shown.problems],
      ].every(({ length }) => length === 0);
      return {
        asOf: new Date().toISOString(),
        quiet,
        sentence: mine && quiet ? 'Nothing is assigned to you.' : whatNeedsYou(shown),
        ...shown,
        hours: found.hours,
        calls: found.calls,
        schedules: schedules
          .filter(({ account }) => accounts.includes(account))
          .sort((a, b) => (a.nextAtMs ?? Infinity) - (b.nextAtMs ?? Infinity))
          .slice(0, 100)
          .map((one) => shownSchedule(one, found.runs)),
        workers: workers.length,
      };
    },
  );
};
