import { join } from 'node:path';
import { enqueueImport } from '../src/dispatch/next-work.ts';
import { readImport } from '../src/worker/read-import.ts';
import { startWorker } from '../src/worker/start-worker.ts';
import { addLinesMs, loneCallMs } from './support/bare-calls.ts';
import type { Figure } from './support/figures.ts';
import { startSystem, untilSettled, writePurchaseFile } from './support/system.ts';

/** The configured latency. The ideal uses the measured time of a single call. */
const latencyMs = 50;

/**
 * Places one long PO with the whole worker, and compares the wall time with the ideal: its lines x the time of one call /
 * lines in flight, plus the other calls one after the other.
 */
const place = async (lines: number, linesInFlight: number): Promise<Figure[]> => {
  const system = await startSystem({
    queue: 'postgres',
    service: { latencyMs, poolSize: 20, maxItemsPerCart: 5000 },
    account: { linesInFlight },
  });
  const runtime = await system!.openRuntime();
  try {
    const account = runtime.accounts.get('default');
    const loneMs = await loneCallMs(account.account.api!.baseUrl, 40);
    const bareMs = (await addLinesMs(account.account.api!.baseUrl, lines / 5, linesInFlight)) * 5;
    const file = join(system!.folder, 'bench.csv');
    await writePurchaseFile(file, 1, lines);
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
    await worker.stop();
    const idealMs = loneMs * (lines / linesInFlight + calls - lines);
    const name = `a PO of ${lines} lines, ${linesInFlight} in flight`;
    return [
      { name: `${name}: wall / ideal`, value: wallMs / idealMs, target: '<= 1.15' },
      { name: `${name}: wall / the same lines by got alone`, value: wallMs / bareMs },
      { name: `${name}: wall`, value: wallMs / 1000, unit: 's' },
      { name: `${name}: worker CPU`, value: (cpu.user + cpu.system) / 1e6, unit: 's' },
      { name: `${name}: calls`, value: calls },
      { name: `${name}: ordered`, value: states.ordered ?? 0, target: '= 1' },
      { name: `${name}: one call alone`, value: loneMs, unit: 'ms' },
    ];
  } finally {
    await runtime.stop();
    await system!.stop();
  }
};

/** @param options.lines number of lines of the PO */
export const run = async ({ lines = 2000 }: { lines?: number } = {}): Promise<Figure[]> => [
  ...(await place(lines, 1)),
  ...(await place(lines, 8)),
];
