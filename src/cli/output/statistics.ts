import type { StatisticsAnswer } from '../../api-contract/statistics.ts';
import { count, showText, showUtc } from './show-text.ts';
import { type Column, drawTable, right } from './table.ts';
import type { Terminal } from './terminal.ts';

type Sums = StatisticsAnswer['total'];

const figure = (value: number): string => value.toLocaleString('en-US');
const share = (part: number, of: number): string => (of === 0 ? '' : `${Math.round((part / of) * 100)} %`);
/** The cents of large sums are in --json and --out. */
const money = (amount: string): string => Math.round(Number(amount)).toLocaleString('en-US');

/** Figures of periods as a table, with what was held or failed by reason below it. */
export const drawStatistics = (
  terminal: Pick<Terminal, 'columns' | 'paint' | 'wrap'>,
  { periods, total, reasons, by, within, asOf, daysToCount }: StatisticsAnswer,
): string => {
  const pieces: [Column, (sums: Sums) => string] = [right('Pieces'), (sums) => figure(sums.pieces)];
  // --json and --out have them.
  const isTooWide = terminal.columns < 90 && figure(total.pieces).length + money(total.amount).length > 20;
  const columns: [Column, (sums: Sums) => string][] = [
    [right('Orders'), ({ orders }) => figure(orders)],
    ...(isTooWide ? [] : [pieces]),
    [right('Money'), ({ amount }) => money(amount)],
    [right(`In ${within} d`), ({ shipped, shippable }) => share(shipped, shippable)],
    [right('B/O'), ({ backordered, orders }) => share(backordered, orders)],
    [right('Late'), ({ late }) => figure(late)],
    [right('Held'), ({ held }) => figure(held)],
    [right('Failed'), ({ failed }) => figure(failed)],
  ];
  const row = (name: string, sums: Sums): string[] => [name, ...columns.map(([, read]) => read(sums))];
  const asOfText = asOf === null ? 'The first count has not ended' : `As of ${showUtc(new Date(asOf))} UTC`;
  return [
    drawTable(
      terminal,
      [
        { head: by === 'month' ? 'Month' : by === 'week' ? 'Week of' : 'Day' },
        ...columns.map(([column]) => column),
      ],
      [
        ...periods.map((period) => row(by === 'month' ? period.from.slice(0, 7) : period.from, period)),
        row('Together', total),
      ],
    ),
    '',
    ...reasons.map(({ state, count: times, meaning }) =>
      terminal.wrap(`${state}: ${figure(times)} ${showText(meaning)}`, 2),
    ),
    ...(reasons.length > 0 ? [''] : []),
    terminal.wrap(
      `${asOfText}${daysToCount > 0 ? `; ${count(daysToCount, 'day')} still to be counted` : ''}. "In ${within} d": the share of orders that shipped within ${count(within, 'day')}, of those that are older. "B/O": orders with pieces on back-order. Money is the totals of the service, and without one the prices that it answered.`,
      0,
    ),
  ].join('\n');
};
