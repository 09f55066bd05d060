import type { Query } from '../../data/request.ts';
import type { SearchOf } from '../../data/search-params.ts';

export type OrderSearch = SearchOf<'/orders'>;

/** What a person looks for. */
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

/** The filter of the page's address, as the API takes it. */
export const orderQueryOf = (search: OrderSearch): Query => {
  const { q, account, status, look, day = 'ordered', from, to, sort, importId } = search;
  // Who looks at days of shipping means to see them in that order.
  const [by, order] = (sort ?? day).split('.');
  return {
    ...{ q, account, status, importId, sort: by, order },
    ...(look ? { [look]: true } : {}),
    [`${day}From`]: from,
    [`${day}To`]: to,
  };
};
