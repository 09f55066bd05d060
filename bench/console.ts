// Server time of the console's pages and searches on a large ledger, through its API with access checks and serialisation.
// `console:200000` measures on so many POs instead of a million.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { loadConfig } from '../src/config/load-config.ts';
import { newToken } from '../src/console/access/secrets.ts';
import { createConsole } from '../src/console/create-console.ts';
import { addToken } from '../src/ledger/console/tokens.ts';
import { migrateLedger } from '../src/ledger/migrate.ts';
import { createPool } from '../src/ledger/pool.ts';
import { silentLogger } from '../src/logger.ts';
import type { Figure } from './support/figures.ts';
import { startBenchPostgres } from './support/postgres.ts';

const posInFile = 500;
const linesInPo = 5;

/** Half a year of ten accounts: most POs are closed, a few per cent wait for a person or ended without an order. */
const fillLedger = async (pool: pg.Pool, pos: number): Promise<void> => {
  await pool.query(
    `insert into imports (account, file_name, sha256, size_bytes, file_path, state, format, row_count, taken_at, read_at)
     select 'dealer-' || n % 10, 'orders-' || n || '.csv', md5(n::text), 40000, 'files/' || n || '.csv',
       case when n % 97 = 0 then 'refused' else 'read' end, 'csv', $2::int, at, at + interval '3 seconds'
     from (select n, now() - interval '180 days' * (1 - n::float8 / $1::int) as at from generate_series(1, $1::int) n) f`,
    [pos / posInFile, posInFile * linesInPo],
  );
  await pool.query(
    `insert into purchase_orders (account, po_number, po_key, import_id, first_row, line_count, content_hash, state, reason_code,
       reason_text, cart_epoch, created_at, changed_at, ordered_at, closed_at, alarm)
     select 'dealer-' || f.import % 10, 'PO-' || n, 'po-' || n, f.import, 2 + (n % $2::int) * $3::int, $3, md5(n::text), f.state,
       case f.state when 'held' then (array['price_above', 'backorder', 'unusual_quantity', 'foreign_cart'])[1 + n % 4]
         when 'rejected' then 'row_issues' when 'failed' then 'refused_by_service' when 'cancelled' then 'cancelled' end,
       case when f.state in ('held', 'failed') then 'Row 7 costs 12.00, the file expects 10.00.' end, 0, at, at + interval '1 minute',
       case when f.state in ('ordered', 'closed') then at + interval '1 minute' end,
       case when f.state = 'closed' then at + interval '5 days' end, case when n % 9973 = 0 then 'Two ordered, one asked.' end
     from (select n, 1 + (n - 1) / $2::int as import, now() - interval '180 days' * (1 - n::float8 / $1::int) as at,
         case when n > $1::int - 800 then 'ready' when n % 40 = 0 then 'held' when n % 50 = 1 then 'failed'
           when n % 100 = 3 then 'rejected' when n % 50 = 7 then 'cancelled'
           when n > $1::int * 0.95 then 'ordered' else 'closed' end as state
       from generate_series(1, $1::int) n) f`,
    [pos, posInFile, linesInPo],
  );
  await pool.query(
    `insert into lines (import_id, row_number, po_number, item_sku, quantity, expected_price, answered_epoch, sku, dealer_price, available_quantity)
     select 1 + (n - 1) / $2::int, 2 + (n % $2::int) * $3::int + l, 'PO-' || n, sku, 1 + l, 10, 0, sku, 10.5, 40
     from (select n, l, 'SKU-' || (n * 7 + l * 1013) % 20011 as sku
       from generate_series(1, $1::int) n cross join generate_series(0, $3::int - 1) l) f`,
    [pos, posInFile, linesInPo],
  );
  await pool.query(
    `insert into orders (purchase_order_id, account, po_number, order_number, ship_name, ship_zip, order_status, invoice_number, order_total, tracking_numbers)
     select id, account, po_number, 'SO' || 7000000 + id, 'Garden Shop ' || id % 5003, lpad((id % 99991)::text, 5, '0'),
       case state when 'closed' then 'Invoiced' else 'Shipped' end, 'INV' || id, 99.5, array['1Z' || lpad(id::text, 16, '0')]
     from purchase_orders where state in ('ordered', 'closed')`,
  );
  await pool.query(
    `insert into intents (purchase_order_id, epoch, step, begun_at, outcome, ended_at)
     select p.id, 0, s, p.changed_at, 'done', p.changed_at + interval '80 milliseconds'
     from purchase_orders p cross join unnest(array['create_cart', 'add_items', 'submit_order']) s
     where p.id > $1::int * 0.9 and p.state <> 'ready' order by p.id`,
    [pos],
  );
  await pool.query('vacuum analyze');
};

/** Numbers that look random and are the same in each run. */
const createRandom = () => {
  let state = 7;
  return (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
};

export const run = async ({ only }: { only?: string } = {}): Promise<Figure[]> => {
  const pos = Number(only ?? 1_000_000);
  const folder = await mkdtemp(path.join(tmpdir(), 'cartwright-bench-'));
  const server = await startBenchPostgres(path.join(folder, 'pg'));
  const pool = createPool(server.url, { max: 8, logger: silentLogger });
  const nothing = async () => {};
  try {
    await migrateLedger(pool);
    const filling = performance.now();
    await fillLedger(pool, pos);
    const filledIn = (performance.now() - filling) / 1000;
    const { secret, hash } = newToken();
    await addToken(
      pool,
      { name: 'bench', role: 'viewer', accounts: null, tokenHash: hash, days: null },
      { who: 'bench', via: 'command line' },
    );
    const config = loadConfig({}, {});
    const { app } = await createConsole({
      pool,
      version: '0.0.0',
      describeSettings: () => [],
      config,
      settings: config.console,
      logger: silentLogger,
      addQueueView: nothing,
      health: {
        readiness: async () => ({ ready: true }),
        metrics: async () => ({ contentType: 'text/plain', text: '' }),
      },
      work: {
        enqueueChanged: nothing,
        fillAccounts: nothing,
        continueBulkRuns: () => {},
        enqueueImports: nothing,
        listSchedules: async () => [],
        runNow: nothing,
        writeResult: nothing,
        findProblems: async () => [],
        importCopy: async () => ({ importId: '0' }),
      },
      webFolder: '/nowhere',
    });
    const random = createRandom();
    const headers = { host: '127.0.0.1:8490', authorization: `Bearer ${secret}` };
    const measure = async (
      name: string,
      address: () => string,
      times: number,
      target: number,
    ): Promise<Figure> => {
      const taken: number[] = [];
      for (let at = -3; at < times; at += 1) {
        const url = `/api/v1${address()}`;
        const startedAt = performance.now();
        const { statusCode, body } = await app.inject({ url, headers });
        if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}: ${body.slice(0, 300)}`);
        if (at >= 0) taken.push(performance.now() - startedAt);
      }
      taken.sort((a, b) => a - b);
      return { name: `${name} (ms)`, value: taken[Math.ceil(times * 0.95) - 1]!, target: `<= ${target}` };
    };
    const some = () => 1 + random(pos - 1);
    const list = (query: string) => `/purchase-orders?${query}`;
    const page = [
      await measure('search by PO number', () => `/search?q=PO-${some()}`, 60, 50),
      await measure('search by the beginning of a PO number', () => `/search?q=po-${1 + random(99)}`, 60, 50),
      await measure('search by order number', () => `/search?q=SO${7_000_000 + some()}`, 60, 50),
      await measure(
        'search by tracking number',
        () => `/search?q=1Z${String(some()).padStart(16, '0')}`,
        60,
        50,
      ),
      await measure('search by SKU', () => `/search?q=sku-${random(20_011)}`, 60, 150),
      await measure('search by the beginning of a SKU', () => `/search?q=sku-${1 + random(9)}`, 60, 150),
      await measure('search by the beginning of a name', () => '/search?q=garden+shop', 60, 150),
      await measure('list: all POs', () => list(''), 60, 100),
      await measure('list: held POs', () => list('state=held'), 60, 100),
      await measure(
        'list: held POs of an account and reason',
        () => list('state=held&reason=backorder&account=dealer-3'),
        60,
        100,
      ),
      await measure('list: a page far behind', () => list(`cursor=${some()}`), 60, 100),
      await measure(
        'list: POs of an import',
        () => list(`importId=${1 + random(pos / posInFile - 1)}`),
        60,
        100,
      ),
      await measure('list: imports', () => '/imports', 60, 100),
      await measure('import page', () => `/imports/${1 + random(pos / posInFile - 1)}`, 60, 100),
      await measure('accounts', () => '/accounts', 20, 100),
      await measure('PO page', () => `/purchase-orders/${some()}`, 60, 60),
      await measure('Today', () => '/today', 40, 150),
    ];
    await app.close();
    return [
      { name: 'POs', value: pos },
      { name: 'lines', value: pos * linesInPo },
      { name: 'made in (s)', value: filledIn },
      ...page.map((figure) => ({ ...figure, name: `p95: ${figure.name}` })),
    ];
  } finally {
    await pool.end();
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
};
