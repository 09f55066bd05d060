// Requests a second of the dealer order service, as a share of what the same Fastify answers when it answers a constant;
// and what a range of one day costs among 10,000 and among 1,000,000 orders. The server is a process of its own.
import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import fastify from 'fastify';
import pg from 'pg';
import { startEmbeddedPostgres } from '../src/embedded/start-embedded-postgres.ts';
import { silentLogger } from '../src/logger.ts';
import { serviceConfigSchema } from '../src/service/config.ts';
import { listenService } from '../src/service/listen-service.ts';

const atOnce = 32;
const ordersPerDay = 1_000;
const secondsEach = 1.5;

/** What stands at the end of the run: each figure by its name, with the sentence that was printed. */
export interface ServiceFigures {
  figures: { name: string; value: number; text: string }[];
}

/** The server's side: the service and a constant in one process, so that both have the same share of the machine. */
const serve = async (databaseUrl: string) => {
  const config = serviceConfigSchema.parse({ port: 0, poolSize: 20 });
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

/** One request, its answer read and thrown away; the answer's bytes. Throws on anything but 200. */
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

/** Requests a second with `atOnce` in flight, for some seconds or until there is nothing left to ask. */
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

/** Puts orders into the past, `ordersPerDay` a day from 2020-01-01 on: the first of them is number `from`. */
const storeOrders = async (pool: pg.Pool, from: number, to: number) => {
  await pool.query(
    `with made as (
       insert into dealer_service.submissions (cart_id, dealer, po_number, order_date, ship)
       select 1, 'dealer', 'stored-' || n, '2020-01-01'::date + (n / $3::integer),
         '{"ship_name":"Ann","ship_address":"1 Elm St","ship_city":"Boise","ship_state":"ID","ship_zip":"01234"}'
       from generate_series($1::integer, $2::integer - 1) as n returning submission_id)
     insert into dealer_service.orders
       (submission_id, warehouse, ship_via, freight_cents, misc_cents, total_cents, items, steps)
     select submission_id, 'GA', 'BEST', 995, 0, 5995,
       '[{"sku":"A","name":"Item A","quantity":2,"available":2,"price_cents":2500}]',
       '{"Picking":1,"Checking":2,"Shipped":3,"Invoiced":4}' from made`,
    [from, to, ordersPerDay],
  );
  await pool.query('vacuum analyze dealer_service.submissions, dealer_service.orders');
};

const day = (nth: number) =>
  new Date(Date.UTC(2020, 0, 1 + nth)).toISOString().slice(0, 10).replaceAll('-', '');

/** How many of the run's carts, from the first on without a gap, have an item. */
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

const measure = async (serviceUrl: string, constantUrl: string, pool: pg.Pool, server: ChildProcess) => {
  const figures: ServiceFigures['figures'] = [];
  const report = (name: string, value: number, text: string) => {
    figures.push({ name, value, text });
    process.stdout.write(`${name}: ${text}\n`);
  };
  const peakMb = async () => {
    const answer = next(server);
    server.send('memory');
    return Number((await answer).peak) / 1e6;
  };
  const range = (from: number, days: number) =>
    send(`${serviceUrl}/orders?from_date=${day(from)}&to_date=${day(from + days - 1)}`);

  // A cart for the stored submissions to belong to.
  await send(`${serviceUrl}/carts`, { po_number: 'first' });
  await storeOrders(pool, 0, 10_000);
  await medianMs(10, () => range(5, 1));
  const among10k = await medianMs(15, () => range(5, 1));
  await storeOrders(pool, 10_000, 100_000);

  const body = { po_number: 'constant', item_sku: 'A', quantity: 2 };
  /** What the constant reaches at this very moment: a machine has other work too. */
  const constantNow = () => rateOf(() => send(constantUrl, body));
  const share = async (name: string, act: (nth: number) => Promise<unknown> | undefined) => {
    const constant = await constantNow();
    const rate = await rateOf(act);
    const ratio = rate / constant;
    report(
      name,
      ratio,
      `${Math.round(rate)} requests/s, ${ratio.toFixed(3)} × a constant (${Math.round(constant)}/s)`,
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
  report(
    'date range of one day',
    orders / constant,
    `${Math.round(orders)} orders/s in answers of ${ordersPerDay}, ${(orders / constant).toFixed(2)} for each constant`,
  );

  await range(0, 1);
  await peakMb();
  await range(0, 1);
  const small = await peakMb();
  await range(0, 100);
  const large = await peakMb();
  report(
    'memory of a long list',
    large / small,
    `${large.toFixed(0)} MB at most for 100,000 orders, ${(large / small).toFixed(2)} × that for 1,000`,
  );

  await storeOrders(pool, 100_000, 1_000_000);
  await medianMs(10, () => range(5, 1));
  const among1m = Math.max(await medianMs(15, () => range(5, 1)), await medianMs(15, () => range(990, 1)));
  report(
    'one day among 1,000,000 orders',
    among1m / among10k,
    `${among1m.toFixed(1)} ms, ${(among1m / among10k).toFixed(2)} × that among 10,000 (target ≤ 2)`,
  );
  return { figures };
};

/** Measures on a database of its own, in a temporary folder; prints each figure as it is known. */
export const run = async (): Promise<ServiceFigures> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'cartwright-bench-'));
  const database = await startEmbeddedPostgres({ dataFolder: folder, logger: silentLogger });
  const server = fork(fileURLToPath(import.meta.url), ['serve', database.url]);
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

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  if (process.argv[2] === 'serve') await serve(process.argv[3] ?? '');
  else await run();
}
