import type { DealerApi, FailedCall, Gate, PoAnswer } from '../dealer-api/answers.ts';

const dayMs = 86_400_000;

export const shiftDay = (at: Date, days: number): Date => new Date(at.getTime() + days * dayMs);

/** A day as spec 4.7 writes it, in UTC. */
export const compactDay = (at: Date): string => at.toISOString().slice(0, 10).replaceAll('-', '');

/** Days of UTC, both inclusive. */
export interface Days {
  first: Date;
  last: Date;
}

/** A lookup that failed. A 404 is not a failure: nothing exists there. */
export type FailedLookup = Exclude<FailedCall, { kind: 'not_found' }>;

export type RangeRead =
  | { kind: 'ok'; value: PoAnswer[] }
  /** The answer of the narrowest range that was requested and could not be read. */
  | { kind: 'failed'; failed: FailedLookup };

/**
 * Reads the POs that were ordered on these days: in one call, unless its answer takes too long or is cut off. Such a range
 * is read in halves, down to single days: one PO that stays open for half a year must not end the polls of an account
 * that orders much. A PO with orders on several days may then appear several times. Where the service does not answer at
 * all, only the earlier half is requested again, down to one day.
 */
export const listRange = async (
  api: Pick<DealerApi, 'listOrders'>,
  { first, last }: Days,
  gate?: Gate,
): Promise<RangeRead> => {
  const range = await api.listOrders(compactDay(first), compactDay(last), gate);
  if (range.kind === 'ok') return range;
  // Some services answer 404 for days without orders.
  if (range.kind === 'not_found') return { kind: 'ok', value: [] };
  // By calendar: a day may be named by its last hour and the next one by its first.
  const nights = Math.floor(last.getTime() / dayMs) - Math.floor(first.getTime() / dayMs);
  if (range.kind !== 'unknown' || nights < 1) return { kind: 'failed', failed: range };
  const middle = shiftDay(first, Math.floor((nights - 1) / 2));
  const earlier = await listRange(api, { first, last: middle }, gate);
  if (earlier.kind === 'failed') return earlier;
  const later = await listRange(api, { first: shiftDay(middle, 1), last }, gate);
  return later.kind === 'failed' ? later : { kind: 'ok', value: [...earlier.value, ...later.value] };
};
