import type { DealerApi, FailedCall, Gate, PoAnswer } from '../dealer-api/answers.ts';

const dayMs = 86_400_000;

/** A calendar day of UTC, as days since 1970. */
export const dayOf = (at: Date): number => Math.floor(at.getTime() / dayMs);

export const startOfDay = (day: number): Date => new Date(day * dayMs);

/** A day as spec 4.7 writes it, in UTC. */
export const compactDay = (at: Date): string => at.toISOString().slice(0, 10).replaceAll('-', '');

/** Days of UTC, both inclusive. */
export interface Days {
  first: number;
  last: number;
}

/** A lookup that failed. A 404 is not a failure: nothing exists there. */
export type FailedLookup = Exclude<FailedCall, { kind: 'not_found' }>;

/** A single day that could not be read, while other days could. */
export interface UnreadDay {
  day: number;
  failed: FailedLookup;
}

export interface RangeReading {
  /** Oldest days first. A PO with orders on several days may appear several times. */
  answers: PoAnswer[];
  /** The newest unread day; all later days of the range were read. */
  unreadSince: number | undefined;
  /** The days that could not be read, newest first. */
  unreadDays: UnreadDay[];
  /** Why the reading ended before the first day of the range. */
  failed: FailedLookup | undefined;
  /** The longest part that was answered, in days; 0 if none was. */
  longestRead: number;
  /** The shortest part of several days that took too long, was cut off or was refused, though each of its days could be read. */
  shortestTooLong: number | undefined;
}

/** A failure that may not affect other days: the answer took too long or was cut off, or the service refuses such a long range. */
export const concernsItsDays = ({ kind }: FailedLookup): boolean => kind === 'unknown' || kind === 'refused';

/**
 * Reads the POs that were ordered on these days, newest days first: in one call, or in parts of `longest` days. A part whose
 * answer takes too long, is cut off or is refused is read in shorter parts, down to single days, and so are the days after it. If a
 * single day was the reason, the days before it are read in parts of `longest` days again.
 *
 * @param options.unreadable number of days that may fail before reading stops; failures count only after something was read
 * @param options.leaveOut days to skip
 */
export const readRange = async (
  api: Pick<DealerApi, 'listOrders'>,
  { first, last }: Days,
  options: {
    longest?: number | undefined;
    unreadable?: number;
    leaveOut?: ReadonlySet<number>;
    gate?: Gate | undefined;
  } = {},
): Promise<RangeReading> => {
  const { longest = Number.POSITIVE_INFINITY, unreadable = 0, leaveOut = new Set(), gate } = options;
  const parts: PoAnswer[][] = [];
  const unreadDays: UnreadDay[] = [];
  const tooLong: Days[] = [];
  let failed: FailedLookup | undefined;
  let unreadSince: number | undefined;
  let longestRead = 0;
  let partDays = longest;
  for (let end = last; end >= first; ) {
    if (leaveOut.has(end)) {
      unreadSince ??= end;
      end -= 1;
      continue;
    }
    let start = end;
    while (start > first && end - start + 1 < partDays && !leaveOut.has(start - 1)) start -= 1;
    const days = end - start + 1;
    const part = await api.listOrders(compactDay(startOfDay(start)), compactDay(startOfDay(end)), gate);
    // Some services answer 404 for days without orders.
    if (part.kind === 'ok' || part.kind === 'not_found') {
      if (part.kind === 'ok') parts.push(part.value);
      longestRead = Math.max(longestRead, days);
      end = start - 1;
      continue;
    }
    if (concernsItsDays(part) && days > 1) {
      tooLong.push({ first: start, last: end });
      partDays = Math.floor(days / 2);
      continue;
    }
    unreadSince ??= end;
    unreadDays.push({ day: end, failed: part });
    if (!concernsItsDays(part) || longestRead === 0 || unreadDays.length > unreadable) {
      failed = part;
      break;
    }
    end -= 1;
    partDays = longest;
  }
  // If a part contains an unreadable day, its failure says nothing about its length.
  const lengths = tooLong
    .filter((part) => !unreadDays.some(({ day }) => day >= part.first && day <= part.last))
    .map((part) => part.last - part.first + 1);
  const shortestTooLong = lengths.length > 0 ? Math.min(...lengths) : undefined;
  return { answers: parts.reverse().flat(), unreadSince, unreadDays, failed, longestRead, shortestTooLong };
};

/** Reads all of these days (`readRange`), or answers why that failed. */
export const listRange = async (
  api: Pick<DealerApi, 'listOrders'>,
  days: Days,
  gate?: Gate,
): Promise<{ kind: 'ok'; value: PoAnswer[] } | { kind: 'failed'; failed: FailedLookup }> => {
  const { answers, failed } = await readRange(api, days, { gate });
  return failed ? { kind: 'failed', failed } : { kind: 'ok', value: answers };
};
