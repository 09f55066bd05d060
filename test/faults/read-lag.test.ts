import { afterAll, beforeAll, expect, test } from 'vitest';
import { somePos } from '../support/run-system.ts';
import { openServices, type ServedDealer } from './open-services.ts';

/** How far reads lag behind writes at these services; the accounts do not configure it. */
const lagsMs = [500, 2000];
const dealerOf = (readLagMs: number): ServedDealer => ({
  dealer: `lag-${readLagMs}`,
  pos: somePos('L-', 40),
  service: { readLagMs },
  account: { requestTimeout: '2s' },
});

let open: Awaited<ReturnType<typeof openServices>>;
beforeAll(async () => {
  open = await openServices(lagsMs.map(dealerOf));
  await open.orderAll(120_000);
}, 180_000);
afterAll(() => open?.end());

test.each(lagsMs)(
  'at a service whose reads lag by %i ms (no setting says so), every PO is ordered once, without a rebuild',
  async (lagMs) => {
    const served = dealerOf(lagMs);
    expect(await open.judge(served)).toMatchObject({
      lost: [],
      double: [],
      wrong: [],
      refused: {},
      held: {},
    });
    const { rows } = await open.system.ledger.query(
      'select coalesce(sum(rebuilds), 0)::int as rebuilds from purchase_orders where account = $1',
      [served.dealer],
    );
    expect(rows).toEqual([{ rebuilds: 0 }]);
  },
);

test.each(lagsMs)('a lag of %i ms is noticed and recorded for the account', async (lagMs) => {
  const { rows } = await open.system.ledger.query(
    'select read_lag_ms as noticed from account_states where account = $1',
    [dealerOf(lagMs).dealer],
  );
  expect(rows[0]?.noticed).toBeGreaterThanOrEqual(lagMs);
  expect(rows[0]?.noticed).toBeLessThanOrEqual(4 * Math.max(1000, lagMs));
});
