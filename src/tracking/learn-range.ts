import type { RangeReading } from '../placing/list-range.ts';
import { isDue } from './plan-poll.ts';

/** The longest range that an account's service is known to answer; all fields undefined if it has answered every range. */
export interface KnownRange {
  days: number | undefined;
  learnedAt: Date | undefined;
}

/** When to try a longer range again: a timeout may have been temporary, and a limit may be lifted. */
const longerEveryMs = 3_600_000;

/** Maximum number of days in one request of a poll; undefined: all. */
export const longestToAsk = ({ days, learnedAt }: KnownRange, at: Date): number | undefined =>
  days !== undefined && isDue(learnedAt, longerEveryMs, at) ? 2 * days : days;

/** What a reading in parts of `asked` days shows about the longest range; undefined: nothing new. Pure. */
export const learnLongest = (
  { days: known }: KnownRange,
  asked: number | undefined,
  { longestRead, shortestTooLong }: Pick<RangeReading, 'longestRead' | 'shortestTooLong'>,
): number | undefined => {
  // A service that answers nothing gives no information about the length.
  if (longestRead === 0) return undefined;
  if (shortestTooLong === undefined)
    return known !== undefined && longestRead > known ? longestRead : undefined;
  // A part of the known length that fails while another one is answered has a day with too many orders.
  return asked === known && longestRead === known ? undefined : longestRead;
};
