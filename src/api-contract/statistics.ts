import { z } from 'zod';
import { accountName, money, orNull, time } from './basics.ts';

const spans = ['90d', '13m'] as const;
const periodUnits = ['day', 'week', 'month'] as const;

/** `GET /statistics`. */
export const statisticsQuery = z.object({
  account: accountName.optional(),
  span: z
    .enum(spans)
    .default('90d')
    .describe('The last 90 days, or 13 months, up to and including the present day or month.'),
  by: z
    .enum(periodUnits)
    .optional()
    .describe('Weeks begin on Monday. If not given: days of 90 days, weeks of 13 months.'),
  within: z.coerce
    .number()
    .int()
    .min(0)
    .max(30)
    .default(3)
    .describe('`shipped` counts orders that shipped within this many days.'),
  format: z
    .enum(['json', 'csv', 'reasons.csv'])
    .default('json')
    .describe('`csv`: the periods as an attachment; `reasons.csv`: those of `reasons`.'),
});

const count = z.number();
const day = z.string().describe('YYYY-MM-DD.');
const state = z.enum(['held', 'failed', 'rejected']);

const sums = {
  orders: count.describe('Orders that the service shows, by the day of ordering that it names.'),
  pieces: count,
  amount: money.describe(
    'Of the totals that the service shows; where it shows none, of the prices that it answered.',
  ),
  byPrices: count.describe('Orders whose part of `amount` is of prices.'),
  withoutAmount: count.describe('Orders that add nothing to `amount`.'),
  backordered: count.describe(
    'Orders with pieces on back-order now, or at the time when their cart was filled.',
  ),
  shipped: count.describe('Orders of `shippable` that shipped within the days asked for.'),
  shippable: count.describe(
    'Orders that are older than the days asked for, without those that shipped on a day that cannot be read or ended without a shipment.',
  ),
  late: count.describe('Orders of `lateable` that had not shipped after the account’s `lateAfter`.'),
  lateable: count.describe('The same as `shippable`, for `lateAfter`.'),
  held: count.describe('How often purchase orders became held, by the day of the account’s time zone.'),
  failed: count.describe('How often they failed or were rejected.'),
};
const statisticsSums = z.object(sums);
export type StatisticsSums = z.infer<typeof statisticsSums>;

const statisticsPeriod = z.object({
  from: day,
  to: day,
  isRunning: z.boolean().describe('True: in the time zone of at least one account it is not over.'),
  ...sums,
});
export type StatisticsPeriod = z.infer<typeof statisticsPeriod>;

const statisticsReason = z.object({
  state,
  reasonCode: z.string(),
  meaning: z.string().describe('In one sentence; the code where it is of another version.'),
  count,
  periods: z.array(z.object({ from: day, count })).describe('Periods with none are omitted.'),
});
export type StatisticsReason = z.infer<typeof statisticsReason>;

export const statisticsAnswer = z.object({
  asOf: orNull(
    time,
    'Every change before it is counted, once a minute; null: the first count has not ended.',
  ),
  daysToCount: z.int().describe('Days that are still to be counted; their figures may be too low.'),
  from: day,
  to: day,
  by: z.enum(periodUnits),
  within: z.int(),
  periods: z.array(statisticsPeriod).describe('Every period, the oldest first; the last is not over.'),
  total: statisticsSums.describe('Of all periods together.'),
  reasons: z.array(statisticsReason).describe('The most frequent first.'),
});
export type StatisticsAnswer = z.infer<typeof statisticsAnswer>;
