import type {
  StatisticsAnswer,
  StatisticsPeriod,
  StatisticsSums,
} from '../../../../api-contract/statistics.ts';
import { formatCount, formatMoney } from '../../data/format.ts';

/** A chart and its table. */
export interface Measure {
  key: string;
  title: string;
  /** Description of the measure, as a sentence. */
  says: string;
  /** The height of a bar; null: no value for the period yet. */
  value(sums: StatisticsSums): number | null;
  /** The formatted value. */
  show(sums: StatisticsSums): string;
  /** The maximum of the scale; undefined: determined by the highest bar. */
  top?: number;
  showTop(value: number): string;
  /** More columns of its table. */
  more?: { title: string; count(sums: StatisticsSums): number }[];
  /** The states that it counts; their reasons are shown. */
  states?: readonly string[];
}

type Figure = Exclude<keyof StatisticsSums, 'amount'>;

const percent = (share: number): string => `${(share * 100).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;

const rateOf = (part: Figure, of: Figure) => {
  const value = (sums: StatisticsSums) => (sums[of] === 0 ? null : sums[part] / sums[of]);
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

const counted = (figure: Figure) => ({
  value: (sums: StatisticsSums) => sums[figure],
  show: (sums: StatisticsSums) => formatCount(sums[figure]),
  showTop: formatCount,
});

const days = (within: number): string =>
  within === 0 ? 'on the same day' : within === 1 ? 'within 1 day' : `within ${within} days`;

/** The measures of the page, in order. */
export const measuresOf = ({ within }: Pick<StatisticsAnswer, 'within'>): Measure[] => [
  {
    key: 'orders',
    title: 'Orders',
    says: 'By the day of ordering that the service names.',
    ...counted('orders'),
  },
  {
    key: 'pieces',
    title: 'Pieces',
    says: 'As the service has them, and until it shows them as the file has them.',
    ...counted('pieces'),
  },
  {
    key: 'money',
    title: 'Money',
    says: 'The totals that the service shows. Where it shows none, the prices that it answered, without freight.',
    value: ({ amount }) => Number(amount),
    show: ({ amount }) => formatMoney(amount),
    showTop: formatCount,
    more: [
      { title: 'By prices', count: ({ byPrices }) => byPrices },
      { title: 'Neither', count: ({ withoutAmount }) => withoutAmount },
    ],
  },
  {
    key: 'shipped',
    title: `Shipped ${days(within)}`,
    says: 'Of the orders that are older than that; orders that end without a shipment do not count.',
    ...rateOf('shipped', 'shippable'),
    more: [
      { title: 'In time', count: ({ shipped }) => shipped },
      { title: 'Old enough', count: ({ shippable }) => shippable },
    ],
  },
  {
    key: 'backordered',
    title: 'Back-ordered',
    says: 'Orders with pieces on back-order, now or when they were ordered.',
    ...rateOf('backordered', 'orders'),
    more: [
      { title: 'Back-ordered', count: ({ backordered }) => backordered },
      { title: 'Orders', count: ({ orders }) => orders },
    ],
  },
  {
    key: 'late',
    title: 'Late orders',
    says: 'Orders that took longer to ship than the account allows, or still wait after that time.',
    ...counted('late'),
    more: [{ title: 'Old enough', count: ({ lateable }) => lateable }],
  },
  {
    key: 'held',
    title: 'Held',
    says: 'How often purchase orders became held, by the day of the account.',
    ...counted('held'),
    states: ['held'],
  },
  {
    key: 'failed',
    title: 'Failed or rejected',
    says: 'How often purchase orders failed or were rejected, by the day of the account.',
    ...counted('failed'),
    states: ['failed', 'rejected'],
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
