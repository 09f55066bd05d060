import { lineColumns, linesOf } from './line-columns.ts';
import { type ColumnKind, firstTrackingLink, orderColumns, type ReportColumn } from './order-columns.ts';
import { backorderedPieces, isShipped } from './order-items.ts';
import type { ReportedOrder } from './types.ts';
import { type Cell, decimal } from './workbook/cells.ts';
import type { Sheet, SheetRow } from './workbook/sheet-xml.ts';
import type { Fill } from './workbook/styles.ts';
import { createMomentCells, dayCell, moneyCell } from './workbook/value-cells.ts';

/** The rule for late orders. */
export interface LateRule {
  /** An order that has not shipped for this long is late. */
  lateAfterMs: number;
  /** Statuses after which nothing more is shipped. */
  finalStatuses: readonly string[];
}

/** The number of whole days that a late order has waited; undefined if it is not late at this moment. Pure. */
export const daysLate = (
  order: Pick<ReportedOrder, 'waitingSince' | 'orderStatus' | 'poState' | 'shipDate'>,
  at: Date,
  rule: LateRule,
): number | undefined => {
  const { waitingSince, orderStatus, poState } = order;
  if (poState !== 'ordered' || isShipped(order)) return undefined;
  if (orderStatus !== null && rule.finalStatuses.includes(orderStatus)) return undefined;
  const waitedMs = at.getTime() - waitingSince.getTime();
  return waitedMs < rule.lateAfterMs ? undefined : Math.floor(waitedMs / 86_400_000);
};

/** The colour of an order's status: shipped, back-ordered, late, or in progress. Pure. */
export const statusFill = (order: ReportedOrder, at: Date, rule: LateRule): Fill => {
  if (isShipped(order) || order.poState === 'closed') return 'green';
  if (daysLate(order, at, rule) !== undefined) return 'red';
  return order.orderStatus === 'B/O' || backorderedPieces(order) > 0 ? 'yellow' : 'blue';
};

const cells: Record<Exclude<ColumnKind, 'moment'>, (text: string) => Cell> = {
  text: (text) => text,
  count: decimal,
  money: moneyCell,
  day: dayCell,
};

/** The maximum number of rows of a sheet; the last one is reserved for the note that the sheet is full. */
const mostRows = 1_048_576;

/**
 * Rows of a sheet with a header; a full sheet ends with a note. Always reads the batches to their end, because the summary adds
 * them up.
 */
async function* fillSheet<Row>(
  titles: readonly string[],
  batches: AsyncIterable<readonly Row[]>,
  rowOf: (row: Row) => Omit<SheetRow, 'rowNumber'>,
  tooMany: string,
): AsyncGenerator<SheetRow[]> {
  let rowNumber = 1;
  let isFull = false;
  yield [{ rowNumber, cells: titles, bold: true, fill: 'header' }];
  for await (const batch of batches) {
    if (isFull) continue;
    const room = mostRows - 1 - rowNumber;
    yield batch.slice(0, room).map((row) => {
      rowNumber += 1;
      return { rowNumber, ...rowOf(row) };
    });
    if (batch.length > room) {
      yield [{ rowNumber: mostRows, cells: [tooMany], bold: true, fill: 'red' }];
      isFull = true;
    }
  }
}

interface Table<Row> {
  name: string;
  columns: readonly ReportColumn<Row>[];
  pages: AsyncIterable<readonly Row[]>;
  timeZone: string;
  /** The cell of a row in a column, where it looks otherwise than the other cells of its kind. */
  cellOf(column: ReportColumn<Row>, row: Row, usual: Cell): Cell;
  fillOf?(row: Row): Fill | undefined;
  /** What a sheet says that is full. */
  tooMany: string;
}

/** For the button of a filter beside a header. */
const filterWidth = 4;

/** A sheet with filters on its header, columns wide enough for it, and moments in the account's time zone. */
const tableSheet = <Row>({ name, pages, timeZone, cellOf, fillOf, tooMany, ...table }: Table<Row>): Sheet => {
  const momentCell = createMomentCells(timeZone);
  const usual = (column: ReportColumn<Row>, row: Row): Cell =>
    column.kind === 'moment'
      ? momentCell(column.readMoment?.(row) ?? null)
      : cells[column.kind](column.read(row));
  const columns = table.columns.filter(({ title }) => title !== undefined);
  const titles = columns.map(({ title, kind }) => (kind === 'moment' ? `${title} (${timeZone})` : title!));
  const rowOf = (row: Row): Omit<SheetRow, 'rowNumber'> => ({
    fill: fillOf?.(row),
    cells: columns.map((column) => cellOf(column, row, usual(column, row))),
  });
  return {
    name,
    columns: columns.map(({ width }, at) => ({ width: Math.max(width, titles[at]!.length + filterWidth) })),
    ...{ frozenRows: 1, filterRow: 1, landscape: true, paddedNumbers: true },
    rows: fillSheet(titles, pages, rowOf, tooMany),
  };
};

interface SheetParts<Order extends ReportedOrder = ReportedOrder> {
  pages: AsyncIterable<Order[]>;
  timeZone: string;
  asOf: Date;
  /** The rule of the order's account. */
  ruleOf: (order: Order) => LateRule;
}

/** The sheet of orders, one row each, the status coloured and the first known tracking number linked. */
export const ordersSheet = <Order extends ReportedOrder>(
  { pages, timeZone, asOf, ruleOf }: SheetParts<Order>,
  columns: readonly ReportColumn<Order>[] = orderColumns,
): Sheet =>
  tableSheet<Order>({
    ...{ name: 'Orders', columns, pages, timeZone },
    cellOf: (column, order, usual) => {
      if (column.header === 'order_status')
        return { text: column.read(order), fill: statusFill(order, asOf, ruleOf(order)) };
      const link = column.header === 'tracking_numbers' ? firstTrackingLink(order) : null;
      return link ? { text: column.read(order), link: link.url } : usual;
    },
    fillOf: ({ alarm }) => (alarm === null ? undefined : 'yellow'),
    tooMany: 'The sheet is full; the CSV report has all orders.',
  });

/** Pages of all orders' lines. */
export async function* linePages(
  pages: AsyncIterable<ReportedOrder[]>,
): AsyncGenerator<ReturnType<typeof linesOf>> {
  for await (const orders of pages) yield orders.flatMap(linesOf);
}

/** The sheet of lines, one row for each item of an order. */
export const linesSheet = ({ pages, timeZone, asOf, ruleOf }: SheetParts): Sheet =>
  tableSheet({
    ...{ name: 'Lines', columns: lineColumns, pages: linePages(pages), timeZone },
    cellOf: (column, line, usual) => {
      if (column.header === 'order_status')
        return { text: column.read(line), fill: statusFill(line.order, asOf, ruleOf(line.order)) };
      return column.header === 'backordered' && Number(line.item.backordered) > 0
        ? { ...(usual as { number: string }), fill: 'yellow' }
        : usual;
    },
    tooMany: 'The sheet is full; the CSV file of lines has all of them.',
  });
