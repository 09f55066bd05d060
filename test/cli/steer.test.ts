import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
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

test('cancel --import asks about, counts and cancels what can be cancelled, and says in a line why the rest cannot', async () => {
  const service = await startService(database.url);
  try {
    await writeFile(
      join(folder, 'cartwright.yaml'),
      `dataFolder: .\naccounts: { default: { baseUrl: "${service.url}" } }\n`,
    );
    const ordered = Array.from({ length: 7 }, (_, at) => `C-${at + 1},SKU-1,1,`);
    const held = ['C-8,SKU-1,1,0.01', 'C-9,SKU-1,1,0.01'];
    await writeFile(
      join(folder, 'mixed.csv'),
      `po_number,item_sku,quantity,expected_price\n${[...ordered, ...held].join('\n')}\n`,
    );
    const run = (...args: string[]) => runCli(args, { cwd: folder, env: { DATABASE_URL: database.url } });
    await run('import', '--wait', 'mixed.csv');

    const asked = await run('cancel', '--import', '1');
    expect(asked.exitCode).toBe(2);
    expect(asked.err).toContain('cancel 2 POs?');
    expect(asked.out).not.toMatch(/C-1 .*ordered/);
    expect(asked.out).toContain(
      '7 others stay as they are (C-1, C-2, C-3, C-4, C-5, …): it is ordered; only a PO that was not submitted can be cancelled.',
    );

    const done = await run('cancel', '--import', '1', '--yes');
    expect(done.exitCode).toBe(1);
    expect(done.out).toContain('2 POs done');

    // One is closed by now: nothing names an action that it refuses.
    await service.clock.advance(30 * 86_400_000);
    await run('poll');
    const closed = await run('cancel', 'C-1', '--yes', '--json');
    expect(closed.exitCode).toBe(1);
    expect(JSON.parse(closed.out)).toMatchObject({
      results: [
        { poNumber: 'C-1', outcome: { kind: 'not_possible', why: expect.stringContaining('it is closed') } },
      ],
    });
  } finally {
    await service.stop();
  }
}, 240_000);
