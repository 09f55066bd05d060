import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { ordersByPo } from '../../src/service/read-audit.ts';
import { createTestDatabase } from '../support/database.ts';
import { fileOf, somePos, startService, until } from '../support/run-system.ts';
import { runCli, startCli } from './run-cli.ts';

let folder: string;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let service: ListeningService;
let ledger: pg.Pool;
let env: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright-cli-'));
  database = await createTestDatabase();
  service = await startService(database.url, { latencyMs: 40 });
  ledger = new pg.Pool({ connectionString: database.url, max: 1, options: '-c search_path=cartwright' });
  env = { DATABASE_URL: database.url };
  await writeFile(
    join(folder, 'cartwright.yaml'),
    JSON.stringify({
      worker: { lease: '2s', sweepEvery: '1s' },
      accounts: {
        default: { baseUrl: service.url, requestTimeout: '500ms', settle: '1100ms', inFlight: 2 },
      },
    }),
  );
});
afterAll(async () => {
  await ledger.end();
  await service.stop();
  await database.drop();
  await rm(folder, { recursive: true, force: true });
});

const placed = async (): Promise<number> =>
  (
    await ledger
      .query(`select count(*)::int as n from purchase_orders where state = 'ordered'`)
      .catch(() => undefined)
  )?.rows[0].n ?? 0;

test('killed with open carts and run again: it waits for all that the file asks for, and exits 0 then', async () => {
  const asked = somePos('K-', 30);
  await writeFile(join(folder, 'orders.csv'), fileOf(asked));
  const first = startCli(['import', '--wait', 'orders.csv'], { cwd: folder, env });
  await until(async () => (await placed()) >= 3, { everyMs: 20 });
  first.child.kill('SIGKILL');
  await first.ended;
  expect(await placed()).toBeLessThan(30);

  const again = await runCli(['import', '--wait', 'orders.csv'], { cwd: folder, env });
  expect(again.exitCode).toBe(0);
  expect(again.out).toContain('30 already imported, no changes (30 ordered)');
  const orders = await ordersByPo(service.pool);
  expect([...orders].map(([poNumber, all]) => [poNumber, all.length]).sort()).toEqual(
    [...asked.keys()].map((poNumber) => [poNumber, 1]).sort(),
  );
});

test('run again where a PO is held or failed: it names it and exits 1', async () => {
  const header = 'po_number,item_sku,quantity,expected_price\n';
  await writeFile(join(folder, 'held.csv'), `${header}H-1,SKU-1,1,0.01\nH-2,SKU-2,2,\n`);
  for (const _ of [1, 2]) {
    const ended = await runCli(['import', '--wait', 'held.csv'], { cwd: folder, env });
    expect(ended.exitCode).toBe(1);
    expect(ended.out).toMatch(/held +H-1 \(row 2\): /);
  }
});
