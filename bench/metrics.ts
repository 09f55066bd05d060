// Size of /metrics with 1,000 accounts, and the time of a fetch over HTTP, with enough POs in the ledger that every account has
// all states. `metrics:1000000` uses 1,000,000 POs instead of 300,000.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import type { CallResult } from '../src/dealer-api/answers.ts';
import { createHealth, type HealthParts } from '../src/health/create-health.ts';
import { listenHealth } from '../src/health/listen-health.ts';
import { readFigures } from '../src/ledger/figures.ts';
import { migrateLedger } from '../src/ledger/migrate.ts';
import { createPool } from '../src/ledger/pool.ts';
import { silentLogger } from '../src/logger.ts';
import type { Figure } from './support/figures.ts';
import { startBenchPostgres } from './support/postgres.ts';

const accounts = 1000;
const fetches = 200;
/** Fetches that are not measured, while Node still compiles. */
const unmeasured = 50;
const results: CallResult<never>['kind'][] = ['ok', 'not_found', 'refused', 'limited', 'unknown'];

const fillLedger = async (pool: pg.Pool, pos: number): Promise<void> => {
  await pool.query(
    `insert into imports (account, file_name, sha256, size_bytes, file_path, state, row_count, po_count)
     select 'dealer-' || n, 'orders.csv', md5(n::text), 40000, 'files/' || n, 'read', 500, $2::int from generate_series(1, $1::int) n`,
    [accounts, pos / accounts],
  );
  await pool.query(
    `insert into purchase_orders (account, po_number, po_key, import_id, first_row, line_count, content_hash, state, reason_code, alarm)
     select 'dealer-' || 1 + n % $2::int, 'PO-' || n, 'po-' || n, 1 + n % $2::int, 2, 5, md5(n::text), f.state,
       case f.state when 'held' then 'price_above' when 'rejected' then 'row_issues' end,
       case when n % 5003 = 0 then 'Two ordered, one asked.' end
     from (select n, case n / $2::int % 20 when 0 then 'held' when 1 then 'ready' when 2 then 'rejected' when 3 then 'failed'
         when 4 then 'cancelled' when 5 then 'ordered' when 6 then 'verifying' else 'closed' end as state
       from generate_series(1, $1::int) n) f`,
    [pos, accounts],
  );
  await pool.query(
    `insert into account_states (account, pause_code, polled_at, report_written_at)
     select 'dealer-' || n, case when n % 10 = 0 then 'denied' end, now() - interval '7 minutes', now() - interval '1 hour'
     from generate_series(1, $1::int) n`,
    [accounts],
  );
  await pool.query('vacuum analyze');
};

export const run = async ({ only }: { only?: string } = {}): Promise<Figure[]> => {
  const pos = Number(only ?? 300_000);
  const folder = await mkdtemp(path.join(tmpdir(), 'cartwright-bench-'));
  const server = await startBenchPostgres(path.join(folder, 'pg'));
  const pool = createPool(server.url, { max: 4, logger: silentLogger });
  try {
    await migrateLedger(pool);
    await fillLedger(pool, pos);
    const readings: number[] = [];
    let listener: Parameters<HealthParts['onCall']>[0] = () => {};
    const health = createHealth({
      version: '0.0.0',
      namedAccounts: 50,
      readFigures: async () => {
        const startedAt = performance.now();
        const figures = await readFigures(pool);
        readings.push(performance.now() - startedAt);
        return figures;
      },
      readQueues: async () => [],
      pingLedger: () => pool.query('select 1'),
      pingQueue: async () => {},
      folders: () => ({ usable: accounts, problems: 0 }),
      pollDueAfter: (_account, polledAt) => new Date(polledAt.getTime() + 300_000),
      isClosed: () => false,
      backupDue: () => undefined,
      onCall: (given) => {
        listener = given;
      },
    });
    for (let at = 1; at <= accounts; at += 1) {
      for (const result of results)
        listener(`dealer-${at}`, { name: 'createOrder', result, durationMs: at, serviceTime: undefined });
    }
    const listening = await listenHealth(health, {
      host: '127.0.0.1',
      port: 0,
      isLocal: true,
      isOwnHost: () => true,
      isTokenValid: async () => false,
      logger: silentLogger,
    });
    const taken: number[] = [];
    let bytes = 0;
    let used = process.cpuUsage();
    for (let at = 0; at < fetches; at += 1) {
      if (at === unmeasured) used = process.cpuUsage();
      const startedAt = performance.now();
      const text = await (await fetch(`${listening.url}/metrics`)).text();
      taken.push(performance.now() - startedAt);
      bytes = Buffer.byteLength(text);
    }
    const { user, system } = process.cpuUsage(used);
    await listening.stop();
    const others = taken.slice(unmeasured).sort((a, b) => a - b);
    return [
      { name: 'accounts', value: accounts },
      { name: 'POs', value: pos },
      { name: 'size of /metrics (KB)', value: bytes / 1000, target: '<= 200' },
      { name: 'p95: a fetch (ms)', value: others[Math.ceil(others.length * 0.95) - 1]!, target: '<= 50' },
      { name: 'median: a fetch (ms)', value: others[Math.floor(others.length / 2)]! },
      // Unlike wall time, this does not depend on other work of the machine.
      {
        name: 'processor time of a fetch, client included (ms)',
        value: (user + system) / 1000 / others.length,
      },
      { name: 'the first fetch, which reads the ledger (ms)', value: taken[0]! },
      { name: 'a reading of the ledger, in the background (ms)', value: readings.at(-1)! },
    ];
  } finally {
    await pool.end();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
};
