import type { PoState } from '../../../../api-contract/basics.ts';
import type { PoFilter } from '../../../../api-contract/purchase-orders.ts';
import type { Query } from '../../data/request.ts';
import type { SearchOf } from '../../data/search-params.ts';
import { timeBefore } from '../../data/spans.ts';

export type PoSearch = SearchOf<'/purchase-orders'>;

const hourMs = 3_600_000;
/** Choices of the age filter: unchanged for this many hours. */
export const ages: [value: string, word: string][] = [
  ['1', 'Unchanged for 1 hour'],
  ['24', 'Unchanged for 1 day'],
  ['168', 'Unchanged for 7 days'],
];

/** Sort orders besides latest first. */
export const sorts: [value: string, word: string][] = [
  ['received.oldest', 'Oldest first'],
  ['number.oldest', 'PO number, ascending'],
  ['number', 'PO number, descending'],
];

/** Converts the filter of the page's address for lists and bulk runs. */
export const filterOf = (search: PoSearch): PoFilter => {
  const { q, account, state, reason, message, importId, alarm, cause, needs, assignee, quote, age } = search;
  const changedBefore = Number(age) > 0 ? timeBefore(Number(age) * hourMs) : undefined;
  return {
    ...(account ? { account } : {}),
    ...(state ? { state: state.split(',') as PoState[] } : {}),
    ...(reason ? { reason } : {}),
    ...(message ? { message } : {}),
    ...(importId ? { importId } : {}),
    ...(alarm ? { alarm: alarm === 'true' } : {}),
    ...(cause ? { alarmCause: cause } : {}),
    ...(needs === 'person' || needs === 'settling' ? { needs } : {}),
    ...(needs === 'nobody' ? { settled: true } : {}),
    ...(assignee ? { assignee } : {}),
    ...(quote ? { quote: quote === 'true' } : {}),
    ...(q ? { po: q } : {}),
    ...(changedBefore ? { changedBefore } : {}),
  };
};

export const listQueryOf = (search: PoSearch): Query => {
  const { state, ...filter } = filterOf(search);
  const [sort, order] = (search.sort ?? '').split('.');
  return { ...filter, state: state?.join(','), sort, order, cursor: search.cursor, limit: 100 };
};
