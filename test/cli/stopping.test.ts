import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { startService } from '../support/run-system.ts';
import { runCli, startCli } from './run-cli.ts';

let folder: string;
let database: Awaited<ReturnType<typeof createTestDatabase>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright-cli-'));
  await chmod(folder, 0o711);
  database = await createTestDatabase();
});
afterAll(async () => {
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

test('Ctrl-C twice leaves at once while a call hangs, and what was under way goes on at the next start', async () => {
  const service = await startService(database.url, {
    faults: [{ kind: 'hang-before', endpoint: 'addItem', count: 1 }],
  });
  try {
    // Short times, so that the next start need not wait long for what the first one may still do.
    await writeFile(
      join(folder, 'cartwright.yaml'),
      `worker: { lease: 2s, sweepEvery: 1s }
accounts: { default: { baseUrl: "${service.url}", requestTimeout: 2s } }
`,
    );
    await writeFile(join(folder, 'one.csv'), 'po_number,item_sku,quantity\nS-1,SKU-1,2\n');
    const env = { DATABASE_URL: database.url };
    const waiting = startCli(['import', '--wait', 'one.csv'], { cwd: folder, env });
    const count = async () => (await fetch(`${service.url}/carts/S-1`)).status;
    await expect.poll(count, { timeout: 30_000 }).toBe(200);
    waiting.child.kill('SIGINT');
    await waiting.said('Ctrl-C again leaves at once');
    waiting.child.kill('SIGINT');
    expect((await waiting.ended).exitCode).toBe(130);

    const worker = startCli(['work'], { cwd: folder, env });
    const ordered = async () => (await fetch(`${service.url}/orders/S-1`)).status;
    await expect.poll(ordered, { timeout: 45_000 }).toBe(200);
    worker.child.kill('SIGTERM');
    expect((await worker.ended).exitCode).toBe(0);
    const [po] = JSON.parse(
      (await runCli(['status', 'S-1', '--json'], { cwd: folder, env })).out,
    ).purchaseOrders;
    expect(po.orders).toHaveLength(1);
  } finally {
    await service.stop();
  }
});

test('a reader that leaves a pipe early is no failure', async () => {
  const cli = startCli(['--help'], { cwd: folder });
  cli.child.stdout?.destroy();
  expect((await cli.ended).err).toBe('');
});
