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
  /** Only orders behind this one. */
  after?: Place | undefined;
  limit: number;
}

const keyTypes: Record<OrderSort, string> = {
  ordered: 'date',
  shipped: 'date',
  invoiced: 'date',
  total: 'numeric',
};

/** For each order of a list: how it is sorted, behind a place, and up to a place. */
const directions = { newest: ['desc', '<', '>='], oldest: ['asc', '>', '<='] } as const;

type Bind = (value: unknown) => string;

/** An order by its place in a list. */
export interface Place {
  key: string;
  id: string;
}

/**
 * How a page is found. `order`: each account is read in the order of an index, so that a page reads little more than its own rows where
 * many orders match. `numbers`: all orders with such a number are found by it and sorted.
 */
export type Way =
  | { by: 'order' }
  | {
      by: 'numbers';
      /** Of each kind of number only so many are read, those of the latest orders first if numbers rise. */
      most?: number;
      /** The page is known to end here, or before. */
      upTo?: Place | undefined;
    };

/** SQL: how the place of an order in the list compares with another one. */
const beside = (key: string, sort: OrderSort, side: string, { key: at, id }: Place, bind: Bind): string =>
  `(${key}, o.id) ${side} (${bind(at)}::${keyTypes[sort]}, ${bind(id)}::bigint)`;

/**
 * SQL: a page of orders as `(id, key, place)`; `place` is the key as text, of which a `Place` is made.
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
  // `offset 0`: found by the number, not by walking through the order of the list.
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

/** SQL: whether more than so many orders, matching or not, are read in the order of the list until it comes to this place. */
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
