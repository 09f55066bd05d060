import type { KnownSchedule } from './data-work.ts';

const unit = (ms: number): string => {
  if (ms % 3_600_000 === 0) return `${ms / 3_600_000} h`;
  if (ms % 60_000 === 0) return `${ms / 60_000} min`;
  return `${ms / 1000} s`;
};

/** `every 15 min`, or the cron pattern with its time zone. Pure. */
export const timingWords = (timing: KnownSchedule['timing']): string =>
  'everyMs' in timing ? `every ${unit(timing.everyMs)}` : `${timing.cron} (${timing.timeZone})`;

/** When a schedule runs next, as ISO 8601; null where the queue does not know. */
export const nextTime = ({ nextAtMs }: KnownSchedule): string | null =>
  nextAtMs === undefined ? null : new Date(nextAtMs).toISOString();
