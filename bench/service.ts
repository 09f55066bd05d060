// Requests per second of the dealer order service, compared with the same Fastify sending a constant; and the time of a
// one-day range among 10,000 and among 1,000,000 orders. The server runs in its own process.
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fastify from 'fastify';
import pg from 'pg';
import { silentLogger } from '../src/logger.ts';
import { listenService } from '../src/service/listen-service.ts';
import { serviceConfigFor } from '../test/support/service-config.ts';
import type { Figure } from './support/figures.ts';
import { startBenchPostgres } from './support/postgres.ts';
import { storeOrders } from './support/store-orders.ts';

const atOnce = 32;
const ordersPerDay = 1_000;
const secondsEach = 1.5;

/** The server: service and constant in one process, so that both get the same share of the machine. */
const serve = async (databaseUrl: string) => {
  const config = serviceConfigFor({ port: 0, poolSize: 20 });
  const service = await listenService({ config, logger: silentLogger, databaseUrl });
  const constant = fastify();
  const answer = { cart_number: 'C10000001', po_number: 'PO-1', shipment_type: 'dealer' };
  constant.post('/', async () => answer);
  const constantUrl = await constant.listen({ host: '127.0.0.1', port: 0 });
  let peak = 0;
  setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 20).unref();
  process.on('message', async (message: 'memory' | 'stop') => {
    if (message === 'memory') {
      process.send?.({ peak });
      peak = process.memoryUsage.rss();
      return;
    }
    await Promise.all([service.stop(), constant.close()]);
    process.exit(0);
  });
  process.send?.({ serviceUrl: service.url, constantUrl });
};

const next = (server: ChildProcess) =>
  new Promise<Record<string, unknown>>((resolve, reject) => {
    server.once('message', resolve).once('error', reject);
  });

const agent = new http.Agent({ keepAlive: true, maxSockets: atOnce });

/** Sends a request, discards the answer and returns its size in bytes. Rejects unless the status is 200. */
const send = (url: string, body?: object): Promise<number> =>
  new Promise((resolve, reject) => {
    const payload = body === undefined ? undefined : JSON.stringify(body);
    const headers = payload
      ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) }
      : {};
    const request = http.request(url, { agent, method: payload ? 'POST' : 'GET', headers }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      response.on('error', reject);
      response.on('end', () =>
        response.statusCode === 200
          ? resolve(bytes)
          : reject(new Error(`${url} answered ${response.statusCode}`)),
      );
    });
    request.on('error', reject);
    request.end(payload);
  });

/** Requests per second with `atOnce` in flight, for `secondsEach` or until `act` has nothing left to send. */
const rateOf = async (act: (nth: number) => Promise<unknown> | undefined): Promise<number> => {
  let done = 0;
  let asked = 0;
  const start = performance.now();
  const end = start + secondsEach * 1_000;
  const one = async () => {
    while (performance.now() < end) {
      const answer = act(asked++);
      if (!answer) return;
      await answer;
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return done / ((performance.now() - start) / 1_000);
};

const medianMs = async (times: number, act: () => Promise<unknown>): Promise<number> => {
  const taken: number[] = [];
  for (let at = 0; at < times; at += 1) {
    const start = performance.now();
    await act();
    taken.push(performance.now() - start);
  }
  return taken.sort((a, b) => a - b)[Math.floor(times / 2)]!;
};

const store = (pool: pg.Pool, from: number, to: number) =>
  storeOrders(pool, { from, to, firstDay: '2020-01-01', perDay: ordersPerDay });

const day = (nth: number) =>
  new Date(Date.UTC(2020, 0, 1 + nth)).toISOString().slice(0, 10).replaceAll('-', '');

/** How many of the run's carts have an item, counted from the first one to the first gap. */
const countWithItems = async (pool: pg.Pool, run: string): Promise<number> => {
  const { rows } = await pool.query<{ usable: number }>(
    `select coalesce(min(nth) filter (where not has_item), max(nth))::integer as usable from (
       select substring(po_number from 38)::integer as nth,
         exists (select from dealer_service.cart_items i where i.cart_id = c.cart_id) as has_item
       from dealer_service.carts c where left(po_number, 36) = $1) as carts`,
    [run],
  );
  return rows[0]?.usable ?? 0;
};

const measure = async (
  serviceUrl: string,
  constantUrl: string,
  pool: pg.Pool,
  server: ChildProcess,
): Promise<Figure[]> => {
  const figures: Figure[] = [];
  const peakMb = async () => {
    const answer = next(server);
    server.send('memory');
    return Number((await answer).peak) / 1e6;
  };
  const range = (from: number, days: number) =>
    send(`${serviceUrl}/orders?from_date=${day(from)}&to_date=${day(from + days - 1)}`);

  // The stored submissions need a cart.
  await send(`${serviceUrl}/carts`, { po_number: 'first' });
  await store(pool, 0, 10_000);
  await medianMs(10, () => range(5, 1));
  const among10k = await medianMs(15, () => range(5, 1));
  await store(pool, 10_000, 100_000);

  const body = { po_number: 'constant', item_sku: 'A', quantity: 2 };
  /** The current rate of the constant, which depends on the load of the machine. */
  const constantNow = () => rateOf(() => send(constantUrl, body));
  const share = async (name: string, act: (nth: number) => Promise<unknown> | undefined) => {
    const constant = await constantNow();
    const rate = await rateOf(act);
    figures.push(
      { name: `${name}: rate / a constant's rate`, value: rate / constant },
      { name: `${name}: requests per second`, value: Math.round(rate) },
    );
  };

  await constantNow();
  const run = randomUUID();
  let carts = 0;
  await share('create cart', async (nth) => {
    await send(`${serviceUrl}/carts`, { po_number: `${run}-${nth}` });
    carts = Math.max(carts, nth);
  });
  const usable = carts - atOnce;
  const cartOf = (nth: number) => `${run}-${nth % usable}`;
  await share('add item', (nth) =>
    send(`${serviceUrl}/carts/${cartOf(nth)}/items`, { item_sku: 'A', quantity: 2 }),
  );
  await share('show cart', (nth) => send(`${serviceUrl}/carts/${cartOf(nth)}`));
  const withItems = await countWithItems(pool, run);
  await share('submit order', (nth) =>
    nth < withItems ? send(`${serviceUrl}/orders`, { po_number: cartOf(nth) }) : undefined,
  );
  await share('show order', (nth) => send(`${serviceUrl}/orders/stored-${(nth * 7_919) % 100_000}`));
  const constant = await constantNow();
  const orders = (await rateOf((nth) => range(nth % 100, 1))) * ordersPerDay;
  figures.push({
    name: `date range of one day: orders per second / a constant's rate`,
    value: orders / constant,
  });

  await range(0, 1);
  await peakMb();
  await range(0, 1);
  const small = await peakMb();
  await range(0, 100);
  const large = await peakMb();
  figures.push({
    name: 'memory of a list of 100,000 orders / of 1,000',
    value: large / small,
    target: '<= 1.5',
  });

  await store(pool, 100_000, 1_000_000);
  await medianMs(10, () => range(5, 1));
  const among1m = Math.max(await medianMs(15, () => range(5, 1)), await medianMs(15, () => range(990, 1)));
  figures.push(
    { name: 'one day among 1,000,000 orders / among 10,000', value: among1m / among10k, target: '<= 2' },
    { name: 'one day among 1,000,000 orders', value: among1m, unit: 'ms' },
  );
  return figures;
};

/** Measures on a new database in a temporary folder. */
export const run = async (): Promise<Figure[]> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'cartwright-bench-'));
  const database = await startBenchPostgres(folder);
  const server = fork(fileURLToPath(import.meta.url), ['serve', database.url], {
    execArgv: process.execArgv,
  });
  const exited = new Promise((resolve) => server.once('exit', resolve));
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  try {
    const { serviceUrl, constantUrl } = (await next(server)) as { serviceUrl: string; constantUrl: string };
    return await measure(serviceUrl, constantUrl, pool, server);
  } finally {
    agent.destroy();
    server.send('stop');
    await exited;
    await pool.end();
    await database.stop();
    await rm(folder, { recursive: true, force: true });
  }
};

if (process.argv[1] === fileURLToPath(import.meta.url) && process.argv[2] === 'serve') {
  await serve(process.argv[3] ?? '');
}
