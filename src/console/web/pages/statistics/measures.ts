import type { StatisticsAnswer, StatisticsPeriod, StatisticsSums } from '../../../api/schemas/statistics.ts';
import { formatCount, formatMoney } from '../../data/format.ts';

/** A chart and its table. */
export interface Measure {
  key: string;
  title: string;
  /** What is counted, in a sentence. */
  says: string;
  /** The height of a bar; null: nothing can be said of the period yet. */
  value(sums: StatisticsSums): number | null;
  /** The value as people read it. */
  show(sums: StatisticsSums): string;
  /** The highest value of the scale; undefined: as high as the highest bar needs. */
  top?: number;
  showTop(value: number): string;
  /** More columns of its table. */
  more: { title: string; cell(sums: StatisticsSums): string }[];
}

const percent = (share: number): string => `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;
const whole = (part: number, of: number): number | null => (of === 0 ? null : part / of);

const rateOf = (part: (sums: StatisticsSums) => number, of: (sums: StatisticsSums) => number) => {
  const value = (sums: StatisticsSums) => whole(part(sums), of(sums));
  return {
    value,
    show: (sums: StatisticsSums) => {
      const share = value(sums);
      return share === null ? '–' : percent(share);
    },
    top: 1,
    showTop: percent,
  };
};

const counted = (read: (sums: StatisticsSums) => number) => ({
  value: read,
  show: (sums: StatisticsSums) => formatCount(read(sums)),
  showTop: formatCount,
});

const days = (within: number): string =>
  within === 0 ? 'on the same day' : within === 1 ? 'within 1 day' : `within ${within} days`;

/** What the page shows, in its order. */
export const measuresOf = ({ within }: Pick<StatisticsAnswer, 'within'>): Measure[] => [
  {
    key: 'orders',
    title: 'Orders',
    says: 'By the day of ordering that the service names.',
    ...counted(({ orders }) => orders),
    more: [],
  },
  {
    key: 'pieces',
    title: 'Pieces',
    says: 'As the service has them, and until it shows them as the file has them.',
    ...counted(({ pieces }) => pieces),
    more: [],
  },
  {
    key: 'money',
    title: 'Money',
    says: 'The totals that the service shows. Where it shows none, the prices that it answered, without freight.',
    value: ({ amount }) => Number(amount),
    show: ({ amount }) => formatMoney(amount),
    showTop: formatCount,
    more: [
      { title: 'By prices', cell: ({ byPrices }) => formatCount(byPrices) },
      { title: 'Neither', cell: ({ withoutAmount }) => formatCount(withoutAmount) },
    ],
  },
  {
    key: 'shipped',
    title: `Shipped ${days(within)}`,
    says: 'Of the orders that are older than that; orders that end without a shipment do not count.',
    ...rateOf(
      ({ shipped }) => shipped,
      ({ shippable }) => shippable,
    ),
    more: [
      { title: 'In time', cell: ({ shipped }) => formatCount(shipped) },
      { title: 'Old enough', cell: ({ shippable }) => formatCount(shippable) },
    ],
  },
  {
    key: 'backordered',
    title: 'Back-ordered',
    says: 'Orders with pieces on back-order, now or when they were ordered.',
    ...rateOf(
      ({ backordered }) => backordered,
      ({ orders }) => orders,
    ),
    more: [
      { title: 'Back-ordered', cell: ({ backordered }) => formatCount(backordered) },
      { title: 'Orders', cell: ({ orders }) => formatCount(orders) },
    ],
  },
  {
    key: 'late',
    title: 'Late orders',
    says: 'Orders that took longer to ship than the account allows, or still wait after that time.',
    ...counted(({ late }) => late),
    more: [{ title: 'Old enough', cell: ({ lateable }) => formatCount(lateable) }],
  },
  {
    key: 'held',
    title: 'Held',
    says: 'How often purchase orders became held, by the day of the account.',
    ...counted(({ held }) => held),
    more: [],
  },
  {
    key: 'failed',
    title: 'Failed or rejected',
    says: 'How often purchase orders failed or were rejected, by the day of the account.',
    ...counted(({ failed }) => failed),
    more: [],
  },
];

const format = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
const dayAndMonth = format({ day: 'numeric', month: 'short' });
const withYear = format({ day: 'numeric', month: 'short', year: 'numeric' });
const month = format({ month: 'short', year: 'numeric' });

/** `22 Nov 2026`, `16 Nov – 22 Nov 2026`, `Nov 2026`. */
export const periodName = ({ from, to }: StatisticsPeriod, by: StatisticsAnswer['by']): string => {
  if (by === 'month') return month.format(new Date(from));
  if (from === to) return withYear.format(new Date(from));
  return `${dayAndMonth.format(new Date(from))} – ${withYear.format(new Date(to))}`;
};

/** `22 Nov`, `Nov 2026`: for the axis. */
export const shortName = ({ from }: StatisticsPeriod, by: StatisticsAnswer['by']): string =>
  by === 'month' ? month.format(new Date(from)) : dayAndMonth.format(new Date(from));
