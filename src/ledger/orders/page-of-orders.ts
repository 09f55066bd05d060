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
  after?: { key: string; id: string } | undefined;
  limit: number;
}

const keyTypes: Record<OrderSort, string> = {
  ordered: 'date',
  shipped: 'date',
  invoiced: 'date',
  total: 'numeric',
};

const directions = { newest: ['desc', '<'], oldest: ['asc', '>'] } as const;

type Bind = (value: unknown) => string;

/** SQL: the order comes after the last one of the page before. */
const behindCursor = (
  key: string,
  sort: OrderSort,
  behind: '<' | '>',
  after: OrderPage['after'],
  bind: Bind,
): string[] =>
  after
    ? [`(${key}, o.id) ${behind} (${bind(after.key)}::${keyTypes[sort]}, ${bind(after.id)}::bigint)`]
    : [];

/**
 * SQL: a page of orders as `(id, key)`. Each account is read in the order of an index, so that a page reads little more than its own rows.
 *
 * @param accounts those whose orders are read
 * @param by `numbers`: all orders with such a number are found by it and sorted, in place of that
 */
export const pageOfOrders = (
  { q, ...filter }: OrderFilter,
  { sort, order, after, limit }: OrderPage,
  accounts: readonly OrderAccount[],
  by: 'order' | 'numbers' = 'order',
): { text: string; values: unknown[] } => {
  const { values, bind } = createBinder();
  const key = keys[sort];
  const [direction, behind] = directions[order];
  const rows = accountRows(accounts, bind);
  const isByNumbers = by === 'numbers' && q !== undefined;
  const all = [
    'o.account = a.account',
    ...conditions(isByNumbers ? filter : { ...filter, q }, bind),
    ...behindCursor(key, sort, behind, after, bind),
  ];
  const most = bind(limit);
  const first = (
    from: string,
    on: string,
  ) => `select o.id, ${key} as key from ${from} ${on} ${all.join(' and ')}
    order by ${key} ${direction}, o.id ${direction} limit ${most}`;
  // `offset 0`: found by the number, not by walking through the order of the list.
  const found = isByNumbers
    ? `(${numberings(`${bind(q)}::text`, `${bind(withoutGaps(q))}::text`)
        .map(
          (condition) =>
            `(${first(`(select o.* from orders o where ${condition} offset 0) o join ${rows}`, 'on')})`,
        )
        .join(' union ')}) found`
    : `${rows} cross join lateral (${first('orders o', 'where')}) found`;
  return {
    text: `select found.id, found.key from ${found} order by found.key ${direction}, found.id ${direction} limit ${most}`,
    values,
  };
};

/** Of that many orders at the beginning of a list, of all accounts together, it is looked first which ones match. */
const nearOrders = 5000;

/**
 * SQL: the ids of a page of orders that lie near its beginning; `isWhole`: these are the page. Reads the first orders of each account in
 * the order of the list, and takes those which no order behind them can precede.
 */
export const pageNearby = (
  filter: OrderFilter,
  { sort, order, after, limit }: OrderPage,
  accounts: readonly OrderAccount[],
  near = nearOrders,
): { text: string; values: unknown[] } => {
  const { values, bind } = createBinder();
  const [direction, behind] = directions[order];
  const key = keys[sort];
  const each = Math.ceil(near / Math.max(1, accounts.length));
  const inOrder = `order by key ${direction}, id ${direction}`;
  return {
    text: `with read as materialized (
        select o.id, o.key, o.at, ${conditions(filter, bind).join(' and ')} as matches
        from ${accountRows(accounts, bind)} cross join lateral (
          select o.*, ${key} as key, row_number() over (order by ${key} ${direction}, o.id ${direction}) as at from orders o
          where ${['o.account = a.account', ...behindCursor(key, sort, behind, after, bind)].join(' and ')}
          order by ${key} ${direction}, o.id ${direction} limit ${each}) o
      ), unread as (select key, id from read where at = ${each} ${inOrder} limit 1),
      page as (select id from read r where matches and not exists (
        select from unread u where (r.key, r.id) ${behind} (u.key, u.id)) ${inOrder} limit ${bind(limit)})
      select (select coalesce(array_agg(id::text), '{}') from page) as ids,
        (select count(*) from page) = ${bind(limit)} or not exists (select from unread) as "isWhole"`,
    values,
  };
};
