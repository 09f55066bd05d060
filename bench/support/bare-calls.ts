import http from 'node:http';
import { got } from 'got';
import pg from 'pg';

const linesEach = 5;

/** Places POs of five lines by got alone, calls one after the other: nothing is decided, and every answer taken as good. */
const openBareClient = (baseUrl: string) => {
  const agent = new http.Agent({ keepAlive: true, maxFreeSockets: 256 });
  const client = got.extend({ agent: { http: agent }, retry: { limit: 0 }, throwHttpErrors: false });
  let calls = 0;
  const place = async (po: string, looks: 'all' | 'one', afterCall?: () => Promise<unknown>) => {
    const call = async (method: 'GET' | 'POST', path: string, json?: object): Promise<void> => {
      calls += 1;
      await client(`${baseUrl}${path}`, { method, ...(json ? { json } : {}) });
      await afterCall?.();
    };
    await call('GET', `/orders/${po}`);
    if (looks === 'all') await call('GET', `/carts/${po}`);
    await call('POST', '/carts', { po_number: po });
    for (let line = 1; line <= linesEach; line += 1) {
      await call('POST', `/carts/${po}/items`, { item_sku: `SKU-${line}`, quantity: line });
    }
    if (looks === 'all') {
      await call('GET', `/orders/${po}`);
      await call('GET', `/carts/${po}`);
    }
    await call('POST', '/orders', { po_number: po });
  };
  return { place, calls: () => calls, stop: () => agent.destroy() };
};

/**
 * What a call takes, in ms, when it is alone: the mean over the calls that placing a PO of five lines makes, one
 * after the other. Leaves an order under each PO number that begins with LONE.
 */
export const loneCallMs = async (baseUrl: string, pos: number): Promise<number> => {
  const client = openBareClient(baseUrl);
  // The first ones warm both sides up.
  for (let po = 1; po <= 5; po += 1) await client.place(`LONE-WARM-${process.hrtime.bigint()}`, 'all');
  const before = client.calls();
  const begin = performance.now();
  for (let po = 1; po <= pos; po += 1) await client.place(`LONE-${process.hrtime.bigint()}`, 'all');
  const ms = (performance.now() - begin) / (client.calls() - before);
  client.stop();
  return ms;
};

/**
 * The ceiling: what the same machine does when nothing is looked up, decided or queued: the calls of so many POs by
 * got alone and a commit of one row after each, so many POs at once. Leaves orders of POs that begin with SKELETON.
 *
 * @param options.looks one: as few calls as an order can have; all: as many as the worker makes
 * @param options.moreCommits commits of a PO beside those of its calls
 */
export const placeBare = async (options: {
  databaseUrl: string;
  baseUrl: string;
  pos: number;
  atOnce: number;
  looks: 'all' | 'one';
  moreCommits?: number;
}): Promise<{ wallMs: number; calls: number }> => {
  const { pos, looks, moreCommits = 0 } = options;
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
      await client.place(po, looks, () => commit(po));
    }
  };
  await Promise.all(Array.from({ length: options.atOnce }, one));
  const wallMs = performance.now() - begin;
  await pool.query('drop table skeleton');
  await pool.end();
  client.stop();
  return { wallMs, calls: client.calls() };
};
