import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ordersByPo } from '../../src/service/read-audit.ts';
import { createTestDatabase } from '../support/database.ts';
import { judge, readStandings } from '../support/judge.ts';
import { createSystem, fileOf, type System, somePos, startService } from '../support/run-system.ts';

/** What can be read lags behind what was written, and nobody has said so in the configuration. */
const lagsMs = [500, 2000];
const pos = somePos('L-', 40);
const dealerOf = (lagMs: number) => `lag-${lagMs}`;

let pool: pg.Pool;
let system: System;
let end: () => Promise<void>;

beforeAll(async () => {
  const [ledger, served] = [await createTestDatabase(), await createTestDatabase()];
  pool = new pg.Pool({ connectionString: served.url, max: 10 });
  const services = await Promise.all(
    lagsMs.map((readLagMs) =>
      startService(pool, {
        readLagMs,
        dealers: [{ name: dealerOf(readLagMs), token: `token-${readLagMs}` }],
      }),
    ),
  );
  system = await createSystem({
    ledgerUrl: ledger.url,
    accounts: Object.fromEntries(
      lagsMs.map((lagMs, at) => [
        dealerOf(lagMs),
        { baseUrl: services[at]!.url, token: `token-${lagMs}`, requestTimeout: '2s' },
      ]),
    ),
  });
  end = async () => {
    await system.stop();
    await Promise.all(services.map((service) => service.stop()));
    await pool.end();
    await Promise.all([ledger.drop(), served.drop()]);
  };
  await system.spawn();
  for (const lagMs of lagsMs) await system.drop(dealerOf(lagMs), 'orders.csv', fileOf(pos));
  await system.settled(lagsMs.length, 120_000);
}, 180_000);
afterAll(() => end?.());

test.each(lagsMs)(
  'at a service whose reads lag %i ms without being announced, every PO is ordered once, without a rebuild',
  async (lagMs) => {
    const dealer = dealerOf(lagMs);
    const standings = await readStandings(system.ledger, dealer);
    const verdict = judge(pos, await ordersByPo(pool, { dealer }), standings);
    expect(verdict).toMatchObject({ lost: [], double: [], wrong: [], refused: {}, held: {} });
    const { rows } = await system.ledger.query(
      'select coalesce(sum(rebuilds), 0)::int as rebuilds from purchase_orders where account = $1',
      [dealer],
    );
    expect(rows).toEqual([{ rebuilds: 0 }]);
  },
);

test.each(lagsMs)('the lag of %i ms is noticed, with the setting that names it', async (lagMs) => {
  const { rows } = await system.ledger.query(
    'select read_lag_ms as noticed from account_states where account = $1',
    [dealerOf(lagMs)],
  );
  expect(rows[0]?.noticed).toBeGreaterThanOrEqual(lagMs);
  expect(rows[0]?.noticed).toBeLessThanOrEqual(4 * Math.max(1000, lagMs));
});
