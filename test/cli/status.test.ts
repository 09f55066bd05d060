import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createFileProblemRegister } from '../../src/ledger/file-problems.ts';
import { migrateLedger } from '../../src/ledger/migrate.ts';
import { createPool } from '../../src/ledger/pool.ts';
import { beat } from '../../src/ledger/workers.ts';
import { silentLogger } from '../../src/logger.ts';
import { createTestDatabase } from '../support/database.ts';
import { runCli } from './run-cli.ts';

let folder: string;
/** Where the commands put temporary folders. */
let temporary: string;
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let pool: pg.Pool;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright-status-'));
  temporary = await mkdtemp(join(tmpdir(), 'cartwright-status-tmp-'));
  // As root Postgres runs as another user, who must be able to enter the folder.
  for (const one of [folder, temporary]) await chmod(one, 0o711);
  database = await createTestDatabase();
  pool = createPool(database.url, { max: 2, logger: silentLogger });
});
afterEach(async () => {
  await pool.end();
  await database.drop();
  for (const one of [folder, temporary]) await rm(one, { recursive: true, force: true });
});

const builtIn = (...args: string[]) => runCli(args, { cwd: folder, env: { TMPDIR: temporary } });
const onServer = (...args: string[]) => runCli(args, { cwd: folder, env: { DATABASE_URL: database.url } });
const writeOrders = () =>
  writeFile(join(folder, 'orders.csv'), 'po_number,item_sku,quantity\nS-1,SKU-1,2\nS-2,SKU-2,none\n');
const dryRunFolders = async () =>
  (await readdir(temporary)).filter((name) => name.startsWith('cartwright-dry-run-'));
const tablesOf = async () =>
  (await pool.query(`select table_name from information_schema.tables where table_schema = 'cartwright'`))
    .rows.length;

describe('commands that only read', () => {
  test.each([
    ['the built-in database', builtIn],
    ['a configured database', onServer],
  ])('status reports a missing ledger and creates none (%s)', async (_, run) => {
    const ended = await run('status');
    expect(ended.exitCode).toBe(2);
    expect(ended.err).toMatch(/There is no ledger in .* yet.*`cartwright up`/);
    expect(await readdir(folder)).toEqual([]);
    expect(await tablesOf()).toBe(0);
  });

  test.each([
    ['the built-in database', builtIn],
    ['a configured database', onServer],
  ])('a dry run without a ledger shows what would be ordered and leaves nothing (%s)', async (_, run) => {
    await writeOrders();
    const ended = await run('import', '--dry-run', 'orders.csv');
    expect(ended.out).toContain('1 PO would be ordered, 1 rejected');
    expect(ended.exitCode).toBe(1);
    expect(await readdir(folder)).toEqual(['orders.csv']);
    expect(await tablesOf()).toBe(0);
    expect(await dryRunFolders()).toEqual([]);
  });

  test.each([
    [['status']],
    [['status', '--check']],
    [['import', '--dry-run', 'orders.csv']],
    [['prune', '--dry-run']],
  ])('%j explains how to migrate a ledger of an earlier version, and does not migrate it', async (args) => {
    await writeOrders();
    await migrateLedger(pool);
    const [last] = (await pool.query('select name from migrations order by name desc limit 1')).rows;
    await pool.query('delete from migrations where name = $1', [last.name]);
    const ended = await onServer(...args);
    expect(ended.exitCode).toBe(2);
    expect(ended.err).toContain(`it does not have ${last.name}`);
    expect(ended.err).toContain('Start a worker of this version');
    expect((await pool.query('select 1 from migrations where name = $1', [last.name])).rows).toEqual([]);
  });
});

describe('status --check', () => {
  const insertPo = async (poNumber: string, more: Record<string, unknown>) => {
    const values = {
      account: 'default',
      po_number: poNumber,
      po_key: poNumber.toLowerCase(),
      first_row: 2,
      line_count: 1,
      content_hash: poNumber,
      import_id: 1,
      ...more,
    };
    const names = Object.keys(values);
    await pool.query(
      `insert into purchase_orders (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')})`,
      Object.values(values),
    );
  };
  beforeEach(async () => {
    await migrateLedger(pool);
    await pool.query(
      `insert into imports (account, file_name, sha256, size_bytes, file_path, state) values ('default', 'a.csv', '', 0, '', 'read')`,
    );
  });
  const check = async (...args: string[]) => {
    const ended = await onServer('status', '--check', '--json', ...args);
    const { healthy, problems } = JSON.parse(ended.out) as {
      healthy: boolean;
      problems: { code: string; account?: string; message: string }[];
    };
    return { exitCode: ended.exitCode, healthy, problems, codes: problems.map(({ code }) => code) };
  };
  const work = (slots = 16) =>
    beat(pool, {
      id: '4be0643f-1d98-573b-97cd-ca98a65347dd',
      host: 'h',
      pid: 1,
      places: ['default', 'other'],
      reads: ['default', 'other'],
      troubles: {},
      slots,
    });

  test('is healthy while a worker runs, even if POs or files were rejected, failed or refused', async () => {
    await work();
    await insertPo('R-1', { state: 'rejected', reason_code: 'row_issues', reason_text: 'A row is wrong.' });
    await insertPo('F-1', {
      state: 'failed',
      reason_code: 'refused_by_service',
      reason_text: 'No such item.',
    });
    await insertPo('W-1', { state: 'ready' });
    expect(await check()).toMatchObject({ exitCode: 0, healthy: true, problems: [] });
    expect((await onServer('status', '--check')).out).toBe('Healthy.\n');
  });

  test('finds that no worker runs', async () => {
    expect(await check()).toMatchObject({ exitCode: 5, healthy: false, codes: ['no_worker'] });
    expect((await onServer('status')).exitCode, 'only --check fails').toBe(0);
  });

  test('finds that the only worker places no orders', async () => {
    await work(0);
    const { codes, problems } = await check();
    expect(codes).toContain('no_worker');
    expect(problems[0]!.message).toMatch(/^No worker that places orders is running\./);
    const { out } = await onServer('status');
    expect(out).toContain('No worker that places orders is running');
    expect(out).not.toContain('1 worker running');
  });

  test('finds what notifications tell of', async () => {
    await work();
    await pool.query(
      `insert into notification_alarms (kind, key, account) values ('disk_full', 'elsewhere /orders', null),
         ('nothing_arrived', 'default 2026-11-23T09:30:00.000Z', 'default'), ('nothing_arrived', 'gone x', 'gone')`,
    );
    const { exitCode, problems } = await check();
    expect(exitCode).toBe(5);
    expect(problems).toMatchObject([
      {
        code: 'disk_full',
        message: expect.stringContaining('The disk with /orders on elsewhere is nearly full.'),
      },
      { code: 'nothing_arrived', account: 'default' },
    ]);
  });

  test('finds everything that needs a person, with the next steps, for all accounts or one', async () => {
    await work();
    const old = new Date(Date.now() - 3_600_000);
    await insertPo('H-1', { state: 'held', reason_code: 'backorder', reason_text: 'Some of it is missing.' });
    await insertPo('A-1', { state: 'ordered', alarm: 'More is ordered than was asked for.' });
    await pool.query(
      `insert into imports (account, file_name, sha256, size_bytes, file_path, state, taken_at) values ('default', 'b.csv', '', 0, '', 'taken', $1)`,
      [old],
    );
    await pool.query(
      `insert into account_states (account, paused_until, pause_code, pause_reason, poll_note)
       values ('default', now() + interval '5 minutes', 'credential_refused', '401', 'It answered 500.')`,
    );
    const { exitCode, problems, codes } = await check();
    expect(exitCode).toBe(5);
    expect(codes.sort()).toEqual(['account_paused', 'alarm', 'files_waiting', 'held', 'poll_failed']);
    for (const { account, message } of problems) {
      expect(account).toBe('default');
      expect(message).toMatch(/^default: .*\. .+\.$/);
      expect(message).not.toContain('..');
    }
    const shown = await onServer('status', '--check');
    expect(shown.out.trim().split('\n')).toHaveLength(5);
    await writeFile(join(folder, 'cartwright.yaml'), 'accounts:\n  default: {}\n  other: {}\n');
    expect(await check('--account', 'other')).toMatchObject({ exitCode: 0, problems: [] });
  });

  test('finds POs that are due and make no progress, but none that a short pause delays', async () => {
    await work();
    const old = new Date(Date.now() - 3_600_000);
    // The sweep gave it a new run an hour ago.
    await insertPo('W-1', { state: 'ready', next_at: old, changed_at: old, stalled_since: old });
    expect((await check()).codes).toEqual(['orders_stalled']);
    await pool.query(
      `insert into account_states (account, paused_until, pause_code, pause_reason)
       values ('default', now() + interval '30 seconds', 'rate_limited', '429')`,
    );
    expect((await check()).codes).toEqual([]);
    await insertPo('W-2', { state: 'cart_created' });
    await pool.query('delete from account_states');
    expect((await check()).codes).toEqual([]);
  });
});

test('status shows files that cannot be picked up, with what to do, and its health check fails', async () => {
  await migrateLedger(pool);
  const name = `Bestellung_München${'n'.repeat(200)}.csv`;
  const message = 'There is no space left on the disk. Free some.';
  await createFileProblemRegister(pool).replace('default', 'inbox', [
    { fileName: name, code: 'ENOSPC', message },
  ]);
  const shown = await onServer('status');
  expect(shown.out).toMatch(
    /default: Bestellung_M.*\.csv \(since .*\): There is no space left on the disk\. Free some\./,
  );
  const checked = await onServer('status', '--check', '--json');
  expect(JSON.parse(checked.out).problems).toContainEqual(
    expect.objectContaining({ code: 'file_trouble', account: 'default' }),
  );
  expect(checked.exitCode).not.toBe(0);
  const { accounts } = JSON.parse((await onServer('status', '--json')).out);
  expect(accounts[0].fileTroubles).toMatchObject([{ fileName: name, code: 'ENOSPC', message }]);
});
