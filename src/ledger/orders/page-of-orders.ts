import { createBinder } from '../console/sql-parts.ts';
import {
  accountRows,
  conditions,
  keys,
  type OrderAccount,
  type OrderFilter,
  type OrderSort,
} from './order-filter.ts';
import { numberings, withoutGaps } from './order-numbers.ts';

export interface OrderPage {
  sort: OrderSort;
  order: 'newest' | 'oldest';
  /** Only orders after this one. */
  after?: Place | undefined;
  limit: number;
}

const keyTypes: Record<OrderSort, string> = {
  ordered: 'date',
  shipped: 'date',
  invoiced: 'date',
  total: 'numeric',
};

/** For each sort direction: the SQL direction, "after a position" and "up to a position". */
const directions = { newest: ['desc', '<', '>='], oldest: ['asc', '>', '<='] } as const;

type Bind = (value: unknown) => string;

/** The position of an order in a list. */
export interface Place {
  key: string;
  id: string;
}

/**
 * How a page is found. `order`: reads each account in index order, so that a page reads little more than its own rows if many orders match.
 * `numbers`: finds all orders by number and sorts them.
 */
export type Way =
  | { by: 'order' }
  | {
      by: 'numbers';
      /** Read at most this many of each kind of number; the latest orders come first if numbers ascend. */
      most?: number;
      /** The page is known to end here or earlier. */
      upTo?: Place | undefined;
    };

/** SQL: compares the list position of an order with another one. */
const beside = (key: string, sort: OrderSort, side: string, { key: at, id }: Place, bind: Bind): string =>
  `(${key}, o.id) ${side} (${bind(at)}::${keyTypes[sort]}, ${bind(id)}::bigint)`;

/**
 * SQL: a page of orders as `(id, key, place)`; `place` is the key as text, used in a `Place`.
 *
 * @param accounts those whose orders are read
 */
export const pageOfOrders = (
  { q, ...filter }: OrderFilter,
  { sort, order, after, limit }: OrderPage,
  accounts: readonly OrderAccount[],
  way: Way = { by: 'order' },
): { text: string; values: unknown[] } => {
  const { values, bind } = createBinder();
  const key = keys[sort];
  const [direction, behind, upTo] = directions[order];
  const rows = accountRows(accounts, bind);
  const numbers = way.by === 'numbers' && q !== undefined ? { ...way, q } : undefined;
  const all = [
    'o.account = a.account',
    ...conditions(numbers ? filter : { ...filter, q }, bind),
    ...(after ? [beside(key, sort, behind, after, bind)] : []),
    ...(numbers?.upTo ? [beside(key, sort, upTo, numbers.upTo, bind)] : []),
  ];
  const most = bind(limit);
  const first = (
    from: string,
    on: string,
  ) => `select o.id, ${key} as key from ${from} ${on} ${all.join(' and ')}
    order by ${key} ${direction}, o.id ${direction} limit ${most}`;
  // `offset 0` makes Postgres search by number instead of scanning in list order.
  const cut = numbers?.most === undefined ? 'offset 0' : `limit ${numbers.most}`;
  const found = numbers
    ? `(${numberings(`${bind(numbers.q)}::text`, `${bind(withoutGaps(numbers.q))}::text`)
        .map(({ condition, number }) => {
          const latest =
            number === undefined ? '' : `order by ${number} using ${order === 'newest' ? '~>~' : '~<~'}`;
          return `(${first(`(select o.* from orders o where ${condition} ${latest} ${cut}) o join ${rows}`, 'on')})`;
        })
        .join(' union ')}) found`
    : `${rows} cross join lateral (${first('orders o', 'where')}) found`;
  return {
    text: `select found.id, found.key, found.key::text as place from ${found} order by found.key ${direction}, found.id ${direction} limit ${most}`,
    values,
  };
};

/** SQL: whether more than this many orders, matching or not, come before this position in list order. */
export const isFarBehind = (
  place: Place,
  most: number,
  { sort, order, after }: OrderPage,
  accounts: readonly OrderAccount[],
): { text: string; values: unknown[] } => {
  const { values, bind } = createBinder();
  const key = keys[sort];
  const [, behind, upTo] = directions[order];
  const all = [
    'o.account = a.account',
    beside(key, sort, upTo, place, bind),
    ...(after ? [beside(key, sort, behind, after, bind)] : []),
  ];
  return {
    text: `select count(*) > ${most} as far from (select from ${accountRows(accounts, bind)} cross join lateral (
      select from orders o where ${all.join(' and ')} limit ${most + 1}) read limit ${most + 1}) read`,
    values,
  };
};
