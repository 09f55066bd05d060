import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ListeningConsole, listenConsole } from '../../src/console/listen-console.ts';
import { beginFeedEra } from '../../src/ledger/feed.ts';
import { toCloudEvent } from '../../src/sync/change.ts';
import { postChanges } from '../../src/sync/post-changes.ts';
import { useConsole } from '../console/use-console.ts';
import { insertImport, insertPurchaseOrder, insertRow } from '../support/ledger-rows.ts';

const program = fileURLToPath(new URL('../../samples/sync/tracking-to-shop.mjs', import.meta.url));
const use = useConsole();
let console: ListeningConsole;
let shop: Server;
let folder: string;
let token: string;
/** The shop's state of each PO. */
const told = new Map<string, unknown>();
/** Called before the shop answers. */
let onTold = (_: number): void => {};
let calls = 0;
let status = 200;

beforeAll(async () => {
  console = await listenConsole(use.deps);
  folder = await mkdtemp(join(tmpdir(), 'cartwright-sample-'));
  token = (await use.withToken('viewer')).authorization.replace('Bearer ', '');
  shop = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    calls += 1;
    onTold(calls);
    if (status === 200) told.set(`${request.method} ${request.url}`, JSON.parse(body));
    response.writeHead(status).end();
  });
  shop.listen(0, '127.0.0.1');
  await once(shop, 'listening');
});
afterAll(async () => {
  shop.closeAllConnections();
  shop.close();
  await console.stop();
  await rm(folder, { recursive: true, force: true });
});

const start = (): ChildProcess =>
  spawn(process.execPath, [program], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: {
      PATH: process.env.PATH,
      CARTWRIGHT_URL: console.url,
      CARTWRIGHT_API_TOKEN: token,
      SHOP_URL: `http://127.0.0.1:${(shop.address() as AddressInfo).port}`,
      CURSOR_FILE: join(folder, 'cursor.txt'),
    },
  });
const run = async (): Promise<{ code: number | null; errors: string }> => {
  const child = start();
  let errors = '';
  child.stderr!.on('data', (chunk) => {
    errors += chunk;
  });
  const [code] = await once(child, 'exit');
  return { code, errors };
};
const ship = async (poNumber: string): Promise<void> => {
  const { pool } = use.deps;
  const importId = await insertImport(pool, { account: 'north' });
  const id = await insertPurchaseOrder(pool, importId, poNumber, { account: 'north', state: 'ordered' });
  const order = {
    account: 'north',
    purchase_order_id: id,
    po_number: poNumber,
    order_number: `S-${poNumber}`,
  };
  await insertRow(pool, 'orders', order);
  await pool.query(`update orders set tracking_numbers = array['1Z' || $2] where purchase_order_id = $1`, [
    id,
    poNumber,
  ]);
};
const numbersOf = (po: string) => told.get(`PUT /orders/${encodeURIComponent(po)}/tracking`);

it('the shop has every tracking number, although the program is killed in between and the shop fails for a while', async () => {
  for (let n = 1; n <= 8; n += 1) await ship(`N/${n}`);
  const killed = start();
  onTold = (count) => count === 3 && killed.kill('SIGKILL');
  await once(killed, 'exit');
  status = 500;
  expect(await run()).toMatchObject({
    code: 1,
    errors: expect.stringContaining('The shop answered 500 for PO N/1.'),
  });
  status = 200;
  expect(await run()).toEqual({ code: 0, errors: '' });
  for (let n = 1; n <= 8; n += 1)
    expect(numbersOf(`N/${n}`)).toEqual({ orderNumber: `S-N/${n}`, trackingNumbers: [`1ZN/${n}`] });

  // Changes are not sent twice.
  const before = calls;
  await ship('later');
  expect(await run()).toEqual({ code: 0, errors: '' });
  expect(calls).toBe(before + 1);
  expect(numbersOf('later')).toBeDefined();
}, 60_000);

it('goes on after a restore, and says so', async () => {
  await beginFeedEra(use.deps.pool);
  await ship('after');
  expect(await run()).toMatchObject({ code: 0, errors: expect.stringContaining('restored from a backup') });
  expect(numbersOf('after')).toBeDefined();
}, 60_000);

it('the receiver checks the signature, tells the shop, and confirms only what the shop has', async () => {
  const receiver = spawn(
    process.execPath,
    [fileURLToPath(new URL('../../samples/sync/receive-changes.mjs', import.meta.url))],
    {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: {
        PATH: process.env.PATH,
        SECRET: 'between us',
        SHOP_URL: `http://127.0.0.1:${(shop.address() as AddressInfo).port}`,
        PORT: '0',
      },
    },
  );
  try {
    const [line] = await once(receiver.stdout!, 'data');
    const url = `http://127.0.0.1:${/port (\d+)/.exec(String(line))![1]}/`;
    const change = (poNumber: string) =>
      toCloudEvent(
        {
          ...{
            id: '1',
            position: '1',
            at: new Date().toISOString(),
            account: 'north',
            purchaseOrderId: '1',
            poNumber,
          },
          ...{ orderNumber: 'S-1', kind: 'order.changed', before: null, after: { tracking_numbers: ['1Z'] } },
          ...{ importId: null, fileName: null, issues: null, lines: null },
        },
        'era',
      );
    const webhook = { url, secret: 'between us', batch: 10, allowPrivate: true };
    onTold = () => {};
    expect(await postChanges(webhook, [change('pushed'), change('pushed 2')])).toEqual({ kind: 'confirmed' });
    expect([numbersOf('pushed'), numbersOf('pushed 2')]).toEqual([
      { orderNumber: 'S-1', trackingNumbers: ['1Z'] },
      { orderNumber: 'S-1', trackingNumbers: ['1Z'] },
    ]);
    status = 500;
    expect(await postChanges(webhook, [change('not yet')])).toMatchObject({
      message: expect.stringContaining('status 503'),
    });
    status = 200;
    expect(await postChanges({ ...webhook, secret: 'guessed' }, [change('forged')])).toMatchObject({
      message: expect.stringContaining('status 401'),
    });
    expect(numbersOf('forged')).toBeUndefined();
  } finally {
    receiver.kill();
  }
}, 30_000);
