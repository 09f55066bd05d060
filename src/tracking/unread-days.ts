import type { Days, RangeReading } from '../placing/list-range.ts';

/** A day that the service does not answer, although it answers others; polls skip it until its next try. */
export interface KnownUnreadDay {
  /** In UTC, days since 1970. */
  day: number;
  /** Number of failures in a row. */
  tries: number;
  triedAt: Date;
}

const firstRetryMs = 15 * 60_000;
const longestRetryMs = 6 * 3_600_000;

/** How long polls skip a day after the nth failure in a row. Pure. */
const retryDayMs = (tries: number): number => Math.min(firstRetryMs * 2 ** (tries - 1), longestRetryMs);

/** The days that a poll skips; none if a person asked, or if the clock was set back. Pure. */
export const daysToLeaveOut = (
  known: readonly KnownUnreadDay[],
  at: Date,
  all: boolean,
): ReadonlySet<number> => {
  const isEarly = ({ tries, triedAt }: KnownUnreadDay): boolean => {
    const elapsedMs = at.getTime() - triedAt.getTime();
    return elapsedMs >= 0 && elapsedMs < retryDayMs(tries);
  };
  return new Set(all ? [] : known.filter(isEarly).map(({ day }) => day));
};

/**
 * What a reading shows about single days: which could not be read, and which need no longer be skipped, because they were read or have no
 * open PO. A reading that ended early shows nothing: the whole service may have failed. Pure.
 */
export const learnUnreadDays = (
  known: readonly KnownUnreadDay[],
  { range, oldestOpen, leftOut }: { range: Days; oldestOpen: number; leftOut: ReadonlySet<number> },
  { unreadDays, failed }: Pick<RangeReading, 'unreadDays' | 'failed'>,
): { unread: { day: number; why: string }[]; over: number[] } => {
  if (failed) return { unread: [], over: [] };
  const isUnread = new Set([...leftOut, ...unreadDays.map(({ day }) => day)]);
  return {
    unread: unreadDays.map(({ day, failed: { message } }) => ({ day, why: message })),
    over: known
      .map(({ day }) => day)
      .filter((day) => (day >= range.first && !isUnread.has(day)) || day < oldestOpen - 1),
  };
};
