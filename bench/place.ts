import { join } from 'node:path';
import { enqueueImport } from '../src/dispatch/next-work.ts';
import { readImport } from '../src/worker/read-import.ts';
import { startWorker } from '../src/worker/start-worker.ts';
import { loneCallMs, placeBare } from './support/bare-calls.ts';
import type { Figure } from './support/figures.ts';
import { type QueueKind, startSystem, untilSettled, writePurchaseFile } from './support/system.ts';

/** The time of a single call. */
const callMs = 50;

/**
 * The latency to configure at the service so that a call alone takes `callMs`, including the work and the network.
 * Measured with nearly that latency, because a machine serves a call more slowly after it has been idle.
 */
const latencyFor = async (queue: QueueKind): Promise<number> => {
  const latencyMs = 45;
  const system = await startSystem({ queue, service: { latencyMs } });
  if (!system) return latencyMs;
  try {
    const loneMs = await loneCallMs(system.config.accounts[0]!.api!.baseUrl, 20);
    return Math.round(latencyMs + callMs - loneMs);
  } finally {
    await system.stop();
  }
};

/**
 * Places POs with the whole worker at a service where a call alone takes 50 ms, and compares the wall time with the
 * ideal: calls made x 50 ms / calls in flight. Before that, got alone makes the same calls with a commit after each:
 * this is the most that the machine's CPU allows.
 */
const place = async (queue: QueueKind, pos: number, inFlight: number): Promise<Figure[]> => {
  const system = await startSystem({
    queue,
    service: { latencyMs: await latencyFor(queue), poolSize: 20 },
    account: { inFlight },
    // POs between two calls have none in flight, so more POs than calls are needed to keep the number of calls up.
    worker: { placesAtOnce: Math.ceil(inFlight * 1.5) },
  });
  const name = `place ${pos} POs x 5 lines, ${inFlight} in flight, queue on ${queue}`;
  if (!system) return [{ name, value: 'skipped: this machine has no redis-server' }];
  const runtime = await system.openRuntime();
  try {
    const account = runtime.accounts.get('default');
    const { baseUrl } = account.account.api!;
    const loneMs = await loneCallMs(baseUrl, 20);
    const { databaseUrl } = system;
    const cpuBefore = process.cpuUsage();
    const bare = await placeBare({ databaseUrl, baseUrl, pos: pos / 5, atOnce: inFlight, lookups: 'all' });
    const bareCpu = process.cpuUsage(cpuBefore);
    const bareRatio = bare.wallMs / ((bare.calls * callMs) / inFlight);
    const file = join(system.folder, 'bench.csv');
    await writePurchaseFile(file, pos, 5);
    const { importId } = await account.claims.claimCopy(file);
    const { pool } = runtime.ledger;
    await readImport({ pool, accounts: runtime.accounts, logger: runtime.logger }, importId);

    const worker = await startWorker(runtime);
    const before = { calls: account.callsStarted(), cpu: process.cpuUsage(), at: performance.now() };
    await enqueueImport(runtime.jobs, importId);
    const states = await untilSettled(runtime);
    const wallMs = performance.now() - before.at;
    const cpu = process.cpuUsage(before.cpu);
    const calls = account.callsStarted() - before.calls;
    const idealMs = (calls * callMs) / inFlight;
    await worker.stop();
    const limit = inFlight > 32 ? 1.35 : queue === 'redis' ? 1.1 : 1.15;
    return [
      { name: `${name}: wall / ideal`, value: wallMs / idealMs, target: `<= ${limit}` },
      {
        name: `${name}: worker CPU per PO`,
        value: (cpu.user + cpu.system) / 1000 / pos,
        unit: 'ms',
        target: '<= 7',
      },
      { name: `${name}: ordered`, value: states.ordered ?? 0, target: `= ${pos}` },
      { name: `${name}: calls per PO`, value: calls / pos },
      { name: `${name}: one call alone`, value: loneMs, unit: 'ms' },
      { name: `${name}: the same calls by got alone, a commit after each: wall / ideal`, value: bareRatio },
      {
        name: `${name}: worker CPU per call / got alone, with its commit`,
        value: (cpu.user + cpu.system) / calls / ((bareCpu.user + bareCpu.system) / bare.calls),
        target: '<= 1.5',
      },
      { name: `${name}: wall / wall of got alone`, value: wallMs / idealMs / bareRatio },
    ];
  } finally {
    await runtime.stop();
    await system.stop();
  }
};

/**
 * @param options.pos POs to place
 * @param options.only 0 to 2: runs only this part
 */
export const run = async (options: { pos?: number; only?: number | string } = {}): Promise<Figure[]> => {
  const { pos = 10_000, only } = options;
  const figures: Figure[] = [];
  const kinds = [
    ['redis', 32],
    ['postgres', 32],
    ['redis', 128],
  ] as const;
  for (const [queue, inFlight] of only === undefined ? kinds : [kinds[Number(only)]!]) {
    figures.push(...(await place(queue, pos, inFlight)));
  }
  return figures;
};
