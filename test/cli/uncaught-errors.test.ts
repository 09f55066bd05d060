import { spawn } from 'node:child_process';
import { once } from 'node:events';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtProgram } from '../support/built-program.ts';
import { startService } from '../support/run-system.ts';
import { runCli, startCli } from './run-cli.ts';
import { useCliFolder } from './use-cli-folder.ts';

const cli = useCliFolder();
let pool: pg.Pool;

beforeAll(async () => {
  pool = new pg.Pool({ connectionString: cli.databaseUrl, max: 1 });
});
afterAll(async () => {
  await pool.end();
});

const plant = new URL('./plant.mjs', import.meta.url).href;

test.each(['throw', 'rejection'])(
  'a worker with an error that nothing handles (%s) logs one fatal line, gives its leases back and exits with 4',
  async (kind) => {
    const service = await startService(cli.databaseUrl, {
      faults: [{ kind: 'delay', delayMs: 1500, endpoint: 'addItem', count: 1 }],
    });
    try {
      await cli.write(
        'cartwright.yaml',
        `worker: { lease: 4s }
accounts: { default: { baseUrl: "${service.url}" } }
`,
      );
      const po = `U-${kind}`;
      await cli.write(`${kind}.csv`, `po_number,item_sku,quantity\n${po},SKU-1,2\n`);
      const env = { DATABASE_URL: cli.databaseUrl, PLANT: kind };
      const worker = startCli(['work'], {
        cwd: cli.folder,
        env: { ...env, NODE_OPTIONS: `--import=${plant}` },
      });
      await worker.printed('Working.');
      await runCli(['import', `${kind}.csv`], { cwd: cli.folder, env });
      // Wait until a PO's call is in flight.
      await expect
        .poll(async () => (await fetch(`${service.url}/carts/${po}`)).status, { timeout: 30_000 })
        .toBe(200);
      worker.child.kill('SIGUSR2');
      const { exitCode, err } = await worker.ended;
      expect(exitCode).toBe(4);
      const fatal = err.split('\n').filter((line) => line.includes('"level":60'));
      expect(fatal).toHaveLength(1);
      expect(JSON.parse(fatal[0]!)).toMatchObject({ err: { message: 'a planted defect' } });
      // Another worker can continue its job at once.
      const { rows } = await pool.query(
        'select count(*)::int as leased from cartwright.purchase_orders where lease_owner is not null',
      );
      expect(rows[0].leased).toBe(0);
    } finally {
      await service.stop();
    }
  },
);

test('a command with an uncaught error reports it and exits with 4', async () => {
  const service = await startService(cli.databaseUrl, {
    faults: [{ kind: 'hang-before', endpoint: 'createCart', count: 1 }],
  });
  try {
    await cli.write(
      'cartwright.yaml',
      `accounts: { default: { baseUrl: "${service.url}", requestTimeout: 2s } }\n`,
    );
    await cli.write('task.csv', 'po_number,item_sku,quantity\nT-task,SKU-1,2\n');
    const waiting = startCli(['import', '--wait', 'task.csv'], {
      cwd: cli.folder,
      env: { DATABASE_URL: cli.databaseUrl, NODE_OPTIONS: `--import=${plant}` },
    });
    const taken = async () =>
      (await pool.query(`select from cartwright.intents where outcome is null`).catch(() => undefined))
        ?.rowCount ?? 0;
    await expect.poll(taken, { timeout: 30_000 }).toBe(1);
    waiting.child.kill('SIGUSR2');
    const { exitCode, err } = await waiting.ended;
    expect(exitCode).toBe(4);
    expect(err).toContain('Unexpected error: a planted defect');
  } finally {
    await service.stop();
  }
});

test('a process that cannot stop after such an error exits at its deadline, with 4 and one report', async () => {
  const child = spawn(process.execPath, [builtProgram('test/cli/never-stops.ts')]);
  let output = '';
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const [exitCode] = await once(child, 'close');
  expect([exitCode, output]).toEqual([4, 'reported: the first one\n']);
});
