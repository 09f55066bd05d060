import type { Account, Config } from '../../config/config.ts';
import { nextRuns } from '../../config/next-runs.ts';
import { zoneClock } from '../../config/zone-clock.ts';
import { taskNames, tasksOf } from '../../worker/scheduled-tasks.ts';
import { expectedFiles, type OtherSchedule, sharedSchedules } from '../other-schedules.ts';

/** A schedule of an account and its next runs. */
export interface PlannedSchedule {
  /** Null: it concerns all accounts. */
  account: string | null;
  /** `status check`, `summary to office`. */
  what: string;
  /** A cron pattern, or an interval in milliseconds. */
  timing: { cron: string; timeZone: string } | { everyMs: number };
  /** The next three runs of a cron pattern. */
  next: Date[];
}

const shownRuns = 3;

const planned = (
  account: string | null,
  what: string,
  timing: PlannedSchedule['timing'],
  now: Date,
): PlannedSchedule => ({
  account,
  what,
  timing,
  next: 'cron' in timing ? nextRuns(timing.cron, timing.timeZone, now, shownRuns) : [],
});

/** The schedules of an account with their next three runs. */
export const listSchedules = (account: Account, now: Date): PlannedSchedule[] => [
  ...tasksOf(account).map(({ task, timing }) => planned(account.name, taskNames[task], timing, now)),
  ...expectedFiles(account).map(({ at }) => planned(account.name, 'expected files', at, now)),
];

/** Schedules of summaries, backups and the removal of old data, with their next three runs. */
export const listShared = (
  config: Config,
  tasks: readonly OtherSchedule['task'][],
  now: Date,
): PlannedSchedule[] =>
  sharedSchedules(config)
    .filter(({ task }) => tasks.includes(task))
    .map(({ name, task, at }) => planned(null, task === 'prune' ? 'removal of old data' : name, at, now));

/** `Mon 2026-11-23 06:00`, in this time zone. */
const showIn = (at: Date, timeZone: string): string => {
  const { weekday, day, time } = zoneClock(timeZone, at);
  return `${weekday[0]!.toUpperCase()}${weekday.slice(1)} ${day} ${time}`;
};

const showInterval = (ms: number): string =>
  ms % 60_000 === 0 ? `${ms / 60_000} min` : `${Math.round(ms / 1000)} s`;

/** A line for people. */
export const describeSchedule = ({ what, timing, next }: PlannedSchedule): string => {
  if ('everyMs' in timing) return `${what}: every ${showInterval(timing.everyMs)}`;
  const runs = next.map((at) => showIn(at, timing.timeZone)).join(', ');
  return `${what}: ${timing.cron} (${timing.timeZone}), next ${runs}`;
};
