import { displayState } from './display-text.ts';
import { createMoneySum, type MoneySum } from './money-sums.ts';
import type { LateRule } from './report-sheets.ts';
import {
  backorderStatus,
  count,
  createTotals,
  mostListed,
  type StatusCount,
  type SummaryContext,
  type Totals,
} from './report-totals.ts';
import type { SummaryRow } from './summary.ts';
import type { ReportedChange, ReportSnapshot } from './types.ts';
import type { Cell } from './workbook/cells.ts';
import { createMomentCells, moneyCell } from './workbook/value-cells.ts';

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

/** `and 12 more: see the sheet Orders`, if not all are listed. */
const moreRow = (all: number, listed: number, where: string): SummaryRow[] =>
  all > listed ? [{ cells: [`and ${all - listed} more: ${where}`] }] : [];

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
  const { pieces, lines, orders, unreadable, shown } = backordered;
  const unknown: SummaryRow[] =
    unreadable === 0
      ? []
      : [
          blank,
          {
            bold: true,
            cells: [
              `${some(unreadable, 'order')} with the status ${backorderStatus}: the service does not show which pieces are back-ordered.`,
            ],
          },
        ];
  if (lines === 0)
    return unreadable > 0 ? unknown : [blank, { bold: true, cells: ['Nothing is back-ordered.'] }];
  return [
    ...unknown,
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
    return [blank, { bold: true, cells: ['There is no report of an earlier day to compare with.'] }];
  const { total, shown } = await changes(mostListed);
  const head: SummaryRow[] = [
    blank,
    // Alone in its row, because a cell beside it would cut it off.
    {
      bold: true,
      cells: [`Since the last report: ${some(totals.newOrders(), 'new order')}, ${some(total, 'change')}`],
    },
    { cells: ['Last report', momentCell(since)] },
  ];
  if (total === 0) return head;
  return [
    ...head,
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

/** The first sheet of a status report: totals, and orders that need a person's attention. `rows` is called last. */
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
