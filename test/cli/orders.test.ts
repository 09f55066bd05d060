import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { read, utils } from 'xlsx';
import { drawOrders } from '../../src/cli/output/orders.ts';
import { wrapWords } from '../../src/cli/output/show-text.ts';
import { migrateLedger } from '../../src/ledger/migrate.ts';
import { createPool } from '../../src/ledger/pool.ts';
import { knowReceivers } from '../../src/ledger/sync-receivers.ts';
import { silentLogger } from '../../src/logger.ts';
import { createTestDatabase } from '../support/database.ts';
import { insertImport, insertPurchaseOrder, insertRow } from '../support/ledger-rows.ts';
import { runCli } from './run-cli.ts';

/** The day `daysAgo` days ago, in the service's format. */
const day = (daysAgo: number): string =>
  new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);

let folder: string;
let drop: () => Promise<void>;
let run: (...args: string[]) => ReturnType<typeof runCli>;
let pool: ReturnType<typeof createPool>;
let shop: Server;
const got: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright-orders-'));
  const database = await createTestDatabase();
  pool = createPool(database.url, { max: 2, logger: silentLogger });
  await migrateLedger(pool);
  shop = createServer(async (request, response) => {
    for await (const chunk of request) got.push(String(chunk));
    response.writeHead(request.url === '/shop' ? 204 : 500).end();
  });
  shop.listen(0, '127.0.0.1');
  await once(shop, 'listening');
  const { port } = shop.address() as AddressInfo;
  const hook = (path: string, more = '') =>
    `{url: "http://127.0.0.1:${port}/${path}", secretEnv: HOOK_SECRET, allowPrivate: true${more}}`;
  await writeFile(
    join(folder, 'cartwright.yaml'),
    `accounts:
  north:
    baseUrl: http://127.0.0.1:1
    lateAfter: 3d
    sync: {webhooks: {shop: ${hook('shop', ', batch: 5')}, erp: ${hook('erp')}}}
  south: {baseUrl: "http://127.0.0.1:2"}
`,
  );
  run = (...args) =>
    runCli(args, { cwd: folder, env: { DATABASE_URL: database.url, HOOK_SECRET: 'secret' } });
  drop = async () => {
    await pool.end();
    await database.drop();
    shop.closeAllConnections();
    shop.close();
    await rm(folder, { recursive: true, force: true });
  };
  const importId = await insertImport(pool, { account: 'north' });
  const put = async (poNumber: string, daysAgo: number, order: object, account = 'north') => {
    const ordered_at = new Date(Date.now() - daysAgo * 86_400_000);
    const id = await insertPurchaseOrder(pool, importId, poNumber, { account, state: 'ordered', ordered_at });
    await insertRow(pool, 'orders', {
      account,
      purchase_order_id: id,
      po_number: poNumber,
      order_number: `SO-${poNumber}`,
      ...order,
    });
  };
  await put('OR-1', 5, { order_status: 'Picking', order_total: '1012.5', order_date: day(5) });
  await put('OR-2', 1, {
    order_status: 'Shipped',
    ship_date: day(0),
    order_total: '7',
    tracking_numbers: ['1Z999AA10123456784', 'B'],
    order_date: day(1),
  });
  await put('SO-3', 1, { order_status: '\u001b[31mheld', order_date: day(1) }, 'south');
});
afterAll(() => drop());

describe('cartwright orders', () => {
  it('lists them with their sum, and fits a terminal of 80 columns', async () => {
    const { exitCode, out } = await run('orders');
    expect(exitCode).toBe(0);
    const answer = JSON.parse((await run('orders', '--json')).out);
    const narrow = {
      columns: 80,
      paint: (_: string, text: string) => text,
      wrap: (text: string) => wrapWords(text, 80, 2),
    };
    const drawn = drawOrders(narrow as never, { ...answer, items: answer.orders });
    for (const line of drawn.split('\n')) expect([...line].length).toBeLessThanOrEqual(80);
    expect(drawn).toContain('1Z999AA1012345');
    expect(out).toContain('late, 5 d');
    expect(out).toMatch(/ 1,012\.50$/m);
    expect(out).toMatch(/ 7\.00$/m);
    expect(out.replace(/\s+/g, ' ')).toContain(
      '3 orders, together 1,019.50 with freight (1 without a total yet). No status check has read their statuses yet.',
    );
    // A terminal must not interpret the service's text.
    expect(out).not.toContain('\u001b[31mheld');
  });

  it('filters and sorts as asked', async () => {
    const numbers = async (...args: string[]) =>
      (
        JSON.parse((await run('orders', '--json', ...args)).out) as { orders: { poNumber: string }[] }
      ).orders.map(({ poNumber }) => poNumber);
    expect(await numbers('--late')).toEqual(['OR-1']);
    expect(await numbers('--account', 'south')).toEqual(['SO-3']);
    expect(await numbers('--day', 'shipped', '--from', day(1))).toEqual(['OR-2']);
    expect(await numbers('1z999')).toEqual(['OR-2']);
    expect(await numbers('--sort', 'total')).toEqual(['OR-1', 'OR-2', 'SO-3']);
    expect(await numbers('--oldest')).toEqual(['OR-1', 'OR-2', 'SO-3']);
    expect(await numbers('--status', 'Picking,Shipped')).toEqual(['OR-2', 'OR-1']);
    expect((await run('orders', 'nowhere')).out).toBe('No order matches.\n');
  });

  it('writes all that match into a file, and never over another one', async () => {
    const file = join(folder, 'orders.xlsx');
    expect((await run('orders', '--out', file)).out).toBe(`Wrote 3 orders into ${file}.\n`);
    const sheet = utils.sheet_to_json(read(await readFile(file)).Sheets.Orders!);
    expect(sheet).toHaveLength(3);
    const again = await run('orders', '--out', file);
    expect([again.exitCode, again.err]).toEqual([2, expect.stringContaining('already exists')]);
    const csv = join(folder, 'late.csv');
    await run('orders', '--late', '--out', csv);
    expect(await readFile(csv, 'utf8')).toMatch(/^\ufeffpo_number,.*\r\nOR-1,/);
  });

  it.each([
    [['--from', 'monday'], '--from must be a day such as 2026-11-20 (got monday).'],
    [
      ['--from', '2026-11-25', '--to', '2026-11-20'],
      '--from 2026-11-25 is after --to 2026-11-20. Swap them.',
    ],
    [['--sort', 'size'], '--sort must be one of ordered, shipped, invoiced, total (got size).'],
    [['--limit', '0'], '--limit must be a number from 1 to 200 (got 0).'],
    [['--out', 'orders.pdf'], 'The name orders.pdf must end in .csv or .xlsx (--out).'],
    [['--account', 'nowhere'], 'nowhere'],
  ])('refuses %j with a sentence', async (args, sentence) => {
    const { exitCode, err } = await run('orders', ...args);
    expect(exitCode).toBe(2);
    expect(err.replace(/\s+/g, ' ')).toContain(sentence);
  });
});

describe('cartwright poll --po', () => {
  it('asks for one PO, and says why that was not possible', async () => {
    const { exitCode, out } = await run('poll', '--po', 'OR-1');
    expect(exitCode).not.toBe(0);
    expect(out).toMatch(/^north: The service could not be asked for PO OR-1: /);
  });

  it('asks for several POs, each once', async () => {
    const { exitCode, out } = await run('poll', '--po', 'OR-1', 'OR-2', 'OR-1', '--json');
    expect(exitCode).not.toBe(0);
    expect(JSON.parse(out).accounts).toMatchObject([{ account: 'north', kind: 'failed', poNumber: 'OR-1' }]);
  });

  it.each([
    [['--po', 'OR-1', 'nowhere'], 'No PO nowhere was found.'],
    [['--po', 'nowhere'], 'No PO nowhere was found.'],
    [['--po', 'OR-1', '--url', 'http://127.0.0.1:1'], '--po cannot be combined with --url.'],
  ])('refuses %j with a sentence', async (args, sentence) => {
    const { exitCode, err } = await run('poll', ...args);
    expect(exitCode).toBe(2);
    expect(err.replace(/\s+/g, ' ')).toContain(sentence);
  });
});

const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

describe('cartwright sync', () => {
  it('tests each webhook and says what happened', async () => {
    const { exitCode, out } = await run('sync', '--test');
    expect(exitCode).not.toBe(0);
    expect(out).toMatch(/north shop: 127\.0\.0\.1:\d+ confirmed/);
    expect(out.replace(/\s+/g, ' ')).toMatch(
      /north erp: not confirmed: 127\.0\.0\.1:\d+ answered with status 500/,
    );
    const bodies = got.map((one) => JSON.parse(one));
    expect(bodies.flat().map(({ type }) => type)).toEqual(['cartwright.test', 'cartwright.test']);
    expect(bodies.some(Array.isArray)).toBe(true);
    expect((await run('sync', '--test', '--webhook', 'shop')).exitCode).toBe(0);
  });

  it('shows how far each has come, and what was given up in the health check', async () => {
    expect((await run('sync')).out).toContain('starts once a worker runs');
    await knowReceivers(pool, [
      { account: 'north', name: 'shop' },
      { account: 'north', name: 'erp' },
    ]);
    await pool.query(
      `update sync_receivers set parked_at = now(), failing_since = now() - interval '4 days', last_error = 'shop.example answered with status 500'
       where name = 'erp'`,
    );
    const { out } = await run('sync', '--json');
    expect(JSON.parse(out).webhooks).toMatchObject([
      { name: 'shop' },
      { name: 'erp', lastError: 'shop.example answered with status 500' },
    ]);
    const sentence = 'the webhook erp has confirmed nothing since';
    const check = await run('status', '--check');
    expect(check.exitCode).not.toBe(0);
    expect(check.out.replace(/\s+/g, ' ')).toContain(sentence);
    expect(check.out.replace(/\s+/g, ' ')).toContain('run `cartwright sync resume north erp`');
    const resumed = await run('sync', 'resume', 'north', 'erp', '--since', yesterday);
    expect(resumed.out).toMatch(/The webhook erp of north is sent changes again, from .* on: \d+ changes/);
    expect((await run('status', '--check')).out.replace(/\s+/g, ' ')).not.toContain(sentence);
  });

  it.each([
    [['--account', 'south'], 'south does not have sync.webhooks'],
    [['--webhook', 'none'], 'There is no webhook none. Webhooks: north shop, north erp.'],
    [['resume', 'north', 'shop', '--since', 'lately'], '--since must be a day or a time'],
    [
      ['resume', 'north', 'shop', '--since', '2999-01-01'],
      'is in the future: what waits would never be sent.',
    ],
    [['resume', 'north', 'shop', '--since', '2020-01-01'], 'changes are kept for 30 days.'],
  ])('refuses %j with a sentence', async (args, sentence) => {
    const { exitCode, err } = await run('sync', ...args);
    expect(exitCode).toBe(2);
    expect(err.replace(/\s+/g, ' ')).toContain(sentence);
  });
});
