import { expect, test } from 'vitest';
import { startService } from '../support/run-system.ts';
import { useCliFolder } from './use-cli-folder.ts';

const cli = useCliFolder();

test('Ctrl-C twice quits immediately while a call hangs, and the next start continues the work', async () => {
  const service = await startService(cli.databaseUrl, {
    faults: [{ kind: 'hang-before', endpoint: 'addItem', count: 1 }],
  });
  try {
    // Short times, so that the next start need not wait long for late effects of the first run.
    await cli.write(
      'cartwright.yaml',
      `worker: { lease: 2s }
accounts: { default: { baseUrl: "${service.url}", requestTimeout: 2s } }
`,
    );
    await cli.write('one.csv', 'po_number,item_sku,quantity\nS-1,SKU-1,2\n');
    const waiting = cli.start(['import', '--wait', 'one.csv']);
    const count = async () => (await fetch(`${service.url}/carts/S-1`)).status;
    await expect.poll(count, { timeout: 30_000 }).toBe(200);
    waiting.child.kill('SIGINT');
    await waiting.printed('Press Ctrl-C again to quit immediately');
    waiting.child.kill('SIGINT');
    expect((await waiting.ended).exitCode).toBe(130);

    const worker = cli.start(['work']);
    const ordered = async () => (await fetch(`${service.url}/orders/S-1`)).status;
    await expect.poll(ordered, { timeout: 45_000 }).toBe(200);
    worker.child.kill('SIGTERM');
    expect((await worker.ended).exitCode).toBe(0);
    const [po] = JSON.parse((await cli.run('status', 'S-1', '--json')).out).purchaseOrders;
    expect(po.orders).toHaveLength(1);
  } finally {
    await service.stop();
  }
});

test('a reader that closes a pipe early causes no failure', async () => {
  const help = cli.start(['--help']);
  help.child.stdout?.destroy();
  expect((await help.ended).err).toBe('');
});
