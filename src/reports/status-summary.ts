import { displayState } from './display-text.ts';
import { createMoneySum, type MoneySum } from './money-sums.ts';
import { itemsOf } from './order-items.ts';
import { daysLate, type LateRule, statusFill } from './report-sheets.ts';
import type { SummaryRow } from './summary.ts';
import type { ReportedChange, ReportedOrder, ReportSnapshot } from './types.ts';
import { type Cell, decimal } from './workbook/cells.ts';
import type { Fill } from './workbook/styles.ts';
import { createMomentCells, moneyCell } from './workbook/value-cells.ts';

/** How many back-ordered lines, late orders and changes the summary lists; the other sheets have all of them. */
const mostListed = 100;

export interface SummaryContext {
  account: string;
  timeZone: string;
  rule: LateRule;
  /** What the report was limited to, in words; undefined: nothing. */
  scope: string | undefined;
  snapshot: ReportSnapshot;
}

interface StatusCount {
  orders: number;
  late: number;
  total: MoneySum;
  freight: MoneySum;
  fill: Fill;
}

const count = (value: number): Cell => ({ number: String(value), format: '#,##0' });
const amount = (sum: MoneySum): Cell => moneyCell(sum.total() ?? '');
/** `1 order`, `2 orders`. */
const some = (number: number, one: string): string => `${number} ${one}${number === 1 ? '' : 's'}`;
const heading = (...cells: Cell[]): SummaryRow => ({ cells, bold: true, fill: 'header' });
const blank: SummaryRow = { cells: [] };

const fieldWords: Record<string, string> = {
  order_status: 'Status',
  tracking_numbers: 'Tracking numbers',
  invoice_number: 'Invoice number',
  ship_date: 'Ship date',
  order_total: 'Order total',
};

/** `and 12 more: see the sheet Orders`, if there are more than are listed. */
const moreRow = (all: number, listed: number, where: string): SummaryRow[] =>
  all > listed ? [{ cells: [`and ${all - listed} more: ${where}`] }] : [];

/** Adds up the orders of a report. */
const createTotals = ({ rule, snapshot: { asOf, since } }: SummaryContext) => {
  const statuses = new Map<string, StatusCount>();
  const backordered = { pieces: 0, lines: 0, orders: 0, shown: [] as SummaryRow[] };
  const late = { orders: 0, shown: [] as { order: ReportedOrder; days: number }[] };
  let newOrders = 0;
  let alarms = 0;

  const addBackorders = (order: ReportedOrder): void => {
    if (order.poState === 'closed') return;
    let any = false;
    for (const { sku, name, ordered, backordered: waiting } of itemsOf(order)) {
      const pieces = Number(waiting);
      if (!(pieces > 0)) continue;
      any = true;
      backordered.pieces += pieces;
      backordered.lines += 1;
      if (backordered.shown.length < mostListed) {
        const cells = [order.poNumber, order.orderNumber, order.orderStatus ?? '', sku, name];
        backordered.shown.push({ cells: [...cells, count(pieces), decimal(ordered)] });
      }
    }
    if (any) backordered.orders += 1;
  };

  return {
    statuses,
    backordered,
    late,
    newOrders: () => newOrders,
    alarms: () => alarms,
    add: (order: ReportedOrder): void => {
      const name = order.orderStatus ?? 'not shown yet';
      const status = statuses.get(name) ?? {
        orders: 0,
        late: 0,
        total: createMoneySum(),
        freight: createMoneySum(),
        fill: statusFill({ ...order, orderedAt: null }, asOf, rule),
      };
      statuses.set(name, status);
      status.orders += 1;
      status.total.add(order.orderTotal);
      status.freight.add(order.freight);
      if (since && order.orderedAt && order.orderedAt >= since) newOrders += 1;
      if (order.alarm !== null) alarms += 1;
      addBackorders(order);
      const days = daysLate(order, asOf, rule);
      if (days === undefined) return;
      late.orders += 1;
      status.late += 1;
      if (late.shown.length < mostListed) late.shown.push({ order, days });
    },
  };
};
type Totals = ReturnType<typeof createTotals>;

const statusRows = ({ statuses, alarms }: Totals): SummaryRow[] => {
  const all = [...statuses.entries()].sort(([, a], [, b]) => b.orders - a.orders);
  const sums = { total: createMoneySum(), freight: createMoneySum() };
  for (const [, { total, freight }] of all) {
    sums.total.add(total.total() ?? null);
    sums.freight.add(freight.total() ?? null);
  }
  const sum = (read: (status: StatusCount) => number) =>
    count(all.reduce((before, [, status]) => before + read(status), 0));
  return [
    heading('Order status', 'Orders', 'Late', 'Order totals', 'Freight'),
    ...all.map(([name, status]) => ({
      cells: [
        { text: name, fill: status.fill },
        count(status.orders),
        count(status.late),
        amount(status.total),
        amount(status.freight),
      ],
    })),
    {
      bold: true,
      cells: [
        'Total',
        sum(({ orders }) => orders),
        sum(({ late }) => late),
        amount(sums.total),
        amount(sums.freight),
      ],
    },
    ...(alarms() > 0
      ? [{ cells: ['Orders that differ from their file', count(alarms())], fill: 'yellow' as const }]
      : []),
  ];
};

const notOrderedRows = async (snapshot: ReportSnapshot): Promise<SummaryRow[]> => {
  const states = await snapshot.notOrdered();
  if (states.length === 0) return [];
  return [
    blank,
    heading('Purchase orders without an order', 'POs'),
    ...states.map(({ state, poCount }) => ({ cells: [displayState(state), count(poCount)] })),
  ];
};

const backorderRows = ({ backordered }: Totals): SummaryRow[] => {
  const { pieces, lines, orders, shown } = backordered;
  if (lines === 0) return [blank, { bold: true, cells: ['Nothing is back-ordered.'] }];
  return [
    blank,
    {
      bold: true,
      cells: [`Back-ordered: ${some(pieces, 'piece')} in ${some(lines, 'line')} of ${some(orders, 'order')}`],
    },
    heading('PO number', 'Order number', 'Order status', 'SKU', 'Item', 'Back-ordered', 'Ordered'),
    ...shown,
    ...moreRow(lines, shown.length, 'filter the sheet Lines by Back-ordered'),
  ];
};

const lateRows = (
  { late }: Totals,
  rule: LateRule,
  momentCell: ReturnType<typeof createMomentCells>,
): SummaryRow[] => {
  const days = Math.round(rule.lateAfterMs / 8_640_000) / 10;
  if (late.orders === 0)
    return [blank, { bold: true, cells: [`Nothing is late (not shipped within ${some(days, 'day')}).`] }];
  return [
    blank,
    { bold: true, cells: [`Late: ${some(late.orders, 'order')} not shipped within ${some(days, 'day')}`] },
    heading('PO number', 'Order number', 'Order status', 'Ordered', 'Days'),
    ...late.shown.map(({ order, days: waited }) => ({
      cells: [
        order.poNumber,
        order.orderNumber,
        order.orderStatus ?? 'not shown yet',
        momentCell(order.orderedAt),
        count(waited),
      ],
    })),
    ...moreRow(late.orders, late.shown.length, 'their status is red on the sheet Orders'),
  ];
};

const valueCell = (field: string, value: string | null): Cell =>
  field === 'order_total' ? moneyCell(value ?? '') : (value ?? '');

const changeRows = async (
  totals: Totals,
  { asOf: _, since, changes }: ReportSnapshot,
  momentCell: ReturnType<typeof createMomentCells>,
): Promise<SummaryRow[]> => {
  if (!since)
    return [blank, { bold: true, cells: ['This is the first report, so there is none to compare it with.'] }];
  const { total, shown } = await changes(mostListed);
  const head: SummaryRow = {
    bold: true,
    cells: [
      `Since the last report: ${some(totals.newOrders(), 'new order')}, ${some(total, 'change')}`,
      momentCell(since),
    ],
  };
  if (total === 0) return [blank, head];
  return [
    blank,
    head,
    heading('PO number', 'Order number', 'What', 'Was', 'Is now', 'Seen'),
    ...shown.map(({ poNumber, orderNumber, field, was, became, seenAt }: ReportedChange) => ({
      cells: [
        poNumber,
        orderNumber,
        fieldWords[field] ?? field,
        valueCell(field, was),
        valueCell(field, became),
        momentCell(seenAt),
      ],
    })),
    ...moreRow(total, shown.length, 'filter the sheet Orders by Last change'),
  ];
};

/** The first sheet of a status report: what its orders add up to, and what a person should look at. `rows` is called last. */
export const createStatusSummary = (context: SummaryContext) => {
  const { account, timeZone, scope, rule, snapshot } = context;
  const momentCell = createMomentCells(timeZone);
  const totals = createTotals(context);
  return {
    add: totals.add,
    rows: async (): Promise<SummaryRow[]> => [
      { bold: true, cells: [`Status report of ${account}`] },
      { cells: ['As of', momentCell(snapshot.asOf), timeZone] },
      ...(scope === undefined ? [] : [{ cells: [`Only ${scope}.`], fill: 'yellow' as const }]),
      blank,
      ...statusRows(totals),
      ...(await notOrderedRows(snapshot)),
      ...backorderRows(totals),
      ...lateRows(totals, rule, momentCell),
      ...(await changeRows(totals, snapshot, momentCell)),
    ],
  };
};
