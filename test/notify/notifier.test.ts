import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterEach, expect, test, vi } from 'vitest';
import { routeTroubles } from '../../src/cli/output/notifications.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { migrateLedger } from '../../src/ledger/migrate.ts';
import { readRouteStates } from '../../src/ledger/notifications.ts';
import { createPool } from '../../src/ledger/pool.ts';
import { createStatusLedger } from '../../src/ledger/status-ledger.ts';
import { startNotifier } from '../../src/worker/start-notifier.ts';
import { createTestDatabase } from '../support/database.ts';
import { createHeardLogger } from '../support/heard-logger.ts';
import { insertImport } from '../support/ledger-rows.ts';
import { startHook, startMailServer } from './receivers.ts';

const canary = 'canary-77ab-secret';
const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A ledger, and processes that notify; `notifications` as in the configuration file. */
const openSystem = async (notifications: object) => {
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-notifier-'));
  closers.push(() => rm(folder, { recursive: true }));
  const file = join(folder, 'cartwright.yaml');
  await writeFile(file, JSON.stringify({ dataFolder: folder, accounts: { default: {} }, notifications }));
  const env = { SECRET: canary, CHAT: `http://127.0.0.1:1/${canary}` };
  const config = loadConfig({ file }, env);
  const database = await createTestDatabase();
  closers.push(() => database.drop());
  const { logger, lines } = createHeardLogger();
  const start = () => {
    const pool = createPool(database.url, { max: 4, logger });
    closers.push(() => pool.end());
    const notifier = startNotifier({ pool, config, logger, reads: () => ['default'] });
    closers.push(() => notifier.stop());
    return pool;
  };
  const pool = createPool(database.url, { max: 2, logger });
  closers.push(() => pool.end());
  await migrateLedger(pool);
  start();
  start();
  await vi.waitUntil(
    async () => (await pool.query('select from notification_kinds limit 1')).rowCount === 1,
    { timeout: 30_000 },
  );
  return { config, pool, lines, folder: config.accounts[0]!.folder };
};

const hold = async (pool: pg.Pool, count: number, reason = 'backorder'): Promise<void> => {
  const importId = await insertImport(pool);
  await pool.query(
    `insert into purchase_orders (account, po_number, po_key, import_id, first_row, line_count, content_hash, state, reason_code)
     select 'default', 'P-' || n, 'p-' || n, $1, 2, 1, '', 'held', $3 from generate_series(1, $2::int) n`,
    [importId, count, reason],
  );
};
const limit = { timeout: 60_000, interval: 100 };

test('300 held POs are one e-mail, although two processes deliver; the report comes with its files', async () => {
  const server = await startMailServer();
  closers.push(server.stop);
  const { pool, lines, folder } = await openSystem({
    smtp: { host: '127.0.0.1', port: server.port, security: 'none', from: 'cartwright@example.com' },
    routes: {
      office: { kind: 'email', to: ['office@example.com'], severity: 'info' },
      dealer: { kind: 'email', to: ['dealer@example.com'], events: ['report_written'] },
    },
  });
  await hold(pool, 300);
  await vi.waitUntil(() => server.mails.length > 0, limit);
  expect(server.mails[0]!.text).toContain('300 purchase orders are held');
  expect(server.mails[0]!.text).toContain('- and 290 more');

  await mkdir(join(folder, 'reports'), { recursive: true });
  for (const ending of ['csv', 'lines.csv', 'xlsx']) {
    await writeFile(join(folder, `reports/status-default-2026-11-23.${ending}`), 'content');
  }
  await createStatusLedger(pool).recordReport('default', 'reports/status-default-2026-11-23.csv', {
    asOf: new Date(),
    since: undefined,
  } as never);
  await vi.waitUntil(() => server.mails.length === 3, limit);
  const mail = server.mails.find(({ to }) => to[0] === 'dealer@example.com')!;
  for (const ending of ['csv', 'lines.csv', 'xlsx']) {
    expect(mail.text).toContain(`status-default-2026-11-23.${ending}`);
  }
  expect(server.mails.filter(({ text }) => text.includes('are held'))).toHaveLength(1);
  expect(lines.filter(({ level }) => level !== 'info')).toEqual([]);
});

test('a webhook that fails gets the same message again; a chat that is away does not matter; no secret is in a log', async () => {
  const hook = await startHook((response, { length }) => {
    response.statusCode = length === 1 ? 500 : 200;
    response.end();
  });
  closers.push(hook.stop);
  const { pool, lines } = await openSystem({
    routes: {
      program: { kind: 'webhook', url: hook.url, secretEnv: 'SECRET' },
      chat: { kind: 'slack', urlEnv: 'CHAT' },
      unset: { kind: 'teams', urlEnv: 'NOT_SET' },
    },
  });
  await hold(pool, 1, 'duplicate_suspected');
  await vi.waitUntil(() => hook.posts.length === 2, limit);
  const [first, second] = hook.posts.map(({ body }) => JSON.parse(body));
  expect(second.id).toBe(first.id);
  expect(second).toMatchObject({ severity: 'alarm', events: [{ kind: 'order_in_doubt', count: 1 }] });
  await vi.waitUntil(
    async () =>
      (await readRouteStates(pool)).some(({ route, deliveredAt }) => route === 'program' && deliveredAt),
    limit,
  );
  const states = await readRouteStates(pool);
  const chat = states.find(({ route }) => route === 'chat')!;
  expect(chat).toMatchObject({
    waiting: 1,
    givenUp: 0,
    lastError: expect.stringContaining('cannot be reached'),
  });
  expect(routeTroubles(chat)).toEqual([
    expect.stringMatching(
      /^Notifications to chat are not delivered since .* UTC \(1 message waiting\): 127.0.0.1:1/,
    ),
  ]);
  const everything = JSON.stringify([lines, states, (await pool.query('select * from notifications')).rows]);
  expect(everything).not.toContain(canary);
  expect(lines.map(({ code }) => code)).toContain('route_unusable');
  expect(lines.map(({ code }) => code)).toContain('notification_failed');

  // After giveUpAfter it is given up, which `status` shows.
  await pool.query(
    `update notifications set sealed_at = sealed_at - interval '4 days', next_at = now() where route = 'chat'`,
  );
  await vi.waitUntil(async () => (await readRouteStates(pool)).some(({ givenUp }) => givenUp === 1), limit);
  const [given] = (await readRouteStates(pool)).filter(({ route }) => route === 'chat');
  expect(routeTroubles(given!)[0]).toMatch(
    /^1 notification to chat was given up in the last 7 days \(about order_in_doubt\): 127/,
  );
});
