import { once } from 'node:events';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { enqueueImport } from '../src/dispatch/next-work.ts';
import { readImport } from '../src/worker/read-import.ts';
import type { Figure } from './support/figures.ts';
import { forkSibling, startSystem, untilSettled, writePurchaseFile } from './support/system.ts';

const inFlightEach = 32;

interface Rate {
  posPerSecond: number;
  /** The share of all cores that was busy with service, databases and workers. */
  cpuUsed: number;
}

const cpuTimes = () => {
  const times = cpus().map((cpu) => cpu.times);
  const idle = times.reduce((sum, time) => sum + time.idle, 0);
  const all = times.reduce((sum, { user, nice, sys, idle, irq }) => sum + user + nice + sys + idle + irq, 0);
  return { idle, all };
};

/** The rate of several worker processes with 32 calls in flight each; undefined without a redis-server. */
const measure = async (processes: number, pos: number, latencyMs: number): Promise<Rate | undefined> => {
  const system = await startSystem({
    queue: 'redis',
    service: { latencyMs, poolSize: 30 },
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
    const before = { at: performance.now(), cpu: cpuTimes() };
    await enqueueImport(jobs, importId);
    await untilSettled(runtime);
    const seconds = (performance.now() - before.at) / 1000;
    const cpu = cpuTimes();
    const cpuUsed = 1 - (cpu.idle - before.cpu.idle) / (cpu.all - before.cpu.all);
    return { posPerSecond: pos / seconds, cpuUsed };
  } finally {
    for (const worker of workers) worker.disconnect();
    await Promise.all(workers.map((worker) => worker.exitCode ?? once(worker, 'exit')));
    await runtime.stop();
    await system.stop();
  }
};

/**
 * Growth of throughput with the number of worker processes, compared with linear growth: at 50 ms per call, and at 200 ms,
 * where the same number of calls in flight needs less CPU.
 *
 * @param options.posEach POs for each process at 50 ms per call; a third of them at 200 ms
 */
export const run = async (options: { posEach?: number } = {}): Promise<Figure[]> => {
  const { posEach = 1500 } = options;
  const figures: Figure[] = [];
  for (const [latencyMs, pos] of [
    [50, posEach],
    [200, posEach / 3],
  ] as const) {
    const one = await measure(1, pos, latencyMs);
    if (!one) return [{ name: 'workers', value: 'skipped: this machine has no redis-server' }];
    const at = `at ${latencyMs} ms per call`;
    figures.push({ name: `1 process ${at}: POs per second`, value: one.posPerSecond });
    figures.push({ name: `1 process ${at}: CPU of the machine used`, value: one.cpuUsed });
    for (const processes of [2, 4]) {
      const many = (await measure(processes, pos * processes, latencyMs))!;
      // Growth can be linear only while the machine has enough CPU.
      const cpuNeeded = one.cpuUsed * processes;
      figures.push({
        name: `${processes} processes ${at}: share of linear growth`,
        value: many.posPerSecond / one.posPerSecond / processes,
        target:
          cpuNeeded <= 1
            ? '>= 0.9'
            : `none: linear growth needs ${cpuNeeded.toFixed(2)} x this machine's CPU`,
      });
      figures.push({ name: `${processes} processes ${at}: CPU of the machine used`, value: many.cpuUsed });
    }
  }
  return figures;
};
