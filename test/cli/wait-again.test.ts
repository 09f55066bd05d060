import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ListeningService } from '../../src/service/listen-service.ts';
import { ordersByPo } from '../support/read-audit.ts';
import { fileOf, somePos, startService, until } from '../support/run-system.ts';
import { useCliFolder } from './use-cli-folder.ts';

const cli = useCliFolder();
let service: ListeningService;
let ledger: pg.Pool;

beforeAll(async () => {
  service = await startService(cli.databaseUrl, { latencyMs: 40 });
  ledger = new pg.Pool({ connectionString: cli.databaseUrl, max: 1, options: '-c search_path=cartwright' });
  await cli.write(
    'cartwright.yaml',
    JSON.stringify({
      worker: { lease: '2s' },
      accounts: {
        default: { baseUrl: service.url, requestTimeout: '500ms', inFlight: 2 },
      },
    }),
  );
});
afterAll(async () => {
  await ledger.end();
  await service.stop();
});

const placed = async (): Promise<number> =>
  (
    await ledger
      .query(`select count(*)::int as n from purchase_orders where state = 'ordered'`)
      .catch(() => undefined)
  )?.rows[0].n ?? 0;

test('import --wait, killed with open carts and run again, waits for all POs of the file and then exits 0', async () => {
  const asked = somePos('K-', 30);
  await cli.write('orders.csv', fileOf(asked));
  const first = cli.start(['import', '--wait', 'orders.csv']);
  await until(async () => (await placed()) >= 3, { everyMs: 20 });
  first.child.kill('SIGKILL');
  await first.ended;
  expect(await placed()).toBeLessThan(30);

  const again = await cli.run('import', '--wait', 'orders.csv');
  expect(again.exitCode).toBe(0);
  expect(again.out).toContain('30 in other files (30 ordered)');
  const orders = await ordersByPo(service.pool);
  expect([...orders].map(([poNumber, all]) => [poNumber, all.length]).sort()).toEqual(
    [...asked.keys()].map((poNumber) => [poNumber, 1]).sort(),
  );
});

test('import --wait, run again for a file with a held or failed PO, names the PO and exits 1', async () => {
  const header = 'po_number,item_sku,quantity,expected_price\n';
  await cli.write('held.csv', `${header}H-1,SKU-1,1,0.01\nH-2,SKU-2,2,\n`);
  for (const _ of [1, 2]) {
    const ended = await cli.run('import', '--wait', 'held.csv');
    expect(ended.exitCode).toBe(1);
    expect(ended.out).toMatch(/held +H-1 \(row 2\): /);
  }
});
