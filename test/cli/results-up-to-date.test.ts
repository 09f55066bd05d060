import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createPool } from '../../src/ledger/pool.ts';
import { silentLogger } from '../../src/logger.ts';
import { insertImport } from '../support/ledger-rows.ts';
import { startService } from '../support/run-system.ts';
import { useCliFolder } from './use-cli-folder.ts';

const cli = useCliFolder();

test('without a worker, result files match the ledger after each command, also those of a repeated PO', async () => {
  const service = await startService(cli.databaseUrl);
  try {
    await cli.write(
      'cartwright.yaml',
      `dataFolder: .
accounts: { default: { baseUrl: "${service.url}", folder: shop, guards: { orderTotal: 0.01 } } }
`,
    );
    await cli.write('one.csv', 'po_number,item_sku,quantity\nR-1,SKU-1,2\n');
    await cli.write('again.csv', 'item_sku,po_number,quantity\nSKU-1,R-1,2\n');
    const run = async (...args: string[]) => {
      const ended = await cli.run(...args);
      expect(ended.err).not.toContain('Unexpected error');
      return ended;
    };
    const results = async () => {
      const names = (await readdir(join(cli.folder, 'shop/results'))).sort();
      return Promise.all(
        names.map(async (name) => {
          const [head, row] = (await readFile(join(cli.folder, 'shop/results', name), 'utf8')).split(/\r?\n/);
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
    // The command that waits for this file also places the released PO.
    await cli.write('more.csv', 'po_number,item_sku,quantity\nR-2,SKU-1,2\n');
    await run('import', '--wait', 'more.csv');
    await expect
      .poll(async () => (await fetch(`${service.url}/orders/R-1`)).status, { timeout: 30_000 })
      .toBe(200);
    await run('report');
    expect(await results()).toEqual(['again ordered', 'more held', 'one ordered']);
    await service.clock.advance(30 * 86_400_000);
    await run('poll');
    expect(await results()).toEqual(['again complete', 'more held', 'one complete']);
    await run('cancel', 'R-2', '--yes');
    await cli.write('wrong.csv', 'po_number,item_sku,quantity\nR-3,SKU-1,two\n');
    await run('import', '--wait', 'wrong.csv');
    const status = async () =>
      JSON.parse((await run('status', '--json')).out).accounts.map(
        ({ states, notNeeded }: { states: { rejected?: number }; notNeeded: number }) => [
          states.rejected,
          notNeeded,
        ],
      );
    expect(await status()).toEqual([[1, 0]]);
    expect((await run('settle', 'R-3', '--note', 'not wanted', '--yes')).out).toContain(
      'Marked 1 PO as not needed: R-3.',
    );
    expect(await status()).toEqual([[0, 1]]);
    expect((await run('status', 'R-3')).out).toContain('a person says that it is not needed');
    expect((await run('settle', 'R-3', '--yes')).out).toContain('all of them are settled');
    expect((await run('cancel', 'R-3', '--yes')).out).toContain('say that it is not needed instead');
    expect((await run('unsettle', 'R-3', '--yes')).out).toContain('Marked 1 PO as needed again: R-3.');
    expect(await status()).toEqual([[1, 0]]);
    const pool = createPool(cli.databaseUrl, { max: 1, logger: silentLogger });
    const importId = await insertImport(pool, { file_name: 'refused.csv', state: 'refused' });
    await pool.end();
    const file = await run('settle', '--import', importId, '--yes');
    expect([file.exitCode, file.out.trim()]).toEqual([
      0,
      'Marked the refused file refused.csv as not needed.',
    ]);
    const closed = JSON.parse((await run('status', 'R-1', '--json')).out).purchaseOrders;
    expect(closed).toMatchObject([{ state: 'closed' }]);
  } finally {
    await service.stop();
  }
}, 240_000);
