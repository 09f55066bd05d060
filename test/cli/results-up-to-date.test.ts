import { chmod, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { startService } from '../support/run-system.ts';
import { runCli } from './run-cli.ts';

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

test('result files, also of a PO that came again, say what the ledger says after each command; no worker runs', async () => {
  const service = await startService(database.url);
  try {
    await writeFile(
      join(folder, 'cartwright.yaml'),
      `dataFolder: .
accounts: { default: { baseUrl: "${service.url}", folder: shop, guards: { orderTotal: 0.01 } } }
`,
    );
    await writeFile(join(folder, 'one.csv'), 'po_number,item_sku,quantity\nR-1,SKU-1,2\n');
    await writeFile(join(folder, 'again.csv'), 'item_sku,po_number,quantity\nSKU-1,R-1,2\n');
    const run = async (...args: string[]) => {
      const ended = await runCli(args, { cwd: folder, env: { DATABASE_URL: database.url } });
      expect(ended.err).not.toContain('This should not happen');
      return ended;
    };
    const results = async () => {
      const names = (await readdir(join(folder, 'shop/results'))).sort();
      return Promise.all(
        names.map(async (name) => {
          const [head, row] = (await readFile(join(folder, 'shop/results', name), 'utf8')).split(/\r?\n/);
          const at = head!.split(',').indexOf('Cartwright: PO state');
          expect(row).toMatch(/\d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
          return `${name.split('.')[0]} ${row!.split(',')[at]}`;
        }),
      );
    };
    await run('import', '--wait', 'one.csv');
    await run('import', '--wait', 'again.csv');
    expect(await results()).toEqual(['again held', 'one held']);
    await run('release', 'R-1', '--yes');
    // The first file once more: what waits for its PO places it.
    await writeFile(join(folder, 'more.csv'), 'po_number,item_sku,quantity\nR-2,SKU-1,2\n');
    await run('import', '--wait', 'more.csv');
    await expect
      .poll(async () => (await fetch(`${service.url}/orders/R-1`)).status, { timeout: 30_000 })
      .toBe(200);
    await run('report');
    expect(await results()).toEqual(['again ordered', 'more held', 'one ordered']);
    await service.clock.advance(30 * 86_400_000);
    await run('poll');
    expect(await results()).toEqual(['again closed', 'more held', 'one closed']);
    await run('cancel', 'R-2', '--yes');
    const status = JSON.parse((await run('status', 'R-1', '--json')).out).purchaseOrders;
    expect(status).toMatchObject([{ state: 'closed' }]);
  } finally {
    await service.stop();
  }
}, 240_000);
