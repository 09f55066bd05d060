import http from 'node:http';
import { join } from 'node:path';
import { got } from 'got';
import pg from 'pg';
import { readImport } from '../src/cli/read-import.ts';
import { startWorker } from '../src/cli/start-worker.ts';
import { enqueueImport } from '../src/queue/next-work.ts';
import { ordersByPo } from '../src/service/read-audit.ts';
import type { Figure } from './support/figures.ts';
import {
  type BenchSystem,
  type QueueKind,
  startSystem,
  untilSettled,
  writePurchaseFile,
} from './support/system.ts';

const atOnce = 32;
const linesEach = 5;

/**
 * The ceiling: what the same machine does when nothing is looked at, decided or queued: a PO's eight bare
 * calls with got, and ten commits of one row, 32 POs at once.
 */
const skeleton = async (system: BenchSystem, pos: number): Promise<number> => {
  const { baseUrl } = system.config.accounts[0]!.api!;
  const agent = new http.Agent({ keepAlive: true, maxFreeSockets: 256 });
  const client = got.extend({ agent: { http: agent }, retry: { limit: 0 }, throwHttpErrors: false });
  const pool = new pg.Pool({ connectionString: system.databaseUrl, max: 20 });
  await pool.query('create table skeleton (id bigint generated always as identity primary key, po text)');
  const commit = (po: string) =>
    pool.query({ name: 'commit', text: 'insert into skeleton (po) values ($1)', values: [po] });
  const begin = performance.now();
  let next = 0;
  const one = async (): Promise<void> => {
    while (next < pos) {
      const po = `SKELETON-${++next}`;
      await commit(po);
      await client.get(`${baseUrl}/orders/${po}`);
      await commit(po);
      await client.post(`${baseUrl}/carts`, { json: { po_number: po } });
      for (let line = 1; line <= linesEach; line += 1) {
        await client.post(`${baseUrl}/carts/${po}/items`, {
          json: { item_sku: `SKU-${line}`, quantity: line },
        });
        await commit(po);
      }
      await commit(po);
      await client.post(`${baseUrl}/orders`, { json: { po_number: po } });
      await commit(po);
      await commit(po);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  const rate = pos / ((performance.now() - begin) / 1000);
  await pool.query('drop table skeleton');
  await pool.end();
  agent.destroy();
  return rate;
};

const load = async (queue: QueueKind, pos: number): Promise<Figure[]> => {
  const system = await startSystem({ queue, service: { poolSize: 20 } });
  const name = `${pos} POs, ${pos * linesEach} lines, queue on ${queue}`;
  if (!system) return [{ name, value: 'skipped: this machine has no redis-server' }];
  const ceiling = await skeleton(system, Math.min(pos, 2000));
  const runtime = await system.openRuntime();
  try {
    const { accounts, logger, jobs } = runtime;
    const file = join(system.folder, 'bench.csv');
    await writePurchaseFile(file, pos, linesEach);
    const begin = performance.now();
    const { importId } = await accounts.get('default').claims.claimCopy(file);
    await readImport({ pool: runtime.ledger.pool, accounts, logger }, importId);
    const worker = await startWorker(runtime);
    await enqueueImport(jobs, importId);
    const states = await untilSettled(runtime);
    const rate = pos / ((performance.now() - begin) / 1000);
    await worker.stop();

    const judge = new pg.Pool({ connectionString: system.databaseUrl, max: 1 });
    const placed = [...(await ordersByPo(judge))].filter(([po]) => po.startsWith('BENCH-'));
    await judge.end();
    return [
      { name: `${name}: rate / skeleton`, value: rate / ceiling, target: '>= 0.5' },
      { name: `${name}: POs a second`, value: rate },
      { name: `${name}: lost`, value: pos - placed.length, target: '= 0' },
      {
        name: `${name}: double`,
        value: placed.filter(([, orders]) => orders.length > 1).length,
        target: '= 0',
      },
      { name: `${name}: ordered`, value: states.ordered ?? 0, target: `= ${pos}` },
    ];
  } finally {
    await runtime.stop();
    await system.stop();
  }
};

/** The whole load without latency, against the bare skeleton of its calls and commits in the same run. */
export const run = async (options: { pos?: number } = {}): Promise<Figure[]> => {
  const { pos = 20_000 } = options;
  return [...(await load('redis', pos)), ...(await load('postgres', pos))];
};
