// How much five open pages of the console, which follow the changes, slow down placing: `cartwright up` with its console places files
// alternately without and with open pages. `console-place:500` places 500 POs each time. Compares neighbouring turns, because the speed
// of a shared machine varies by more than the pages cost.
import { once } from 'node:events';
import type pg from 'pg';
import { findFreePort } from '../src/embedded/free-port.ts';
import { createPool } from '../src/ledger/pool.ts';
import { silentLogger } from '../src/logger.ts';
import { addBenchToken } from './support/console-server.ts';
import { type Figure, median } from './support/figures.ts';
import { startScene } from './support/scene.ts';
import { forkSibling } from './support/system.ts';

const limitMs = 300_000;
const pairs = 12;
/** Alternates the order within pairs, so that slowing down with every file affects both equally. */
const turns = Array.from({ length: pairs }, (_, pair) =>
  pair % 2 === 0 ? [false, true] : [true, false],
).flat();

/** The ledger's tables are in a separate schema, which only its own pools find. */
const withLedger = async <T>(databaseUrl: string, work: (pool: pg.Pool) => Promise<T>): Promise<T> => {
  const pool = createPool(databaseUrl, { max: 1, logger: silentLogger });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
};

/** Opens the pages. @returns a function that closes them and returns the number of their reads */
const openPages = async (url: string, token: string): Promise<() => Promise<number>> => {
  const child = forkSibling('live-pages-process', [url, token]);
  await once(child, 'message');
  return async () => {
    child.send('reads');
    const [reads] = (await once(child, 'message')) as [number];
    const ended = once(child, 'exit');
    child.disconnect();
    await ended;
    return reads;
  };
};

export const run = async ({ only }: { only?: string } = {}): Promise<Figure[]> => {
  const pos = Number(only ?? 700);
  const port = await findFreePort();
  const scene = await startScene({
    queue: 'postgres',
    services: { service: { latencyMs: 45, poolSize: 20 } },
    accounts: ({ service }) => ({ north: { baseUrl: service, inFlight: 32 } }),
    consolePort: port,
  });
  if (!scene) throw new Error('The queue on Postgres needs no other program.');
  try {
    const up = await scene.start();
    const token = await withLedger(scene.databaseUrl, addBenchToken);
    const place = async (name: string, count: number) => {
      const before = up.cpuMs();
      await scene.drop('north', name, count, 5);
      const { wallMs, ordered } = await scene.untilPlaced(name, limitMs);
      if (wallMs === undefined || ordered !== count)
        throw new Error(`${ordered} of ${count} POs were ordered`);
      return { wallMs, cpuMs: up.cpuMs() - before };
    };
    await place('WARM', 500);
    const times = { closed: [] as number[], open: [] as number[] };
    const cpu = { closed: [] as number[], open: [] as number[] };
    let reads = 0;
    for (const [at, isOpen] of turns.entries()) {
      const close = isOpen ? await openPages(`http://127.0.0.1:${port}`, token) : undefined;
      const { wallMs, cpuMs } = await place(`TURN${at}`, pos);
      times[isOpen ? 'open' : 'closed'].push(wallMs);
      cpu[isOpen ? 'open' : 'closed'].push(cpuMs);
      reads += (await close?.()) ?? 0;
    }
    const ratios = (measured: typeof times) =>
      measured.open.map((open, pair) => open / measured.closed[pair]!);
    const name = `${pos} POs x 5 lines, 32 in flight`;
    return [
      {
        name: `${name}: wall with five live pages / without, median of ${pairs} pairs`,
        value: median(ratios(times)),
        target: '<= 1.03',
      },
      { name: `${name}: without`, value: median(times.closed) / 1000, unit: 's' },
      {
        name: `${name}: slowest / fastest without pages`,
        value: Math.max(...times.closed) / Math.min(...times.closed),
      },
      {
        name: 'CPU of `cartwright up` with five live pages / without',
        value: median(ratios(cpu)),
      },
      { name: 'answers that the pages read in all', value: reads },
    ];
  } finally {
    await scene.stop();
  }
};
