import { expect, test } from 'vitest';
import { startService } from '../support/run-system.ts';
import { useCliFolder } from './use-cli-folder.ts';

const cli = useCliFolder();

test('cancel --import asks for confirmation, cancels what can be cancelled, and explains the rest in one line', async () => {
  const service = await startService(cli.databaseUrl);
  try {
    await cli.write(
      'cartwright.yaml',
      `dataFolder: .\naccounts: { default: { baseUrl: "${service.url}" } }\n`,
    );
    const ordered = Array.from({ length: 7 }, (_, at) => `C-${at + 1},SKU-1,1,`);
    const held = ['C-8,SKU-1,1,0.01', 'C-9,SKU-1,1,0.01'];
    await cli.write(
      'mixed.csv',
      `po_number,item_sku,quantity,expected_price\n${[...ordered, ...held].join('\n')}\n`,
    );
    await cli.run('import', '--wait', 'mixed.csv');

    const asked = await cli.run('cancel', '--import', '1');
    expect(asked.exitCode).toBe(2);
    expect(asked.err).toContain('--yes to cancel 2 POs.');
    expect(asked.out).not.toMatch(/C-1 .*ordered/);
    expect(asked.out).toContain(
      '7 POs stay as they are (C-1, C-2, C-3, C-4, C-5, …): each is ordered; only a PO that was not submitted can be cancelled.',
    );

    const done = await cli.run('cancel', '--import', '1', '--yes');
    expect(done.exitCode).toBe(1);
    expect(done.out).toContain(
      'Cancelling 2 POs: C-8, C-9. A worker deletes their carts first. No worker that places POs of default is running. Start one with `cartwright up`.',
    );

    const other = await cli.run('release', '--reason', 'bogus', '--yes');
    expect(other.out).toContain('has the reason code bogus. ');
    const unmatched = await cli.run('cancel', 'C-2', 'C-none', '--yes');
    expect(unmatched.exitCode).toBe(1);
    expect(unmatched.out).toContain('PO C-2 stays as it is: it is ordered;');
    expect(unmatched.out).toContain('PO C-none was not found.');

    // One PO is now closed: the answer suggests no action that it would refuse.
    await service.clock.advance(30 * 86_400_000);
    await cli.run('poll');
    const closed = await cli.run('cancel', 'C-1', '--yes', '--json');
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

test('settle --import is about the POs of a file and its rows that belong to no PO, and so is what takes it back', async () => {
  const service = await startService(cli.databaseUrl);
  try {
    await cli.write(
      'cartwright.yaml',
      `dataFolder: .\naccounts: { default: { baseUrl: "${service.url}" } }\n`,
    );
    await cli.write('rows.csv', 'po_number,item_sku,quantity\n,SKU-1,1\nS-1,,1\n');
    await cli.run('import', '--wait', 'rows.csv');
    const status = async () => (await cli.run('status')).out.replace(/\s+/g, ' ');
    const importId = /settle --import (\d+)/.exec(await status())?.[1] ?? '';
    const settle = (action = 'settle') => cli.run(action, '--import', importId, '--yes');
    const rows = 'the rows that belong to no PO, of rows.csv';
    expect(await status()).toContain('1 of its rows belongs to no PO');
    await cli.write('rows.csv', 'po_number,item_sku,quantity\nS-9,SKU-9,1\n');
    await cli.run('import', '--wait', 'rows.csv');
    expect(await status(), 'another order under the same name').toContain(`settle --import ${importId}`);
    const settled = await settle();
    expect(settled.out).toContain(`Marked ${rows} as not needed.`);
    expect(settled.out).toContain('Marked 1 PO as not needed: S-1.');
    expect(await settle()).toMatchObject({
      exitCode: 1,
      out: expect.stringContaining('are settled already'),
    });
    expect(await status()).not.toContain('settle --import');
    const back = await settle('unsettle');
    expect(back.out).toContain('S-1');
    expect(back.out).toContain(rows);
    expect(await status()).toContain(`settle --import ${importId}`);
  } finally {
    await service.stop();
  }
});
