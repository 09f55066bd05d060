import type { RangeReading } from '../placing/list-range.ts';
import { isDue } from './plan-poll.ts';

/** The longest range that an account's service is known to answer; all undefined while it has answered every range. */
export interface KnownRange {
  days: number | undefined;
  learnedAt: Date | undefined;
}

/** A time-out may have been a bad moment, and a limit may be lifted: so long after the last attempt a longer range is tried. */
const longerEveryMs = 3_600_000;

/** How many days a poll asks for at once; undefined: all. */
export const longestToAsk = ({ days, learnedAt }: KnownRange, at: Date): number | undefined =>
  days !== undefined && isDue(learnedAt, longerEveryMs, at) ? 2 * days : days;

/** What a reading in parts of `asked` days shows about the longest range; undefined: nothing new. Pure. */
export const learnLongest = (
  { days: known }: KnownRange,
  asked: number | undefined,
  { longestRead, shortestTooLong }: Pick<RangeReading, 'longestRead' | 'shortestTooLong'>,
): number | undefined => {
  // A service that answers nothing shows nothing about the length.
  if (longestRead === 0) return undefined;
  if (shortestTooLong === undefined)
    return known !== undefined && longestRead > known ? longestRead : undefined;
  // A part of the known length that fails while another one is answered has a day with too many orders.
  return asked === known && longestRead === known ? undefined : longestRead;
};
