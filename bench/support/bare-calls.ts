import http from 'node:http';
import { got } from 'got';
import pg from 'pg';

const linesEach = 5;

/** Places POs of five lines with got alone, one call after the other, without decisions and without checking answers. */
const openBareClient = (baseUrl: string) => {
  const agent = new http.Agent({ keepAlive: true, maxFreeSockets: 256 });
  const client = got.extend({ agent: { http: agent }, retry: { limit: 0 }, throwHttpErrors: false });
  let calls = 0;
  const place = async (po: string, lookups: 'all' | 'one', afterCall?: () => Promise<unknown>) => {
    const call = async (method: 'GET' | 'POST', path: string, json?: object): Promise<void> => {
      calls += 1;
      await client(`${baseUrl}${path}`, { method, ...(json ? { json } : {}) });
      await afterCall?.();
    };
    // The additional lookups that the worker makes with the default settings.
    await call('GET', lookups === 'all' ? `/carts/${po}` : `/orders/${po}`);
    await call('POST', '/carts', { po_number: po });
    for (let line = 1; line <= linesEach; line += 1) {
      await call('POST', `/carts/${po}/items`, { item_sku: `SKU-${line}`, quantity: line });
    }
    if (lookups === 'all') {
      await call('GET', `/orders/${po}`);
      await call('GET', `/carts/${po}`);
    }
    await call('POST', '/orders', { po_number: po });
  };
  return { place, calls: () => calls, stop: () => agent.destroy() };
};

/**
 * The time of a single call in ms: the mean of the calls that place a PO of five lines, one after the other. Leaves orders
 * under PO numbers that begin with LONE.
 */
export const loneCallMs = async (baseUrl: string, pos: number): Promise<number> => {
  const client = openBareClient(baseUrl);
  // The first POs are a warm-up.
  for (let po = 1; po <= 5; po += 1) await client.place(`LONE-WARM-${process.hrtime.bigint()}`, 'all');
  const before = client.calls();
  const begin = performance.now();
  for (let po = 1; po <= pos; po += 1) await client.place(`LONE-${process.hrtime.bigint()}`, 'all');
  const ms = (performance.now() - begin) / (client.calls() - before);
  client.stop();
  return ms;
};

/**
 * The time in ms in which got alone adds `lines` lines to one cart, `atOnce` at a time. Leaves the cart under a PO number that
 * begins with LINES.
 */
export const addLinesMs = async (baseUrl: string, lines: number, atOnce: number): Promise<number> => {
  const agent = new http.Agent({ keepAlive: true, maxFreeSockets: 256 });
  const client = got.extend({ agent: { http: agent }, retry: { limit: 0 } });
  const po = `LINES-${process.hrtime.bigint()}`;
  await client.post(`${baseUrl}/carts`, { json: { po_number: po } });
  const begin = performance.now();
  let next = 1;
  const addOneByOne = async (): Promise<void> => {
    while (next <= lines) {
      const line = next++;
      await client.post(`${baseUrl}/carts/${po}/items`, { json: { item_sku: `SKU-${line}`, quantity: 1 } });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, addOneByOne));
  const ms = performance.now() - begin;
  agent.destroy();
  return ms;
};

/**
 * The upper limit of this machine: the calls of `pos` POs by got alone with a commit of one row after each, without
 * decisions or a queue, `atOnce` POs at a time. Leaves orders under PO numbers that begin with SKELETON.
 *
 * @param options.lookups one: the fewest calls that an order needs; all: as many as the worker makes
 * @param options.moreCommits additional commits per PO
 */
export const placeBare = async (options: {
  databaseUrl: string;
  baseUrl: string;
  pos: number;
  atOnce: number;
  lookups: 'all' | 'one';
  moreCommits?: number;
}): Promise<{ wallMs: number; calls: number }> => {
  const { pos, lookups, moreCommits = 0 } = options;
  const client = openBareClient(options.baseUrl);
  const pool = new pg.Pool({ connectionString: options.databaseUrl, max: 20 });
  await pool.query('create table skeleton (id bigint generated always as identity primary key, po text)');
  const commit = (po: string) =>
    pool.query({ name: 'commit', text: 'insert into skeleton (po) values ($1)', values: [po] });
  const begin = performance.now();
  let next = 0;
  const one = async (): Promise<void> => {
    while (next < pos) {
      const po = `SKELETON-${++next}`;
      for (let more = 1; more <= moreCommits; more += 1) await commit(po);
      await client.place(po, lookups, () => commit(po));
    }
  };
  await Promise.all(Array.from({ length: options.atOnce }, one));
  const wallMs = performance.now() - begin;
  await pool.query('drop table skeleton');
  await pool.end();
  client.stop();
  return { wallMs, calls: client.calls() };
};
