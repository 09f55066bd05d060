import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect } from 'vitest';
import { type RunningCli, runCli, startCli } from '../cli/run-cli.ts';
import { createTestDatabase } from '../support/database.ts';
import { ordersByPo } from '../support/read-audit.ts';
import { fileOf, somePos, startService, until } from '../support/run-system.ts';

export interface Engines {
  databaseUrl: string;
  /** Undefined: the queue is on Postgres. */
  redisUrl?: string | undefined;
  env?: Record<string, string>;
}

export interface Ordering {
  up: RunningCli;
  folder: string;
  env: Record<string, string | undefined>;
  /** How many POs have an order at the service. */
  ordered(): Promise<number>;
}

/**
 * The contract of all engines: `cartwright up` takes a file of 24 POs from the inbox, each PO becomes exactly one order
 * with its quantities, the result file names the orders, `poll` and `report` list them, and SIGTERM ends it with exit code
 * 0. The service and its audit log, which is the judge, are in the test run's own Postgres.
 *
 * @param during runs while POs are placed
 * @returns everything that the program printed and logged
 */
export const orderThrough = async (
  engines: Engines,
  during?: (ordering: Ordering) => Promise<void>,
  { pos: count = 24, latencyMs = 20 } = {},
): Promise<string> => {
  const served = await createTestDatabase();
  const audit = new pg.Pool({ connectionString: served.url, max: 2 });
  audit.on('error', () => {});
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-engines-'));
  const service = await startService(served.url, { latencyMs });
  const env = { DATABASE_URL: engines.databaseUrl, REDIS_URL: engines.redisUrl, ...engines.env };
  let up: RunningCli | undefined;
  let heard = '';
  try {
    await writeFile(
      join(folder, 'cartwright.yaml'),
      JSON.stringify({
        dataFolder: folder,
        console: { port: 0 },
        worker: { lease: '3s' },
        accounts: {
          default: {
            baseUrl: service.url,
            folder: join(folder, 'shop'),
            fileSettle: '100ms',
            reportFormats: ['csv'],
            requestTimeout: '1s',
          },
        },
      }),
    );
    up = startCli(['up'], { cwd: folder, env });
    await up.printed('Press Ctrl-C to stop.');
    const pos = somePos('E-', count);
    await mkdir(join(folder, 'shop', 'inbox'), { recursive: true });
    await writeFile(join(folder, '.file'), fileOf(pos));
    await rename(join(folder, '.file'), join(folder, 'shop', 'inbox', 'night.csv'));

    const ordered = async () => (await ordersByPo(audit)).size;
    await during?.({ up, folder, env, ordered });
    const result = async () => {
      const names = await readdir(join(folder, 'shop', 'results'));
      const name = names.find((one) => one.endsWith('.csv'));
      return name === undefined ? '' : readFile(join(folder, 'shop', 'results', name), 'utf8');
    };
    await until(async () => (await ordered()) >= count, {
      limitMs: 120_000,
      describe: async () => `${await ordered()} of ${count} ordered`,
    });
    const orders = await ordersByPo(audit);
    for (const [poNumber, quantities] of pos) {
      const placed = orders.get(poNumber) ?? [];
      expect(placed.map((order) => order.quantities)).toEqual([quantities]);
    }
    expect(orders.size).toBe(count);
    const all = [...orders.values()].flat().map(({ orderNumber }) => orderNumber);
    await until(
      async () => {
        const text = await result().catch(() => '');
        return all.every((number) => text.includes(number));
      },
      { limitMs: 90_000, describe: result },
    );

    const polled = await runCli(['poll'], { cwd: folder, env });
    expect(polled, polled.err).toMatchObject({ exitCode: 0 });
    const reported = await runCli(['report', '--json'], { cwd: folder, env });
    expect(reported, reported.err).toMatchObject({ exitCode: 0 });
    const { reportPath } = JSON.parse(reported.out).accounts[0];
    const report = await readFile(join(folder, 'shop', reportPath), 'utf8');
    for (const number of all) expect(report).toContain(number);
    up.child.kill('SIGTERM');
    const ended = await up.ended;
    heard = `${ended.out}${ended.err}${polled.out}${polled.err}${reported.out}${reported.err}`;
    expect(ended.exitCode, heard).toBe(0);
    return heard;
  } catch (error) {
    up?.child.kill('SIGKILL');
    const ended = await up?.ended;
    throw new Error(`${(error as Error).message}\n${ended?.out}\n${ended?.err}`.slice(0, 20_000), {
      cause: error,
    });
  } finally {
    if (up && up.child.exitCode === null) up.child.kill('SIGKILL');
    await service.stop();
    await audit.end();
    await served.drop();
    await rm(folder, { recursive: true, force: true });
  }
};
