import type { OrderSummary, OrdersAnswer } from '../../api-contract/orders.ts';
import { count, shorten, showMoney, showText, showUtc } from './show-text.ts';
import { type Column, drawTable, right, wrapping } from './table.ts';
import type { Terminal } from './terminal.ts';

/** Below this width, the pieces are omitted; --json has them. */
const wideFrom = 110;

const statusOf = (
  terminal: Terminal,
  { status, lateDays, alarm, backordered, goneAt }: OrderSummary,
): string =>
  [
    goneAt !== null
      ? 'not shown any more'
      : status === null
        ? 'not shown yet'
        : shorten(showText(status), 20),
    lateDays === null ? '' : terminal.paint('red', `late, ${lateDays} d`),
    backordered ? terminal.paint('yellow', `${backordered} back-ordered`) : '',
    alarm === null ? '' : terminal.paint('red', 'differs'),
  ]
    .filter((part) => part !== '')
    .join(', ');

const trackingOf = ({ tracking: [first], trackingCount }: OrderSummary): string =>
  first === undefined
    ? ''
    : `${shorten(showText(first.number), 30)}${trackingCount > 1 ? ` and ${trackingCount - 1} more` : ''}`;

/** Orders as a table, with their number and total cost. */
export const drawOrders = (
  terminal: Terminal,
  { items, total, sum, withoutTotal }: Pick<OrdersAnswer, 'items' | 'total' | 'sum' | 'withoutTotal'>,
): string => {
  if (items.length === 0) return 'No order matches.';
  const severalAccounts = new Set(items.map(({ account }) => account)).size > 1;
  const nameOf = ({ account, poNumber }: OrderSummary): string =>
    `${shorten(showText(poNumber), 40)}${severalAccounts ? ` (${showText(account)})` : ''}`;
  const isWide = terminal.columns >= wideFrom;
  const columns: [Column, (order: OrderSummary) => string][] = [
    [wrapping('PO'), nameOf],
    [{ head: 'Order' }, (order) => shorten(showText(order.orderNumber), 24)],
    [wrapping('Status'), (order) => statusOf(terminal, order)],
    [
      wrapping('Shipped'),
      (order) =>
        [shorten(showText(order.shipDate ?? ''), 10), trackingOf(order)]
          .filter((part) => part !== '')
          .join(' '),
    ],
    ...(isWide
      ? [
          [right('Pieces'), (order: OrderSummary) => String(order.pieces ?? order.asked)] as [
            Column,
            (order: OrderSummary) => string,
          ],
        ]
      : []),
    [right('Total'), (order) => (order.total === null ? '' : showMoney(order.total))],
  ];
  const table = drawTable(
    terminal,
    columns.map(([column]) => column),
    items.map((order) => columns.map(([, read]) => read(order))),
  );
  const oldest = items
    .map(({ asOf }) => asOf)
    .sort((one, other) => (one ?? '').localeCompare(other ?? ''))[0];
  const all = `${count(total.count, 'order')}${total.more ? ' and more' : ''}`;
  return [
    table,
    '',
    terminal.wrap(
      [
        items.length < total.count || total.more ? `${items.length} of ${all}` : all,
        sum === null
          ? ''
          : `, together ${showMoney(sum)} with freight${total.more ? ' for those counted' : ''}${withoutTotal > 0 ? ` (${withoutTotal} without a total yet)` : ''}`,
        '. ',
        oldest
          ? `Statuses as of ${showUtc(new Date(oldest))} UTC.`
          : 'No status check has read their statuses yet.',
      ].join(''),
    ),
  ].join('\n');
};
