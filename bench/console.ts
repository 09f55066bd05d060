// The console on a large ledger: server time of its pages and searches over HTTP, with access checks and serialisation, and
// the cost of its pages in Chromium. `console:200000` uses 200,000 POs instead of a million.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { migrateLedger } from '../src/ledger/migrate.ts';
import { createPool } from '../src/ledger/pool.ts';
import { silentLogger } from '../src/logger.ts';
import { measureBrowser } from './support/console-browser.ts';
import { type ConsoleServer, startConsoleServer } from './support/console-server.ts';
import type { Figure } from './support/figures.ts';
import { fillConsoleLedger, linesInPo, posInFile } from './support/fill-console-ledger.ts';
import { startBenchPostgres } from './support/postgres.ts';

/** Pseudo-random numbers, the same in each run. */
const createRandom = () => {
  let state = 7;
  return (below: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % below;
  };
};

/** The time of requests to these addresses, one at a time. */
const measureReads = async ({ url, token }: ConsoleServer, pos: number): Promise<Figure[]> => {
  const random = createRandom();
  const headers = { authorization: `Bearer ${token}` };
  const measure = async (
    name: string,
    address: () => string,
    target: number,
    times = 60,
  ): Promise<Figure> => {
    const taken: number[] = [];
    for (let at = -3; at < times; at += 1) {
      const asked = `${url}/api/v1${address()}`;
      const startedAt = performance.now();
      const answer = await fetch(asked, { headers });
      const body = await answer.text();
      if (!answer.ok) throw new Error(`${asked} answered ${answer.status}: ${body.slice(0, 300)}`);
      // The first ones only warm up.
      if (at >= 0) taken.push(performance.now() - startedAt);
    }
    taken.sort((a, b) => a - b);
    return { name: `p95: ${name} (ms)`, value: taken[Math.ceil(times * 0.95) - 1]!, target: `<= ${target}` };
  };
  const some = () => 1 + random(pos - 1);
  const someImport = () => 1 + random(pos / posInFile - 1);
  const list = (query: string) => `/purchase-orders?${query}`;
  return [
    await measure('search by PO number', () => `/search?q=PO-${some()}`, 50),
    await measure('search by the beginning of a PO number', () => `/search?q=po-${1 + random(99)}`, 50),
    await measure('search by order number', () => `/search?q=SO${7_000_000 + some()}`, 50),
    await measure('search by tracking number', () => `/search?q=1Z${String(some()).padStart(16, '0')}`, 50),
    await measure('search by SKU', () => `/search?q=sku-${random(20_011)}`, 150),
    await measure('search by the beginning of a SKU', () => `/search?q=sku-${1 + random(9)}`, 150),
    await measure('search by a part of a PO number', () => `/search?q=${100_000 + random(899_999)}`, 50),
    await measure('search by a part of many PO numbers', () => `/search?q=${100 + random(899)}`, 50),
    await measure('search by a part of a SKU', () => `/search?q=ku-${1000 + random(19_000)}`, 50),
    await measure('search by a part of many SKUs', () => `/search?q=u-${1 + random(9)}`, 50),
    await measure('search by a part of a file name', () => `/search?q=ers-${someImport()}`, 50),
    await measure('search by a part of everything', () => '/search?q=o-1', 50),
    await measure('search by a part of nothing', () => `/search?q=x${some()}y`, 50),
    await measure('search by the beginning of a name', () => '/search?q=garden+shop', 150),
    await measure('list: all POs', () => list(''), 100),
    await measure('list: held POs', () => list('state=held'), 100),
    await measure(
      'list: held POs of an account and reason',
      () => list('state=held&reason=backorder&account=dealer-3'),
      100,
    ),
    await measure('list: a page far behind', () => list(`cursor=${some()}`), 100),
    await measure('list: POs by a part of the number', () => list(`po=${10_000 + random(89_999)}`), 100),
    await measure('list: POs by a part of many numbers', () => list(`po=${100 + random(899)}`), 100),
    await measure('list: POs by a part of all numbers', () => list('po=po-'), 100),
    await measure('list: POs by number', () => list('sort=number&order=oldest'), 100),
    await measure('list: POs by number, a page far behind', () => list(`sort=number&cursor=${some()}`), 100),
    await measure(
      'list: held POs of an account by number',
      () => list('state=held&account=dealer-3&sort=number'),
      100,
    ),
    await measure('list: POs of an import', () => list(`importId=${someImport()}`), 100),
    await measure('list: states and reasons for the filters', () => '/purchase-orders/facets', 100),
    await measure('list: imports', () => '/imports', 100),
    await measure('list: imports by name', () => '/imports?sort=file&order=oldest', 100),
    await measure(
      'list: imports by rows, a page far behind',
      () => `/imports?sort=rows&cursor=${someImport()}`,
      100,
    ),
    await measure('list: imports by a part of the name', () => `/imports?file=ders-${1 + random(99)}`, 100),
    await measure(
      'list: imports of an account that were refused',
      () => '/imports?account=dealer-3&outcome=refused',
      100,
    ),
    await measure('list: issues of an import', () => `/imports/${someImport()}/issues`, 100),
    await measure('list: reports', () => '/reports', 100),
    await measure('list: activity', () => '/activity', 100),
    await measure('list: activity of a person', () => '/activity?who=person+3&account=dealer-3', 100),
    await measure('orders: all', () => '/orders', 100),
    await measure('orders: of an account, by total', () => '/orders?account=dealer-3&sort=total', 100),
    await measure('orders: in a status', () => '/orders?status=Shipped', 100),
    await measure('orders: late', () => '/orders?late=true', 100),
    await measure('orders: back-ordered', () => '/orders?backordered=true', 100),
    await measure('orders: shipped without tracking', () => '/orders?untracked=true', 100),
    await measure('orders: with an alarm', () => '/orders?alarm=true', 100),
    await measure(
      'orders: shipped in a week',
      () => '/orders?sort=shipped&shippedFrom=2026-03-01&shippedTo=2026-03-07',
      100,
    ),
    await measure('orders: by the beginning of a number', () => `/orders?q=SO${7_000_000 + some()}`, 100),
    await measure('orders: by the beginning of many numbers', () => '/orders?q=PO-1', 100),
    await measure('orders: a page far behind', () => `/orders?cursor=2026-03-01~${some()}`, 100),
    await measure('orders: counts for the filters', () => '/orders/facets', 100, 20),
    await measure('import page', () => `/imports/${someImport()}`, 100),
    await measure('accounts', () => '/accounts', 100, 20),
    await measure('account page', () => `/accounts/dealer-${random(10)}`, 100, 20),
    await measure('PO page', () => `/purchase-orders/${some()}`, 60),
    await measure('Today', () => '/today', 150, 40),
  ];
};

export const run = async ({ only }: { only?: string } = {}): Promise<Figure[]> => {
  const pos = Number(only ?? 1_000_000);
  const folder = await mkdtemp(path.join(tmpdir(), 'cartwright-bench-'));
  const postgres = await startBenchPostgres(path.join(folder, 'pg'));
  const pool = createPool(postgres.url, { max: 4, logger: silentLogger });
  try {
    await migrateLedger(pool);
    const filling = performance.now();
    await fillConsoleLedger(pool, pos);
    const filledIn = (performance.now() - filling) / 1000;
    const accounts = Array.from({ length: 10 }, (_, at) => `dealer-${at}`);
    const server = await startConsoleServer({ pool, databaseUrl: postgres.url, folder, accounts });
    try {
      return [
        { name: 'POs', value: pos },
        { name: 'lines', value: pos * linesInPo },
        { name: 'made in (s)', value: filledIn },
        ...(await measureReads(server, pos)),
        ...(await measureBrowser(server, { pool, pos })),
      ];
    } finally {
      await server.stop();
    }
  } finally {
    await pool.end();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
};
