import type pg from 'pg';
import { clockSkewMs } from '../clock-skew.ts';
import type { Account } from '../config/config.ts';
import { lastRun, nextRuns } from '../config/next-runs.ts';
import { whyClosed } from '../config/opening-hours.ts';
import { lastTake } from '../config/taking-times.ts';
import type { NewJob, ScheduledTask } from '../dispatch/job-schemas.ts';
import type { RunTask, ScheduledWork } from '../dispatch/next-work.ts';
import { messageOf } from '../errors.ts';
import {
  beginScheduleRun,
  endScheduleRun,
  knowSchedules,
  listScheduleRuns,
  type ScheduleRun,
} from '../ledger/schedule-runs.ts';
import type { Logger } from '../logger.ts';
import type { Timing } from '../queue/schedules.ts';
import { accountSchedules } from './account-schedules.ts';
import type { OpenAccounts } from './open-accounts.ts';

export const taskOf = {
  'poll-status': 'poll',
  'write-report': 'report',
  'import-file': 'take_files',
} as const satisfies Partial<Record<NewJob['name'], ScheduledTask>>;

/** A task of an account and when it runs. */
export interface TaskTiming {
  account: string;
  task: ScheduledTask;
  timing: Timing;
}

/** The tasks that an account has on a schedule. Pure. */
export const tasksOf = (account: Account): TaskTiming[] =>
  accountSchedules(account).map(({ job, timing }) => ({
    account: account.name,
    task: taskOf[job.name as keyof typeof taskOf],
    timing,
  }));

/** A run that the queue has not started this long after it was due counts as missed. */
const missedAfterMs = 120_000;

interface DueRun {
  due: Date;
  /** The account was closed when the schedule was due, so the queue does not start this run. */
  atOpening: boolean;
}

/** When a task's last run was due; undefined for intervals. Pure. */
const dueRun = ({ schedule }: Account, { task, timing }: TaskTiming, at: Date): DueRun | undefined => {
  if (!('cron' in timing)) return undefined;
  if (task !== 'take_files') return { due: lastRun(timing.cron, timing.timeZone, at), atOpening: false };
  const dueTake = lastTake({ ...schedule, takeFiles: timing.cron }, at);
  return dueTake && { due: dueTake.at, atOpening: dueTake.atOpening };
};

const isLate = (due: Date, at: Date): boolean => at.getTime() - due.getTime() > missedAfterMs;

/** Task names for use in sentences. */
export const taskNames: Record<ScheduledTask, string> = {
  poll: 'status check',
  report: 'status report',
  take_files: 'picking up of files',
};

/** Runs tasks, and records each run and the reason for a skipped one. */
export const createTaskRuns = ({
  pool,
  accounts,
  logger,
}: {
  pool: pg.Pool;
  accounts: OpenAccounts;
  logger: Logger;
}): RunTask => {
  const whyNot = (task: ScheduledTask, name: string, now: Date): string | undefined => {
    const closed = task === 'take_files' ? whyClosed(accounts.get(name).account.schedule, now) : undefined;
    return closed && `No files are picked up now: ${closed}. They are picked up when the account opens.`;
  };
  const failing = new Set<string>();
  /** Logs the first failure and the recovery; the failures in between are in the ledger. The queue logs exceptions. */
  const noteOutcome = (account: string, task: ScheduledTask, reason: string | undefined): void => {
    const key = `${account} ${task}`;
    if (reason === undefined) {
      if (failing.delete(key)) logger.info({ account }, `The ${taskNames[task]} works again`);
    } else if (!failing.has(key)) {
      failing.add(key);
      logger.warn({ account, reason }, `The ${taskNames[task]} failed; it is tried again`);
    }
  };
  return async (task, account, { asked }, work: ScheduledWork) => {
    const reason = asked ? undefined : whyNot(task, account, new Date());
    if (reason !== undefined) {
      logger.info({ account, reason }, `Skipped the scheduled task ${task}`);
      return endScheduleRun(pool, account, task, { result: 'skipped', note: reason });
    }
    await beginScheduleRun(pool, account, task);
    try {
      const note = await work();
      noteOutcome(account, task, note);
      await endScheduleRun(pool, account, task, { result: note === undefined ? 'done' : 'failed', note });
    } catch (thrown) {
      // An error of the ledger must not hide the error of the task.
      await endScheduleRun(pool, account, task, { result: 'failed', note: messageOf(thrown) }).catch(
        () => {},
      );
      throw thrown;
    }
  };
};

/**
 * Finds missed runs and runs each such task once. The queue itself starts most late runs: this is for runs that the queue has lost, and
 * for files that wait until their account opens.
 */
export const createCatchUp = ({
  pool,
  accounts,
  enqueue,
}: {
  pool: pg.Pool;
  accounts: OpenAccounts;
  enqueue: (jobs: readonly NewJob[]) => Promise<void>;
}): ((now?: Date) => Promise<void>) => {
  /** Runs that the previous sweep found missing: the queue gets one more sweep to start a late run itself. */
  let before = new Set<string>();
  return async (now = new Date()) => {
    const serving = accounts.serving();
    const served = accounts.all.filter(
      ({ account: { name } }) => serving.places.includes(name) || serving.reads.includes(name),
    );
    const tasks = served
      .flatMap(({ account }) => tasksOf(account))
      .filter(({ task, account }) => serving[task === 'poll' ? 'places' : 'reads'].includes(account));
    await knowSchedules(pool, tasks);
    const names = served.map(({ account }) => account.name);
    const runs = new Map(
      (await listScheduleRuns(pool, names)).map((run) => [`${run.task} ${run.account}`, run]),
    );
    const missing = new Set<string>();
    for (const timing of tasks) {
      const { account, task } = timing;
      const { account: settings } = accounts.get(account);
      const run = runs.get(`${task} ${account}`);
      const found = dueRun(settings, timing, now);
      if (!run || !found || (!found.atOpening && !isLate(found.due, now))) continue;
      const { due, atOpening } = found;
      if (due < run.knownSince || hasRunSince(run, due, now, settings)) continue;
      if (task === 'take_files' && whyClosed(settings.schedule, now) !== undefined) continue;
      const id = `${task} ${account} ${due.getTime()}`;
      missing.add(id);
      if (!atOpening && !before.has(id)) continue;
      await enqueue([jobOf(task, { account }, `missed ${id}`)]);
    }
    before = missing;
  };
};

/** Ignores runs in the future (the clock was set back) and runs skipped because the account was closed (still to be made up for). */
const hasRunSince = (
  { task, startedAt, result }: ScheduleRun,
  due: Date,
  now: Date,
  { schedule }: Account,
): boolean => {
  if (startedAt === null || startedAt < due) return false;
  if (startedAt.getTime() > now.getTime() + clockSkewMs) return false;
  return task !== 'take_files' || result !== 'skipped' || whyClosed(schedule, startedAt) === undefined;
};

/** The job of a task. `single`: requests with this value share one waiting job. */
export const jobOf = (task: ScheduledTask, data: { account: string; now?: true }, single: string): NewJob => {
  switch (task) {
    case 'poll':
      return { name: 'poll-status', data, single };
    case 'report':
      return { name: 'write-report', data, single };
    case 'take_files':
      return { name: 'import-file', data, single };
  }
};

/** When a task runs next; undefined if only the queue knows. Pure. */
export const nextRun = (timing: Timing, at: Date): Date | undefined =>
  'cron' in timing ? nextRuns(timing.cron, timing.timeZone, at, 1)[0] : undefined;
