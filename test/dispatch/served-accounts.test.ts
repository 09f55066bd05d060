import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { runCli } from '../cli/run-cli.ts';
import { createTestDatabase } from '../support/database.ts';
import { insertImport, insertPurchaseOrder, insertRow } from '../support/ledger-rows.ts';
import { createSystem, fileOf, type System, somePos, startService, until } from '../support/run-system.ts';

let ledger: Awaited<ReturnType<typeof createTestDatabase>>;
let served: Awaited<ReturnType<typeof createTestDatabase>>;
let service: ListeningService;
let folder: string;
let systems: System[];
beforeEach(async () => {
  [ledger, served] = [await createTestDatabase(), await createTestDatabase()];
  service = await startService(served.url, {
    dealers: ['north', 'south'].map((name) => ({ name, token: name })),
  });
  folder = await mkdtemp(join(tmpdir(), 'cartwright-served-'));
  systems = [];
});
afterEach(async () => {
  for (const system of systems) await system.stop();
  await service.stop();
  await Promise.all([ledger.drop(), served.drop()]);
  await rm(folder, { recursive: true, force: true });
});

const create = async (accounts: Record<string, object>): Promise<System> => {
  const system = await createSystem({
    ledgerUrl: ledger.url,
    folder: await mkdtemp(join(folder, 'system-')),
    accounts: Object.fromEntries(
      Object.entries(accounts).map(([name, settings]) => [
        name,
        { baseUrl: service.url, token: name, folder: join(folder, name), ...settings },
      ]),
    ),
    worker: { sweepEveryMs: 200, leaseMs: 3_000 },
  });
  systems.push(system);
  return system;
};

const statesOf = async (system: System) => {
  const { rows } = await system.ledger.query(
    `select account, state, count(*)::int as n, count(lease_owner)::int as leased
     from purchase_orders group by 1, 2 order by 1, 2`,
  );
  return rows;
};
const status = (system: System, ...args: string[]) =>
  runCli(['status', ...args], { cwd: system.folder, env: { DATABASE_URL: ledger.url, TOKEN_0: 'x' } });
/** A PO N-1 of the account north, of a file whose result is written. */
const addPoOfNorth = async (system: System): Promise<string> => {
  const importId = await insertImport(system.ledger, {
    account: 'north',
    result_due: false,
    result_written_at: new Date(),
  });
  await insertRow(system.ledger, 'lines', {
    import_id: importId,
    row_number: 2,
    po_number: 'N-1',
    item_sku: 'SKU-1',
    quantity: 2,
  });
  return insertPurchaseOrder(system.ledger, importId, 'N-1', { account: 'north' });
};
/** A secret that is not in the environment. */
const noSecret = { token: undefined, auth: { kind: 'bearer', secretEnv: 'NOT_SET_ANYWHERE' } };

describe('a process without an account in its configuration', () => {
  test('takes none of its POs and hands its jobs on; status says why they wait', async () => {
    const south = await create({ south: {} });
    const { runtime } = await south.work();
    const id = await addPoOfNorth(south);
    await runtime.queues.enqueue([
      { name: 'create-cart', data: { purchaseOrderId: id }, key: `${id}/0` },
      { name: 'write-report', data: { account: 'north' } },
    ]);
    await until(async () => (await runtime.queues.liveCount(['create-cart'])) === 0);
    expect(await statesOf(south)).toEqual([{ account: 'north', state: 'ready', n: 1, leased: 0 }]);

    const overview = await status(south);
    expect(overview.out).toContain('The account north is in no configuration');
    expect((await status(south, 'N-1')).out).toContain('The account north is in no configuration');

    // Both have jobs in one queue, and each takes its own.
    const north = await create({ north: {} });
    const { runtime: other } = await north.work();
    await south.drop('south', 'south.csv', fileOf(somePos('S-', 40)));
    await north.drop('north', 'north.csv', fileOf(somePos('NN-', 40)));
    await south.settled(3);
    expect(await statesOf(south)).toEqual([
      { account: 'north', state: 'ordered', n: 41, leased: 0 },
      { account: 'south', state: 'ordered', n: 40, leased: 0 },
    ]);
    await until(async () => {
      const { rows } = await south.ledger.query(
        'select count(*)::int as n from imports where result_written_at is null',
      );
      return rows[0].n === 0;
    });
    expect((await status(south)).out).not.toContain('no configuration');
    for (const { jobs } of [runtime, other]) expect(jobs.placing.accounts()).toHaveLength(1);
  });
});

test('a job that names another account than its PO has is replaced by one that names the right one', async () => {
  const system = await create({ north: {}, south: {} });
  const { runtime } = await system.work();
  const id = await addPoOfNorth(system);
  await runtime.queues.enqueue([
    { name: 'create-cart', data: { purchaseOrderId: id, account: 'south' }, key: `${id}/0` },
  ]);
  await until(async () => (await statesOf(system)).every(({ state }) => state === 'ordered'));
  expect(await statesOf(system)).toEqual([{ account: 'north', state: 'ordered', n: 1, leased: 0 }]);
});

describe('an account that cannot be opened', () => {
  test('without its secret: its files are read, its POs wait, the others work, and it recovers at a restart', async () => {
    const system = await create({ north: {}, south: noSecret });
    const working = await system.work();
    await system.drop('north', 'north.csv', fileOf(somePos('N-', 5)));
    await system.drop('south', 'south.csv', fileOf(somePos('S-', 5)));
    await until(async () => {
      const states = (await statesOf(system)).map(({ account, state, n }) => `${account} ${state} ${n}`);
      return states.join() === 'north ordered 5,south ready 5';
    });
    expect(await statesOf(system)).toContainEqual({ account: 'south', state: 'ready', n: 5, leased: 0 });
    const { exitCode, out } = await status(system);
    expect(exitCode).toBe(0);
    expect(out).toMatch(/south: .*NOT_SET_ANYWHERE/);
    expect(out).not.toMatch(/^north: /m);
    expect((await status(system, 'S-1')).out).toMatch(/Waiting: .*NOT_SET_ANYWHERE/);
    const dry = await runCli(
      ['import', '--dry-run', '--account', 'north', join(folder, 'north/done/north.csv')],
      {
        cwd: system.folder,
        env: { DATABASE_URL: ledger.url },
      },
    );
    expect(dry.out).toContain('5');
    expect(dry.err).toBe('');

    await working.stop();
    const mended = await create({ north: {}, south: {} });
    await mended.work();
    await mended.settled(2);
    expect(await statesOf(mended)).toContainEqual({ account: 'south', state: 'ordered', n: 5, leased: 0 });
    expect((await status(mended)).out).not.toContain('NOT_SET_ANYWHERE');
  });

  test('without its folder: the others work, its files stay in the inbox, and it recovers automatically', async () => {
    await writeFile(join(folder, 'south'), 'a file where the folder should be');
    const system = await create({ south: {}, north: {} });
    await system.work();
    await system.drop('north', 'north.csv', fileOf(somePos('N-', 5)));
    await system.settled(1);
    expect(await statesOf(system)).toEqual([{ account: 'north', state: 'ordered', n: 5, leased: 0 }]);
    expect((await status(system)).out).toMatch(/south: The folder .*south cannot be used/);

    await rm(join(folder, 'south'));
    await system.drop('south', 'south.csv', fileOf(somePos('S-', 5)));
    await system.settled(2);
    expect(await statesOf(system)).toContainEqual({ account: 'south', state: 'ordered', n: 5, leased: 0 });
    await until(async () => !(await status(system)).out.includes('cannot be used'));
  });
});
