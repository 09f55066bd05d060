import { isDeepStrictEqual } from 'node:util';
import { defaultRepeatStrategy, type JobSchedulerJson } from 'bullmq';
import { clockSkewMs } from '../clock-skew.ts';
import type { JobName, NewJob } from '../dispatch/job-schemas.ts';
import { messageOf, UserError } from '../errors.ts';
import type { BullQueue } from './backend.ts';
import { toBullJob } from './job-options.ts';

export type Timing =
  /** Five or six fields, in an IANA time zone. */
  { cron: string; timeZone: string } | { everyMs: number };

export interface Schedule {
  /** Unique among the schedules of one job name; without a colon. */
  id: string;
  /** Its key and delay are ignored. */
  job: NewJob;
  timing: Timing;
}

export interface ExistingSchedule {
  id: string;
  name: JobName;
  /** Its job's data. */
  data: unknown;
  /** Its job's account; undefined if the job names none. */
  account: string | undefined;
  timing: Timing;
  /** When it is due next, in milliseconds since 1970; undefined if the queue does not know. */
  nextAtMs: number | undefined;
}

/** A schedule that is overdue by more than this has lost its next job and is set again. */
const overdueMs = 60_000;

const repeatOf = (timing: Timing): { pattern: string; tz: string } | { every: number } =>
  'cron' in timing ? { pattern: timing.cron, tz: timing.timeZone } : { every: timing.everyMs };

const nextOf = async (
  { cron, timeZone }: { cron: string; timeZone: string },
  after = Date.now(),
): Promise<number | undefined> => defaultRepeatStrategy(after, { pattern: cron, tz: timeZone });

/** The latest moment at which a schedule can be due next, in milliseconds since 1970. */
const latestNext = async (timing: Timing): Promise<number> => {
  const latestNow = Date.now() + clockSkewMs;
  if ('everyMs' in timing) return latestNow + timing.everyMs;
  return (await nextOf(timing, latestNow)) ?? Number.POSITIVE_INFINITY;
};

/** @throws UserError `bad_schedule` naming what is wrong */
const assertTiming = (timing: Timing): void => {
  if ('everyMs' in timing) return;
  try {
    defaultRepeatStrategy(Date.now(), { pattern: timing.cron, tz: timing.timeZone });
  } catch (cause) {
    throw new UserError(
      'bad_schedule',
      `"${timing.cron}" in time zone "${timing.timeZone}" is not a valid schedule: ${messageOf(cause)}.`,
      { cause },
    );
  }
};

const asExisting = (
  { name }: BullQueue,
  { key, pattern, tz, every, next, template }: JobSchedulerJson,
): ExistingSchedule => ({
  id: key,
  name: name as JobName,
  data: template?.data,
  account: (template?.data as { account?: string } | undefined)?.account,
  timing: pattern === undefined ? { everyMs: every ?? 0 } : { cron: pattern, timeZone: tz ?? 'UTC' },
  nextAtMs: next,
});

const findSchedule = async (queue: BullQueue, id: string): Promise<ExistingSchedule | undefined> => {
  const found = await queue.getJobScheduler(id);
  return found && asExisting(queue, found);
};

const bullJobOf = ({ job }: Schedule) =>
  toBullJob({ ...job, key: undefined, single: undefined, delayMs: undefined } as NewJob);

/**
 * Sets a schedule. Idempotent: an equal schedule is not touched, so that restoring it often does not delay its next run, unless
 * that run is overdue, or later than its timing allows because the clock was set back.
 *
 * @param known the schedule from `listSchedules`, null if it has none; default: it is looked up
 */
export const upsertSchedule = async (
  queue: BullQueue,
  schedule: Schedule,
  known?: ExistingSchedule | null,
): Promise<void> => {
  const { id, timing } = schedule;
  assertTiming(timing);
  const existing = known === undefined ? await findSchedule(queue, id) : (known ?? undefined);
  const { name, data, opts } = bullJobOf(schedule);
  const same =
    existing !== undefined &&
    isDeepStrictEqual(existing.timing, timing) &&
    JSON.stringify(existing.data) === JSON.stringify(data);
  const next = existing?.nextAtMs ?? 0;
  const isTooLate = next > (await latestNext(timing));
  if (same && !isTooLate && next > Date.now() - overdueMs) return;
  // Otherwise the queue would continue from the stored time.
  if (isTooLate) await queue.removeJobScheduler(id);
  const set = () => queue.upsertJobScheduler(id, repeatOf(timing), { name, data, opts });
  try {
    await set();
  } catch (error) {
    // A store that evicted keys may have kept the schedule's next job without the schedule: its ID is then taken until
    // the job is due, which may be a day.
    const next = 'cron' in timing ? await nextOf(timing) : undefined;
    if (next === undefined) throw error;
    await queue.removeJobScheduler(id);
    await queue.remove(`repeat:${id}:${next}`);
    await set();
  }
};

export const listSchedules = async (queue: BullQueue): Promise<ExistingSchedule[]> =>
  (await queue.getJobSchedulers()).map((scheduler) => asExisting(queue, scheduler));
