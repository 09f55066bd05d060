import { createMoneySum, type MoneySum } from './money-sums.ts';
import { itemsOf } from './order-items.ts';
import { daysLate, type LateRule, statusFill } from './report-sheets.ts';
import type { SummaryRow } from './summary.ts';
import type { ReportedOrder, ReportSnapshot } from './types.ts';
import { type Cell, decimal } from './workbook/cells.ts';
import type { Fill } from './workbook/styles.ts';

export const backorderStatus = 'B/O';

/** Maximum number of back-ordered lines, late orders and changes in the summary; the other sheets have all of them. */
export const mostListed = 100;

export interface SummaryContext {
  account: string;
  timeZone: string;
  rule: LateRule;
  /** The filter of the report in words; undefined: no filter. */
  scope: string | undefined;
  snapshot: ReportSnapshot;
}

export interface StatusCount {
  orders: number;
  late: number;
  total: MoneySum;
  freight: MoneySum;
  fill: Fill;
}

export const count = (value: number): Cell => ({ number: String(value), format: '#,##0' });
/** Adds up the orders of a report. */
export const createTotals = ({ rule, snapshot: { asOf, since } }: SummaryContext) => {
  const statuses = new Map<string, StatusCount>();
  const backordered = { pieces: 0, lines: 0, orders: 0, unreadable: 0, shown: [] as SummaryRow[] };
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
    else if (order.orderStatus === backorderStatus) backordered.unreadable += 1;
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
        fill: statusFill({ ...order, waitingSince: asOf, items: null }, asOf, rule),
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
export type Totals = ReturnType<typeof createTotals>;
