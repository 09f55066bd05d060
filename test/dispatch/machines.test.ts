import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { runCli } from '../cli/run-cli.ts';
import { createTestDatabase } from '../support/database.ts';
import { ordersByPo } from '../support/read-audit.ts';
import { createSystem, fileOf, type System, somePos, startService, until } from '../support/run-system.ts';

let ledger: Awaited<ReturnType<typeof createTestDatabase>>;
let served: Awaited<ReturnType<typeof createTestDatabase>>;
let service: ListeningService;
let pool: pg.Pool;
let root: string;
let systems: System[];
beforeEach(async () => {
  [ledger, served] = [await createTestDatabase(), await createTestDatabase()];
  service = await startService(served.url, { dealers: [{ name: 'north', token: 'north' }] });
  pool = new pg.Pool({ connectionString: served.url, max: 2 });
  root = await mkdtemp(join(tmpdir(), 'cartwright-machines-'));
  systems = [];
});
afterEach(async () => {
  for (const system of systems) await system.stop();
  await service.stop();
  await pool.end();
  await Promise.all([ledger.drop(), served.drop()]);
  await rm(root, { recursive: true, force: true });
});

/** A machine: the same configuration and ledger, with its own data folder. */
const machine = async (): Promise<System> => {
  const system = await createSystem({
    ledgerUrl: ledger.url,
    folder: await mkdtemp(join(root, 'machine-')),
    accounts: { north: { baseUrl: service.url, token: 'north' } },
    worker: { sweepEveryMs: 200, leaseMs: 3_000 },
  });
  systems.push(system);
  return system;
};
const cli = (system: System, ...args: string[]) =>
  runCli(args, { cwd: system.folder, env: { DATABASE_URL: ledger.url, TOKEN_0: 'north' } });
const folderOf = (system: System) => system.config.accounts[0]!.folder;
/** Long, because each test starts several processes. */
const limitMs = 240_000;
const onePerPo = async () => [...(await ordersByPo(pool, {})).values()].map((orders) => orders.length);

test(
  'a machine without folders places what the machine with the folders reads, and creates none',
  async () => {
    const [files, orders] = [await machine(), await machine()];
    const worker = await orders.spawn({ roles: ['work'] });
    const watcher = await files.spawn({ roles: ['watch'] });
    const pos = somePos('PO ', 12);
    await files.drop('north', 'orders.csv', fileOf(pos));
    await files.settled(1);
    expect(await onePerPo()).toEqual(Array(pos.size).fill(1));
    await until(async () => (await readdir(join(folderOf(files), 'results'))).length === 1);
    await expect(stat(folderOf(orders))).rejects.toThrow('ENOENT');
    await Promise.all([worker.end(), watcher.end()]);
  },
  limitMs,
);

test(
  'two watchers on one folder take nothing twice',
  async () => {
    const system = await machine();
    const both = [await system.spawn(), await system.spawn()];
    const files = Array.from({ length: 15 }, (_, at) => somePos(`PO ${at}/`, 3));
    await Promise.all(files.map((pos, at) => system.drop('north', `orders-${at}.csv`, fileOf(pos))));
    await system.settled(files.length);
    expect(await onePerPo()).toEqual(Array(3 * files.length).fill(1));
    const { rows } = await system.ledger.query('select state, count(*)::int as n from imports group by 1');
    expect(rows).toEqual([{ state: 'read', n: files.length }]);
    await Promise.all(both.map((worker) => worker.end()));
  },
  limitMs,
);

test(
  'a file on a machine that died is named with its folder, given up, and accepted when it is sent again',
  async () => {
    const [dead, alive] = [await machine(), await machine()];
    const worker = await alive.spawn({ roles: ['work'] });
    const watcher = await dead.spawn({
      roles: ['watch'],
      stops: { 'orders.csv': { at: 'staging', nth: 1, how: 'wait' } },
    });
    const pos = somePos('PO ', 4);
    await dead.drop('north', 'orders.csv', fileOf(pos));
    await watcher.stoppedAt(1);
    await watcher.kill();
    // The dead watcher counts as running until its heartbeat is missed.
    await alive.ledger.query(`update workers set seen_at = '2020-01-01' where places = '{}'`);
    const before = await cli(alive, 'status', '--check');
    expect(before.out).toContain(folderOf(dead));
    expect(before.out).toContain('1 file picked up since');
    expect(before.out).toContain('cartwright use-folder --account north --give-up');

    const used = await cli(alive, 'use-folder', '--account', 'north');
    expect(used.exitCode).toBe(1);
    expect(used.out).toContain('orders.csv');
    const givenUp = await cli(alive, 'use-folder', '--account', 'north', '--give-up');
    expect(givenUp).toMatchObject({ exitCode: 0 });
    expect(givenUp.out).toContain('Given up, nothing in them was ordered: orders.csv');

    const next = await alive.spawn({ roles: ['watch'] });
    await alive.drop('north', 'orders.csv', fileOf(pos));
    await alive.settled(2);
    expect(await onePerPo()).toEqual(Array(pos.size).fill(1));
    const { rows } = await alive.ledger.query('select state, reason_code from imports order by id');
    expect(rows).toEqual([
      { state: 'refused', reason_code: 'given_up' },
      { state: 'read', reason_code: null },
    ]);
    await Promise.all([worker.end(), next.end()]);
  },
  limitMs,
);
