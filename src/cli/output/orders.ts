import type { OrderSummary, OrdersAnswer } from '../../console/api/schemas/orders.ts';
import { count, shorten, showText, showUtc } from './show-text.ts';
import { drawTable } from './table.ts';
import type { Terminal } from './terminal.ts';

const statusOf = (terminal: Terminal, { status, lateDays, alarm, backordered }: OrderSummary): string =>
  [
    status === null ? 'not shown yet' : shorten(showText(status), 20),
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

/** Orders as a table, with how many there are and what they cost together. */
export const drawOrders = (
  terminal: Terminal,
  { items, total, sum }: Pick<OrdersAnswer, 'items' | 'total' | 'sum'>,
): string => {
  if (items.length === 0) return 'No order matches.';
  const severalAccounts = new Set(items.map(({ account }) => account)).size > 1;
  const table = drawTable(
    terminal,
    [
      ...(severalAccounts ? [{ head: 'Account' }] : []),
      { head: 'PO', wraps: true },
      { head: 'Order' },
      { head: 'Status', wraps: true },
      { head: 'Shipped' },
      { head: 'Tracking', wraps: true },
      { head: 'Pieces', align: 'right' },
      { head: 'Total', align: 'right' },
    ],
    items.map((order) => [
      ...(severalAccounts ? [showText(order.account)] : []),
      shorten(showText(order.poNumber), 40),
      shorten(showText(order.orderNumber), 24),
      statusOf(terminal, order),
      shorten(showText(order.shipDate ?? ''), 10),
      trackingOf(order),
      String(order.pieces ?? order.asked),
      order.total ?? '',
    ]),
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
        sum === null ? '' : `, together ${sum}${total.more ? ' for those counted' : ''}`,
        '. ',
        oldest
          ? `Statuses as of ${showUtc(new Date(oldest))} UTC.`
          : 'No status check has read their statuses yet.',
      ].join(''),
    ),
  ].join('\n');
};
