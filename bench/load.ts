import { join } from 'node:path';
import pg from 'pg';
import { enqueueImport } from '../src/dispatch/next-work.ts';
import { readImport } from '../src/worker/read-import.ts';
import { startWorker } from '../src/worker/start-worker.ts';
import { ordersByPo } from '../test/support/read-audit.ts';
import { placeBare } from './support/bare-calls.ts';
import type { Figure } from './support/figures.ts';
import { type QueueKind, startSystem, untilSettled, writePurchaseFile } from './support/system.ts';

const atOnce = 32;
const linesEach = 5;

const load = async (queue: QueueKind, pos: number): Promise<Figure[]> => {
  const system = await startSystem({ queue, service: { poolSize: 20 } });
  const name = `${pos} POs, ${pos * linesEach} lines, queue on ${queue}`;
  if (!system) return [{ name, value: 'skipped: this machine has no redis-server' }];
  const bare = Math.min(pos, 2000);
  const { wallMs } = await placeBare({
    databaseUrl: system.databaseUrl,
    baseUrl: system.config.accounts[0]!.api!.baseUrl,
    pos: bare,
    atOnce,
    lookups: 'one',
    moreCommits: 2,
  });
  const ceiling = bare / (wallMs / 1000);
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
      { name: `${name}: POs per second`, value: rate },
      { name: `${name}: lost`, value: pos - placed.length, target: '= 0' },
      {
        name: `${name}: ordered twice`,
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

/** The whole load without latency, compared with only its calls and commits in the same run. */
export const run = async (options: { pos?: number } = {}): Promise<Figure[]> => {
  const { pos = 20_000 } = options;
  return [...(await load('redis', pos)), ...(await load('postgres', pos))];
};
