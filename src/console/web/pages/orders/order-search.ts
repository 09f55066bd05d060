import type { Query } from '../../data/request.ts';
import type { SearchOf } from '../../data/search-params.ts';

export type OrderSearch = SearchOf<'/orders'>;

/** Flags that people filter by. */
export const looks = ['late', 'backordered', 'untracked', 'alarm'] as const;
export const lookWords: Record<(typeof looks)[number], string> = {
  late: 'Late',
  backordered: 'Back-ordered',
  untracked: 'Shipped, no tracking',
  alarm: 'Differs from its file',
};

export const days: [value: string, word: string][] = [
  ['shipped', 'Day of shipping'],
  ['invoiced', 'Day of invoicing'],
];

export const sorts: [value: string, word: string][] = [
  ['ordered', 'Ordered, latest first'],
  ['ordered.oldest', 'Ordered, earliest first'],
  ['shipped', 'Shipped, latest first'],
  ['shipped.oldest', 'Shipped, earliest first'],
  ['invoiced', 'Invoiced, latest first'],
  ['total', 'Total, largest first'],
  ['total.oldest', 'Total, smallest first'],
];

/** Converts the filter of the page's address for the API. */
export const orderQueryOf = (search: OrderSearch): Query => {
  const { q, account, status, look, day = 'ordered', from, to, sort, importId } = search;
  // A filter by ship date sorts by ship date.
  const [by, order] = (sort ?? day).split('.');
  return {
    ...{ q, account, status, importId, sort: by, order },
    ...(look ? { [look]: true } : {}),
    [`${day}From`]: from,
    [`${day}To`]: to,
  };
};
