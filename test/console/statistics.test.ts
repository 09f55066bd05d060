import { beforeAll, expect, it } from 'vitest';
import type { StatisticsAnswer } from '../../src/api-contract/statistics.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { collectStatistics, statisticsAccounts } from '../../src/console/statistics.ts';
import { countStatistics } from '../support/count-statistics.ts';
import { insertImport, insertPurchaseOrder, insertRow } from '../support/ledger-rows.ts';
import { useConsole } from './use-console.ts';

const dayMs = 86_400_000;
const config = loadConfig({}, {});
const accounts = [{ ...config.accounts[0]!, name: 'north', lateAfterMs: 2.5 * dayMs }];
const use = useConsole({ deps: { config: { ...config, accounts } } });
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString().slice(0, 10);

let headers: Record<string, string>;
let south: Record<string, string>;

const get = (query: string, as = headers) =>
  use.app.inject({ url: `/api/v1/statistics${query}`, headers: as });
const read = async (query = '', as = headers): Promise<StatisticsAnswer> => {
  const answer = await get(query, as);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json();
};

beforeAll(async () => {
  const { pool } = use.deps;
  headers = await use.signedIn('viewer');
  south = await use.signedIn('viewer', ['south']);
  const put = async (poNumber: string, account: string, order: object) => {
    const importId = await insertImport(pool, { account });
    const id = await insertPurchaseOrder(pool, importId, poNumber, { account, state: 'ordered' });
    await insertRow(pool, 'orders', {
      account,
      purchase_order_id: id,
      po_number: poNumber,
      order_number: `S-${poNumber}`,
      ...order,
    });
  };
  await put('1', 'north', { order_date: daysAgo(10), ship_date: daysAgo(8), order_total: '1000.10' });
  await put('2', 'north', { order_date: daysAgo(10), order_total: '0.20' });
  await put('3', 'north', { order_date: daysAgo(0), order_total: '7' });
  await put('4', 'north', { order_date: daysAgo(200), order_total: '5' });
  await put('5', 'south', { order_date: daysAgo(1), order_total: '3' });
  const held = await insertImport(pool, { account: 'north' });
  await insertPurchaseOrder(pool, held, 'H-1', { account: 'north', state: 'held', reason_code: 'backorder' });
  await insertPurchaseOrder(pool, held, 'H-2', {
    account: 'north',
    state: 'rejected',
    reason_code: 'row_issues',
  });
  await countStatistics(pool);
});

it('marks a day as running until it is over in the zone of each account', async () => {
  const now = new Date('2026-11-26T11:00:00Z');
  const accountIn = (name: string, timeZone: string) => ({
    ...accounts[0]!,
    name,
    schedule: { ...accounts[0]!.schedule, timeZone },
  });
  const running = async (zones: string[]) => {
    const known = zones.map((zone) => accountIn(zone, zone));
    const asked = statisticsAccounts(zones, known, now);
    const { periods } = await collectStatistics(use.deps.pool, asked, { span: '90d', within: 3 }, now);
    return periods.filter(({ isRunning }) => isRunning).map(({ from }) => from);
  };
  expect(await running(['UTC'])).toEqual(['2026-11-26']);
  expect(await running(['Pacific/Kiritimati'])).toEqual(['2026-11-27']);
  expect(await running(['Pacific/Kiritimati', 'Pacific/Pago_Pago'])).toEqual(['2026-11-26', '2026-11-27']);
});

it('has every day of 90, with what was ordered, shipped and late', async () => {
  const answer = await read('?account=north');
  expect(answer).toMatchObject({ by: 'day', within: 3, to: daysAgo(0), from: daysAgo(89), daysToCount: 0 });
  expect(answer.periods).toHaveLength(90);
  expect(answer.periods.at(-11)).toMatchObject({
    from: daysAgo(10),
    to: daysAgo(10),
    orders: 2,
    amount: '1000.30',
    shipped: 1,
    shippable: 2,
    late: 1,
    lateable: 2,
  });
  expect(answer.periods.at(-1)).toMatchObject({ orders: 1, shippable: 0, held: 1, failed: 1 });
  expect(answer.total).toMatchObject({ orders: 3, amount: '1007.30', held: 1, failed: 1, late: 1 });
  expect((await read('?account=north&within=1')).total).toMatchObject({ shipped: 0, shippable: 2 });
  expect(answer.reasons).toEqual([
    {
      state: 'held',
      reasonCode: 'backorder',
      meaning: 'Some of its items are not in stock and would be back-ordered.',
      count: 1,
      periods: [{ from: daysAgo(0), count: 1 }],
    },
    expect.objectContaining({ state: 'rejected', reasonCode: 'row_issues', count: 1 }),
  ]);
});

it('has 13 months, by week and by month', async () => {
  const weeks = await read('?span=13m');
  expect(weeks.by).toBe('week');
  expect(new Date(weeks.from).getUTCDay()).toBe(1);
  expect(weeks.total.orders).toBe(5);
  const months = await read('?span=13m&by=month&account=north');
  expect(months.periods).toHaveLength(13);
  expect(months.periods.at(-1)!.from.slice(0, 7)).toBe(daysAgo(0).slice(0, 7));
  expect(months.total).toMatchObject({ orders: 4, amount: '1012.30' });
});

it.each([
  ['2026-11-26T12:00:00Z', '2026-08-29', '2026-08-24', '2025-11-01', '2025-10-27'],
  ['2028-02-29T12:00:00Z', '2027-12-02', '2027-11-29', '2027-02-01', '2027-02-01'],
  ['2027-01-01T00:00:00Z', '2026-10-04', '2026-09-28', '2026-01-01', '2025-12-29'],
])('on %s begins with whole periods', async (at, day, week, month, weekOfMonths) => {
  const now = new Date(at);
  const first = async (span: '90d' | '13m', by: 'day' | 'week' | 'month') => {
    const answer = await collectStatistics(
      use.deps.pool,
      statisticsAccounts(['north'], [], now),
      { span, by, within: 3 },
      now,
    );
    expect(answer.periods.at(-1)!.to).toBe(at.slice(0, 10));
    for (const [index, { from }] of answer.periods.slice(1).entries())
      expect(Date.parse(from) - Date.parse(answer.periods[index]!.to)).toBe(dayMs);
    return answer.periods[0]!.from;
  };
  expect(await first('90d', 'day')).toBe(day);
  expect(await first('90d', 'week')).toBe(week);
  expect(await first('13m', 'month')).toBe(month);
  expect(await first('13m', 'week')).toBe(weekOfMonths);
});

it('shows nobody the figures of an account that he may not see', async () => {
  expect((await read('', south)).total).toMatchObject({ orders: 1, amount: '3', held: 0 });
  for (const name of ['north', 'nowhere'])
    expect((await get(`?account=${name}`, south)).statusCode).toBe(404);
  expect((await get('?format=reasons.csv', south)).body).not.toContain('backorder');
  expect((await get('', { host: 'localhost:8490' })).statusCode).toBe(401);
});

it('downloads the periods and the reasons as CSV', async () => {
  const answer = await get('?format=csv&account=north');
  expect(answer.headers['content-disposition']).toContain('statistics.csv');
  const rows = answer.body.trim().split('\r\n');
  expect(rows).toHaveLength(91);
  expect(rows[0]).toMatch(/^\ufeff?from,to,orders,pieces,amount,/);
  expect(rows.at(-11)).toMatch(`${daysAgo(10)},${daysAgo(10)},2,0,1000.30,0,0,1,2,0,1,2,0,0`);
  const reasons = (await get('?format=reasons.csv')).body.trim().split('\r\n');
  expect(reasons[1]).toMatch(new RegExp(`^${daysAgo(0)},held,backorder,Some of its items .*,1$`));
});

it.each(['?within=31', '?within=x', '?span=1y', '?by=year'])('refuses %s with a sentence', async (query) => {
  expect((await get(query)).statusCode).toBe(422);
});
