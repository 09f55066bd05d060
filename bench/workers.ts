import { once } from 'node:events';
import { join } from 'node:path';
import { readImport } from '../src/cli/read-import.ts';
import { enqueueImport } from '../src/queue/next-work.ts';
import type { Figure } from './support/figures.ts';
import {
  forkSibling,
  type QueueKind,
  startSystem,
  untilSettled,
  writePurchaseFile,
} from './support/system.ts';

const inFlightEach = 32;

/** POs a second with so many worker processes, each with 32 calls in flight, at 50 ms a call. */
const rate = async (queue: QueueKind, processes: number, pos: number): Promise<number | undefined> => {
  const system = await startSystem({
    queue,
    service: { latencyMs: 50, poolSize: 30 },
    account: { inFlight: inFlightEach * processes },
  });
  if (!system) return undefined;
  const runtime = await system.openRuntime();
  const env = {
    DATABASE_URL: system.databaseUrl,
    ...(system.redisUrl ? { REDIS_URL: system.redisUrl } : {}),
  };
  const workers = Array.from({ length: processes }, () =>
    forkSibling('worker-process', [join(system.folder, 'cartwright.yaml')], env),
  );
  try {
    await Promise.all(workers.map((worker) => once(worker, 'message')));
    const file = join(system.folder, 'bench.csv');
    await writePurchaseFile(file, pos, 5);
    const { accounts, logger, jobs } = runtime;
    const { importId } = await accounts.get('default').claims.claimCopy(file);
    await readImport({ pool: runtime.ledger.pool, accounts, logger }, importId);
    const begin = performance.now();
    await enqueueImport(jobs, importId);
    await untilSettled(runtime);
    return pos / ((performance.now() - begin) / 1000);
  } finally {
    for (const worker of workers) worker.disconnect();
    await Promise.all(workers.map((worker) => worker.exitCode ?? once(worker, 'exit')));
    await runtime.stop();
    await system.stop();
  }
};

/** How throughput grows with worker processes, compared with one of them times their number. */
export const run = async (): Promise<Figure[]> => {
  const figures: Figure[] = [];
  const one = await rate('redis', 1, 500);
  if (one === undefined) return [{ name: 'workers', value: 'skipped: this machine has no redis-server' }];
  figures.push({ name: '1 process: POs a second', value: one });
  for (const processes of [2, 4]) {
    const many = (await rate('redis', processes, 500 * processes))!;
    figures.push({ name: `${processes} processes: POs a second`, value: many });
    figures.push({
      name: `${processes} processes: share of linear`,
      value: many / one / processes,
      target: '>= 0.9',
    });
  }
  return figures;
};
