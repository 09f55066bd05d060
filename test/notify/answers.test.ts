import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { migrateLedger } from '../../src/ledger/migrate.ts';
import { createPool } from '../../src/ledger/pool.ts';
import { createResultRegister } from '../../src/ledger/result-register.ts';
import { createStatusLedger } from '../../src/ledger/status-ledger.ts';
import { silentLogger } from '../../src/logger.ts';
import { sendMessage } from '../../src/notify/send-message.ts';
import { startNotifier } from '../../src/worker/start-notifier.ts';
import { createTestDatabase } from '../support/database.ts';
import { insertImport, insertPurchaseOrder } from '../support/ledger-rows.ts';
import { startMailServer } from './receivers.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
const limit = { timeout: 60_000, interval: 50 };

const load = async (settings: object) => {
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-answers-'));
  closers.push(() => rm(folder, { recursive: true }));
  const file = join(folder, 'cartwright.yaml');
  await writeFile(file, JSON.stringify({ dataFolder: folder, ...settings }));
  return loadConfig({ file }, {});
};

const openSystem = async () => {
  const server = await startMailServer();
  closers.push(server.stop);
  const config = await load({
    accounts: {
      north: { answers: { to: ['north@example.com'] } },
      south: { answers: { to: ['south@example.com', 'office@example.com'] } },
      quiet: {},
    },
    notifications: {
      smtp: { host: '127.0.0.1', port: server.port, security: 'none', from: 'cartwright@example.com' },
    },
  });
  const database = await createTestDatabase();
  closers.push(() => database.drop());
  const pool = createPool(database.url, { max: 4, logger: silentLogger });
  closers.push(() => pool.end());
  await migrateLedger(pool);
  const reads = () => ['north', 'south', 'quiet'];
  const notifier = startNotifier({ pool, config, logger: silentLogger, reads });
  closers.push(() => notifier.stop());
  await vi.waitUntil(
    async () => (await pool.query('select from notification_kinds limit 1')).rowCount === 1,
    limit,
  );
  const folderOf = (account: string) => config.accounts.find(({ name }) => name === account)!.folder;
  const register = createResultRegister(pool);
  return {
    server,
    pool,
    folderOf,
    config,
    /** A file with one PO in a state. */
    add: async (account: string, fileName: string, state: string) => {
      const importId = await insertImport(pool, { account, file_name: fileName, state: 'read' });
      const id = await insertPurchaseOrder(pool, importId, `PO of ${fileName}`, { account, state });
      return {
        importId,
        become: (next: string) =>
          pool.query('update purchase_orders set state = $2 where id = $1', [id, next]),
      };
    },
    writeResult: async (account: string, importId: string, path: string, content = 'answered') => {
      await mkdir(join(folderOf(account), 'results'), { recursive: true });
      await writeFile(join(folderOf(account), path), content);
      await register.write(importId, { force: true }, async () => ({ path }));
    },
    /** Waits until everything recorded has been delivered. */
    delivered: () =>
      vi.waitUntil(
        async () =>
          (
            await pool.query(
              `select from notification_events union all
               select from notifications where delivered_at is null and given_up_at is null limit 1`,
            )
          ).rowCount === 0,
        limit,
      ),
  };
};

test('a dealer is sent the result of his file when every PO has an outcome, and again when one changes', async () => {
  const { server, add, writeResult, delivered } = await openSystem();
  const { importId, become } = await add('north', 'spring-öl.csv', 'ready');
  const path = 'results/spring.result.csv';
  await writeResult('north', importId, path);
  await delivered();
  expect(server.mails).toEqual([]);

  await become('held');
  await writeResult('north', importId, path, 'held');
  await vi.waitUntil(() => server.mails.length === 1, limit);
  const [mail] = server.mails;
  expect(mail!.to).toEqual(['north@example.com']);
  expect(mail!.text).toContain('filename=spring.result.csv');
  // No words that a dealer would have to translate, and no prefix of ours.
  expect(mail!.text).toMatch(/^Subject: =\?UTF-8\?Q\?north_=E2=80=93_spring-=C3=B6l=2Ecsv\?/m);

  // Progress of the order, or another write of the file, is not a new outcome.
  await become('ordered');
  await writeResult('north', importId, path, 'ordered');
  await vi.waitUntil(() => server.mails.length === 2, limit);
  await become('closed');
  await writeResult('north', importId, path, 'closed');
  await writeResult('north', importId, path, 'closed again');
  await delivered();
  expect(server.mails).toHaveLength(2);
});

test('each account has its own addresses and files; one without the setting is sent nothing', async () => {
  const { server, pool, add, writeResult, delivered, folderOf } = await openSystem();
  for (const account of ['south', 'quiet']) {
    const { importId } = await add(account, `${account}.csv`, 'failed');
    await writeResult(account, importId, `results/${account}.result.csv`);
  }
  await mkdir(join(folderOf('north'), 'reports'), { recursive: true });
  await writeFile(join(folderOf('north'), 'reports/status-north.csv'), 'status');
  const written = { asOf: new Date(), since: undefined } as never;
  await createStatusLedger(pool).recordReport('north', 'reports/status-north.csv', written);
  await vi.waitUntil(() => server.mails.length === 2, limit);
  await delivered();
  const sent = server.mails.map(({ to, text }) => ({
    to,
    files: [...text.matchAll(/filename=(\S+)/g)].map((match) => match[1]),
  }));
  expect(sent).toHaveLength(2);
  expect(sent).toContainEqual({
    to: ['south@example.com', 'office@example.com'],
    files: ['south.result.csv'],
  });
  expect(sent).toContainEqual({ to: ['north@example.com'], files: ['status-north.csv'] });
});

test('forty results of one moment come as one message with all of them', async () => {
  const { server, add, writeResult } = await openSystem();
  const names = Array.from({ length: 40 }, (_, at) => `file-${at}`);
  for (const name of names) {
    const { importId } = await add('north', `${name}.csv`, 'ordered');
    await writeResult('north', importId, `results/${name}.result.csv`);
  }
  await vi.waitUntil(
    () =>
      names.every((name) => server.mails.some(({ text }) => text.includes(`filename=${name}.result.csv`))),
    limit,
  );
  expect(server.mails.length).toBeLessThan(10);
});

test('a rejected PO that a later file corrects is another outcome: the result is sent again', async () => {
  const { server, pool, add, writeResult } = await openSystem();
  const { importId } = await add('north', 'first.csv', 'rejected');
  await writeResult('north', importId, 'results/first.result.csv');
  await vi.waitUntil(() => server.mails.length === 1, limit);
  await pool.query(`update purchase_orders set reason_code = 'corrected' where import_id = $1`, [importId]);
  await writeResult('north', importId, 'results/first.result.csv', 'corrected');
  await vi.waitUntil(() => server.mails.length === 2, limit);
});

test('a test of the notifications says that it is one, also on the route of a dealer', async () => {
  const { server, config } = await openSystem();
  const route = config.notifications.routes.find(({ name }) => name === 'answers north')!;
  const at = new Date();
  const time = { from: at.toISOString(), until: at.toISOString() };
  const section = { kind: 'test' as const, account: null, count: 1, counts: {}, first: [], ...time };
  const message = { id: 'test-1', createdAt: at, sections: [section] };
  expect(await sendMessage(route, message, config.notifications)).toEqual({ kind: 'sent' });
  expect(server.mails[0]!.text).toContain('This is a test of Cartwright');
});

test('a result that is too large is named with where it lies, and so is what has to be corrected of it', async () => {
  const { server, add, writeResult, folderOf } = await openSystem();
  const { importId } = await add('north', 'large.csv', 'ordered');
  await mkdir(join(folderOf('north'), 'results'), { recursive: true });
  await writeFile(join(folderOf('north'), 'results/large.not-ordered.csv'), 'x'.repeat(11 * 1024 ** 2));
  await writeResult('north', importId, 'results/large.result.csv', 'x'.repeat(1024));
  await vi.waitUntil(() => server.mails.length === 1, limit);
  expect(server.mails[0]!.text).toContain('filename=large.result.csv');
  expect(server.mails[0]!.text).toMatch(/Not attached .*results\/large\.not-ordered\.csv/);
});

test('without a mail server the setting is refused, and so is an address that is none', async () => {
  const answers = (to: string) => ({ accounts: { north: { answers: { to: [to] } } } });
  await expect(load(answers('a@example.com'))).rejects.toThrow(
    'accounts.north.answers: sends e-mail: set notifications.smtp, too',
  );
  await expect(load(answers('nobody'))).rejects.toThrow(
    /accounts\.north\.answers\.to\.0: must be an e-mail address/,
  );
});
