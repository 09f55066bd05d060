import type { ScheduleRow, SchedulesAnswer } from '../api-contract/schedules.ts';
import type { Account } from '../config/config.ts';
import { whyClosed } from '../config/opening-hours.ts';
import { timingWords } from '../console/schedule-words.ts';
import type { ScheduledTask } from '../dispatch/job-schemas.ts';
import { listScheduleRuns } from '../ledger/schedule-runs.ts';
import type { Runtime } from '../worker/open-runtime.ts';
import { nextRun, taskOf, tasksOf } from '../worker/scheduled-tasks.ts';
import { readOtherRuns } from './other-runs.ts';
import { expectedFiles, sharedSchedules } from './other-schedules.ts';

/** The names of tasks as people type them: those of their settings below `schedule`. */
export const taskWords: Record<ScheduledTask, string> = {
  poll: 'poll',
  report: 'statusReport',
  take_files: 'takeFiles',
};

const shown = (at: Date | null | undefined): string | null => at?.toISOString() ?? null;

/** The tasks of the accounts' queues. */
const listTasks = async (runtime: Runtime, accounts: readonly Account[]): Promise<ScheduleRow[]> => {
  const names = accounts.map(({ name }) => name);
  const runs = await listScheduleRuns(runtime.ledger.pool, names);
  // An interval counts from its last run, which the queue knows.
  const queued = await runtime.queues.listSchedules();
  const now = new Date();
  return accounts.flatMap(tasksOf).map(({ account, task, timing }) => {
    const run = runs.find((one) => one.account === account && one.task === task);
    const nextAtMs = queued.find(
      (one) => one.account === account && taskOf[one.name as keyof typeof taskOf] === task,
    )?.nextAtMs;
    return {
      name: `${account}/${taskWords[task]}`,
      account,
      task,
      timing: timingWords(timing),
      next: shown(nextRun(timing, now) ?? (nextAtMs === undefined ? null : new Date(nextAtMs))),
      last: shown(run?.startedAt),
      result: run?.startedAt ? (run.result ?? 'running') : null,
      note: run?.note ?? null,
      lastSuccess: shown(run?.succeededAt),
    };
  });
};

/** All schedules of these accounts; `shared` adds those that concern all accounts. Used by the command line and the console's API. */
export const listAllSchedules = async (
  runtime: Runtime,
  accounts: readonly Account[],
  { shared }: { shared: boolean },
): Promise<SchedulesAnswer> => {
  const now = new Date();
  const others = [...accounts.flatMap(expectedFiles), ...(shared ? sharedSchedules(runtime.config) : [])];
  const runs = await readOtherRuns(runtime.ledger.pool, accounts, now);
  return {
    schedules: [
      ...(await listTasks(runtime, accounts)),
      ...others.map(({ at, ...what }) => {
        const run = runs.get(what.name);
        return {
          ...what,
          timing: timingWords(at),
          next: shown(nextRun(at, now)),
          last: shown(run?.at),
          result: run?.result ?? null,
          note: run?.note ?? null,
          lastSuccess: run?.result === 'done' ? shown(run.at) : null,
        };
      }),
    ],
    closed: accounts.flatMap(({ name, schedule }) => {
      const why = whyClosed(schedule, now);
      return why === undefined ? [] : [{ account: name, why }];
    }),
  };
};
