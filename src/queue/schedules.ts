import { defaultRepeatStrategy } from 'bullmq';
import { messageOf, UserError } from '../errors.ts';
import type { BullQueue } from './backend.ts';
import { toBullJob } from './job-options.ts';
import type { JobName, NewJob } from './jobs.ts';

export type Timing =
  /** Five or six fields, in an IANA time zone. */
  { cron: string; timeZone: string } | { everyMs: number };

export interface Schedule {
  /** Unique among the schedules of one job name; without a colon. */
  id: string;
  /** Key and delay play no part. */
  job: NewJob;
  timing: Timing;
}

export interface StandingSchedule {
  id: string;
  name: JobName;
  /** Whose schedule it is; undefined where its job names no account. */
  account: string | undefined;
  timing: Timing;
  /** When it is due next, in ms since 1970; undefined where the queue does not know. */
  nextAtMs: number | undefined;
}

/** A schedule overdue by more than this has lost its next job: it is put back. */
const overdueMs = 60_000;

const repeatOf = (timing: Timing): { pattern: string; tz: string } | { every: number } =>
  'cron' in timing ? { pattern: timing.cron, tz: timing.timeZone } : { every: timing.everyMs };

const nextOf = async ({ cron, timeZone }: { cron: string; timeZone: string }): Promise<number | undefined> =>
  defaultRepeatStrategy(Date.now(), { pattern: cron, tz: timeZone });

/** @throws UserError `bad_schedule` naming what is wrong */
const assertTiming = (timing: Timing): void => {
  if ('everyMs' in timing) return;
  try {
    defaultRepeatStrategy(Date.now(), { pattern: timing.cron, tz: timing.timeZone });
  } catch (cause) {
    throw new UserError(
      'bad_schedule',
      `"${timing.cron}" in time zone "${timing.timeZone}" is no schedule: ${messageOf(cause)}.`,
      { cause },
    );
  }
};

/**
 * Puts a schedule in place. Idempotent: one that stands as asked is left alone, so that restoring it often
 * does not put its next run off.
 */
export const upsertSchedule = async (queue: BullQueue, { id, job, timing }: Schedule): Promise<void> => {
  assertTiming(timing);
  const { name, data, opts } = toBullJob({
    ...job,
    key: undefined,
    single: undefined,
    delayMs: undefined,
  } as NewJob);
  const standing = await queue.getJobScheduler(id);
  const same =
    standing !== undefined &&
    ('cron' in timing
      ? standing.pattern === timing.cron && standing.tz === timing.timeZone
      : standing.every === timing.everyMs) &&
    JSON.stringify(standing.template?.data) === JSON.stringify(data);
  if (same && (standing.next ?? 0) > Date.now() - overdueMs) return;
  const put = () => queue.upsertJobScheduler(id, repeatOf(timing), { name, data, opts });
  try {
    await put();
  } catch (error) {
    // A store that threw keys away may have left the schedule's next job without the rest of the schedule: its id is
    // then taken until it is due, which may be a day.
    const next = 'cron' in timing ? await nextOf(timing) : undefined;
    if (next === undefined) throw error;
    await queue.removeJobScheduler(id);
    await queue.remove(`repeat:${id}:${next}`);
    await put();
  }
};

export const listSchedules = async (queue: BullQueue): Promise<StandingSchedule[]> =>
  (await queue.getJobSchedulers()).map(({ key, pattern, tz, every, next, template }) => ({
    id: key,
    name: queue.name as JobName,
    account: (template?.data as { account?: string } | undefined)?.account,
    timing: pattern === undefined ? { everyMs: every ?? 0 } : { cron: pattern, timeZone: tz ?? 'UTC' },
    nextAtMs: next,
  }));
