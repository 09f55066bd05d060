import type { PoState } from '../../../api/schemas/basics.ts';
import type { PoFilter } from '../../../api/schemas/purchase-orders.ts';
import type { Query } from '../../data/request.ts';

export type PoSearch = Partial<
  Record<
    'q' | 'account' | 'state' | 'reason' | 'importId' | 'alarm' | 'quote' | 'age' | 'order' | 'cursor',
    string
  >
>;

const hourMs = 3_600_000;
/** Ages that the filter offers: not changed for so many hours. */
export const ages: [value: string, word: string][] = [
  ['1', 'Unchanged for 1 hour'],
  ['24', 'Unchanged for 1 day'],
  ['168', 'Unchanged for 7 days'],
];

/** Whole minutes, so that the same page asks the same question for a while. */
const before = (hours: string | undefined): string | undefined => {
  const count = Number(hours);
  if (!hours || !(count > 0)) return undefined;
  return new Date(Math.floor((Date.now() - count * hourMs) / 60_000) * 60_000).toISOString();
};

/** The filter of the page's address, as lists and bulk runs take it. */
export const filterOf = (search: PoSearch): PoFilter => {
  const { q, account, state, reason, importId, alarm, quote, age } = search;
  const changedBefore = before(age);
  return {
    ...(account ? { account } : {}),
    ...(state ? { state: state.split(',') as PoState[] } : {}),
    ...(reason ? { reason } : {}),
    ...(importId ? { importId } : {}),
    ...(alarm ? { alarm: alarm === 'true' } : {}),
    ...(quote ? { quote: quote === 'true' } : {}),
    ...(q ? { po: q } : {}),
    ...(changedBefore ? { changedBefore } : {}),
  };
};

export const listQueryOf = (search: PoSearch): Query => {
  const { state, ...filter } = filterOf(search);
  return { ...filter, state: state?.join(','), order: search.order, cursor: search.cursor, limit: 100 };
};
