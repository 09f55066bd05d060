import type { Account, Config, CronTime } from '../config/config.ts';
import { nextRuns } from '../config/next-runs.ts';
import { timingWords } from '../console/schedule-words.ts';
import type { MaintenanceTask } from '../ledger/maintenance.ts';

/** Something that happens by the clock and is no task of an account's queue. */
export interface OtherSchedule {
  name: string;
  /** Null: it concerns all accounts. */
  account: string | null;
  task: 'expect_files' | 'backup' | 'prune' | 'summary';
  timing: string;
  next: Date | null;
  last: Date | null;
  result: 'done' | 'failed' | null;
  note: string | null;
  lastSuccess: Date | null;
}

type Unrun = Pick<OtherSchedule, 'name' | 'account' | 'task'>;

const planned = (what: Unrun, at: CronTime, now: Date): OtherSchedule => ({
  ...what,
  timing: timingWords(at),
  next: nextRuns(at.cron, at.timeZone, now, 1)[0] ?? null,
  ...{ last: null, result: null, note: null, lastSuccess: null },
});

const maintained = (
  what: Unrun,
  at: CronTime,
  now: Date,
  done: readonly MaintenanceTask[],
): OtherSchedule => {
  const run = done.find(({ task }) => task === what.name);
  const failed = run?.failedBecause ?? null;
  return {
    ...planned(what, at, now),
    last: run?.endedAt ?? null,
    result: run ? (failed === null ? 'done' : 'failed') : null,
    note: failed,
    lastSuccess: failed === null ? (run?.endedAt ?? null) : null,
  };
};

/** What a schedule that is no task of a worker did last. */
export interface OtherRun {
  at: Date;
  result: 'done' | 'failed' | null;
  note: string | null;
}

const withRun = (schedule: OtherSchedule, run: OtherRun | undefined): OtherSchedule =>
  run === undefined
    ? schedule
    : {
        ...schedule,
        last: run.at,
        result: run.result,
        note: run.note,
        lastSuccess: run.result === 'done' ? run.at : null,
      };

/**
 * When files are expected of accounts, and, with `everything`, when backups are made, old data is removed and summaries are
 * sent. Pure.
 */
export const listOtherSchedules = (
  { backup, retention, notifications }: Pick<Config, 'backup' | 'retention' | 'notifications'>,
  accounts: readonly Account[],
  {
    now,
    done,
    runs,
    everything,
  }: {
    now: Date;
    done: readonly MaintenanceTask[];
    /** By the name of the schedule. */
    runs: ReadonlyMap<string, OtherRun>;
    everything: boolean;
  },
): OtherSchedule[] => {
  const expected = accounts.flatMap(({ name, schedule: { expectFiles: cron, timeZone } }) =>
    cron === undefined
      ? []
      : [
          planned(
            { name: `${name}/expectFiles`, account: name, task: 'expect_files' },
            { cron, timeZone },
            now,
          ),
        ],
  );
  const looked = expected.map((one) => withRun(one, runs.get(one.name)));
  if (!everything) return looked;
  const summaries = notifications.routes.flatMap(({ name, summary: cron, timeZone }) =>
    cron === undefined
      ? []
      : [
          withRun(
            planned({ name: `summary to ${name}`, account: null, task: 'summary' }, { cron, timeZone }, now),
            runs.get(`summary to ${name}`),
          ),
        ],
  );
  const backups =
    backup.folder === undefined
      ? []
      : [maintained({ name: 'backup', account: null, task: 'backup' }, backup.at, now, done)];
  const pruned = maintained({ name: 'prune', account: null, task: 'prune' }, retention.at, now, done);
  return [...looked, ...summaries, ...backups, pruned];
};
