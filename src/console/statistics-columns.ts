import type { StatisticsAnswer, StatisticsPeriod, StatisticsReason } from '../api-contract/statistics.ts';
import type { CsvColumn } from './list-answers.ts';

const number = (
  head: string,
  read: (period: StatisticsPeriod) => number | string,
): CsvColumn<StatisticsPeriod> => ({
  head,
  read,
  numeric: true,
});

/** One row per period. */
export const periodColumns: readonly CsvColumn<StatisticsPeriod>[] = [
  { head: 'from', read: ({ from }) => from },
  { head: 'to', read: ({ to }) => to },
  number('orders', ({ orders }) => orders),
  number('pieces', ({ pieces }) => pieces),
  number('amount', ({ amount }) => amount),
  number('orders_by_prices', ({ byPrices }) => byPrices),
  number('orders_without_amount', ({ withoutAmount }) => withoutAmount),
  number('shipped_in_time', ({ shipped }) => shipped),
  number('orders_old_enough', ({ shippable }) => shippable),
  number('backordered', ({ backordered }) => backordered),
  number('late', ({ late }) => late),
  number('orders_old_enough_to_be_late', ({ lateable }) => lateable),
  number('held', ({ held }) => held),
  number('failed_or_rejected', ({ failed }) => failed),
];

type ReasonRow = Omit<StatisticsReason, 'periods'> & { from: string };

/** A row per reason and period in which POs had it. */
export const reasonRows = ({ reasons }: Pick<StatisticsAnswer, 'reasons'>): ReasonRow[] =>
  reasons
    .flatMap(({ periods, ...reason }) => periods.map((one) => ({ ...reason, ...one })))
    .sort((a, b) => a.from.localeCompare(b.from));

export const reasonColumns: readonly CsvColumn<ReasonRow>[] = [
  { head: 'from', read: ({ from }) => from },
  { head: 'state', read: ({ state }) => state },
  { head: 'reason', read: ({ reasonCode }) => reasonCode },
  { head: 'meaning', read: ({ meaning }) => meaning },
  { head: 'count', read: ({ count }) => count, numeric: true },
];
