import type { DealerApi, FailedCall, Gate, PoAnswer } from '../dealer-api/answers.ts';

const dayMs = 86_400_000;

export const shiftDay = (at: Date, days: number): Date => new Date(at.getTime() + days * dayMs);

/** A day as rule 1 of spec 4 writes it, in UTC. */
export const compactDay = (at: Date): string => at.toISOString().slice(0, 10).replaceAll('-', '');

/** Days of UTC, both inclusive. */
export interface Days {
  first: Date;
  last: Date;
}

export type RangeRead =
  | { kind: 'ok'; value: PoAnswer[] }
  /** What the narrowest range answered that was asked for and could not be read. */
  | { kind: 'failed'; failed: FailedCall };

/**
 * Reads the POs that were ordered on these days: by one call, unless its answer takes too long or is cut off.
 * What cannot be read whole is read in halves, down to single days: one PO that stays open for half a year
 * must not end the polls of an account that orders much. A PO with orders on several days may then come several
 * times. Where the service does not answer at all, only the earlier half is asked for again, down to one day.
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
