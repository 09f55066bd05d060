import type pg from 'pg';
import type { StatisticsAnswer, StatisticsReason } from '../api-contract/statistics.ts';
import type { Account } from '../config/config.ts';
import {
  type PeriodReason,
  type PeriodUnit,
  readStatistics,
  type StatisticsAccount,
  type Sums,
} from '../ledger/statistics/read-statistics.ts';
import { holdReasonOf } from '../placing/hold-reasons.ts';
import { dayIn } from '../reports/status-report.ts';
import { endReasonOf } from './reason-words.ts';

const dayMs = 86_400_000;
const dayText = (at: number): string => new Date(at).toISOString().slice(0, 10);
const shift = (day: string, days: number): string => dayText(Date.parse(day) + days * dayMs);

/** The first day of the period that contains this day. */
const startOf = (day: string, by: PeriodUnit): string => {
  if (by === 'day') return day;
  if (by === 'month') return `${day.slice(0, 8)}01`;
  return shift(day, -((new Date(day).getUTCDay() + 6) % 7));
};

const nextOf = (from: string, by: PeriodUnit): string =>
  by === 'month' ? startOf(shift(from, 31), 'month') : shift(from, by === 'week' ? 7 : 1);

/** The first day shown, so that its period is complete. */
const firstDay = (today: string, span: '90d' | '13m', by: PeriodUnit): string => {
  if (span === '90d') return startOf(shift(today, -89), by);
  const [year, month] = today.split('-').map(Number) as [number, number];
  return startOf(dayText(Date.UTC(year, month - 13, 1)), by);
};

/** The accounts of these names; an account no longer configured has no late orders and uses UTC days. */
export const statisticsAccounts = (
  names: readonly string[],
  known: readonly Account[],
  now: Date,
): StatisticsAccount[] =>
  names.map((account) => {
    const one = known.find(({ name }) => name === account);
    return {
      account,
      today: dayIn(one?.schedule.timeZone ?? 'UTC', now),
      lateDays: one === undefined ? null : Math.ceil(one.lateAfterMs / dayMs),
    };
  });

const meaningOf = ({ state, reasonCode }: PeriodReason): string => {
  const known = state === 'held' ? holdReasonOf(reasonCode) : endReasonOf(reasonCode);
  // The meaning must end a sentence; elsewhere, the service's message follows some of them.
  return known ? known.meaning.replace(/[^.]$/, '$&.') : reasonCode;
};

const groupReasons = (found: readonly PeriodReason[]): StatisticsReason[] => {
  const groups = new Map<string, StatisticsReason>();
  for (const one of found) {
    const { from, state, reasonCode, count } = one;
    const key = `${state} ${reasonCode}`;
    const group = groups.get(key) ?? { state, reasonCode, meaning: meaningOf(one), count: 0, periods: [] };
    group.count += count;
    group.periods.push({ from, count });
    groups.set(key, group);
  }
  return [...groups.values()].sort((a, b) => b.count - a.count);
};

const nothing: Sums = {
  orders: 0,
  pieces: 0,
  amount: '0',
  byPrices: 0,
  withoutAmount: 0,
  backordered: 0,
  shipped: 0,
  shippable: 0,
  late: 0,
  lateable: 0,
};

export interface StatisticsAsked {
  span: '90d' | '13m';
  by?: PeriodUnit | undefined;
  within: number;
}

/** What these accounts ordered per period, and what was held or failed; includes empty periods. */
export const collectStatistics = async (
  pool: pg.Pool,
  accounts: readonly StatisticsAccount[],
  { span, by = span === '90d' ? 'day' : 'week', within }: StatisticsAsked,
  now: Date,
): Promise<StatisticsAnswer> => {
  const to = accounts.reduce((last, { today }) => (today > last ? today : last), dayIn('UTC', now));
  // With accounts in several time zones, a day may be over for one but not for another.
  const running = accounts.reduce((first, { today }) => (today < first ? today : first), to);
  const from = firstDay(to, span, by);
  const { sums, total, reasons, ...state } = await readStatistics(pool, accounts, { from, to, by, within });
  const sumsBy = new Map(sums.map(({ from: first, ...rest }) => [first, rest]));
  const countOf = (held: boolean, first?: string): number =>
    reasons
      .filter((one) => (one.state === 'held') === held && (first === undefined || one.from === first))
      .reduce((sum, { count }) => sum + count, 0);
  const periods = [];
  for (let first = from; first <= to; first = nextOf(first, by)) {
    const last = shift(nextOf(first, by), -1);
    periods.push({
      from: first,
      to: last < to ? last : to,
      isRunning: last >= running,
      ...(sumsBy.get(first) ?? nothing),
      held: countOf(true, first),
      failed: countOf(false, first),
    });
  }
  return {
    ...state,
    ...{ from, to, by, within, periods },
    total: { ...total, held: countOf(true), failed: countOf(false) },
    reasons: groupReasons(reasons),
  };
};
