import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { lastRun } from '../../src/config/next-runs.ts';
import { backUpRegularly } from '../../src/worker/back-up.ts';
import type { FolderState } from '../../src/worker/check-folders.ts';
import { startMaintenance } from '../../src/worker/maintenance.ts';
import type { Runtime } from '../../src/worker/open-runtime.ts';
import { createHeardLogger } from '../support/heard-logger.ts';
import { insertImport, useTestLedger } from '../support/ledger-rows.ts';

const ledger = useTestLedger();
/** A daily cron pattern that was due half an hour ago. */
const halfAnHourAgo = () => {
  const at = new Date(Date.now() - 30 * 60_000);
  return `${at.getUTCMinutes()} ${at.getUTCHours()} * * *`;
};
const here: FolderState = { kind: 'usable', id: '00000000-0000-4000-8000-00000000000a' };
const elsewhere: FolderState = { kind: 'elsewhere', message: 'The folder is on another machine.' };

let root: string;
let at: string;
let running: { stop(): Promise<void> }[];
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cartwright-maintenance-'));
  at = halfAnHourAgo();
  running = [];
  await ledger.pool.query('truncate maintenance');
});
afterEach(async () => {
  await Promise.all(running.map((one) => one.stop()));
  vi.restoreAllMocks();
  await rm(root, { recursive: true });
});

const configWith = async (backup: object) => {
  const file = join(root, 'cartwright.yaml');
  const settings = {
    dataFolder: join(root, 'data'),
    accounts: { default: {} },
    backup: { folder: join(root, 'backups'), at, ...backup },
  };
  await writeFile(file, JSON.stringify(settings));
  return loadConfig({ file }, {});
};
/** Starts a process with this ledger; returns its log. */
const start = async (folder: FolderState = here, backup: object = {}) => {
  const config = await configWith(backup);
  const { logger, lines } = createHeardLogger();
  const accounts = { all: config.accounts.map((account) => ({ account, folder })) };
  const runtime = { config, ledger, accounts, logger } as unknown as Runtime;
  running.push(startMaintenance(runtime, 20));
  return lines;
};
const backups = async () => (await readdir(join(root, 'backups')).catch(() => [])).sort();
const task = async (name = 'backup') => {
  const { rows } = await ledger.pool.query(
    'select done_for as "doneFor", result, failed_because as "failedBecause" from maintenance where task = $1',
    [name],
  );
  return rows[0];
};
/** Resolves after `times` more attempts to claim the backup. */
const triedAgain = async (times: number) => {
  const query = vi.spyOn(ledger.pool, 'query');
  const claims = () =>
    query.mock.calls.filter(([, values]) => Array.isArray(values) && values[0] === 'backup').length;
  await expect.poll(claims).toBeGreaterThanOrEqual(times);
  query.mockRestore();
};
const due = () => lastRun(at, 'UTC', new Date());

describe('maintenance', () => {
  test('of several processes one does each task, and none that has no folder', async () => {
    const lines = [await start(), await start(), await start(elsewhere)];
    // Two processes may do them at the same time, in any order.
    for (const name of ['backup', 'prune'])
      await expect.poll(() => task(name)).toMatchObject({ doneFor: due() });
    await expect
      .poll(() => task('prune default'))
      .toMatchObject({ doneFor: due(), result: 'removed nothing' });
    await triedAgain(6);
    expect(await backups()).toHaveLength(1);
    const done = lines.map((own) => own.map(({ message }) => message));
    // Accounts with nothing to remove, of which there may be hundreds, log no line.
    expect(done.flat()).toEqual(['Maintenance done: backup']);
    expect(done[2]).toEqual([]);
  });

  test('what is older than it is kept is removed without a command, and what is younger stays', async () => {
    const { pool } = ledger;
    const imports = new Map<string, string>();
    for (const age of ['20 years', '1 day']) {
      const id = await insertImport(pool, { sha256: age, state: 'read' });
      imports.set(age, id);
      await pool.query(
        'update imports set taken_at = now() - $2::interval, read_at = now() - $2::interval where id = $1',
        [id, age],
      );
      await pool.query(`insert into lines (import_id, row_number) values ($1, 2), ($1, 3)`, [id]);
    }
    await start();
    await expect
      .poll(() => task('prune default'))
      .toMatchObject({ doneFor: due(), result: expect.stringMatching(/^removed 2 rows/) });
    const { rows } = await pool.query('select import_id as id, count(*)::int as n from lines group by 1');
    expect(rows).toEqual([{ id: imports.get('1 day'), n: 2 }]);
    await pool.query('delete from imports');
  });

  test('runs that were missed for days are caught up by one, and one that was done is not repeated', async () => {
    await ledger.pool.query(
      `insert into maintenance (task, done_for) values ('backup', now() - interval '5 days')`,
    );
    await start();
    await expect.poll(task).toMatchObject({ doneFor: due(), failedBecause: null });
    await triedAgain(4);
    expect(await backups()).toHaveLength(1);
  });

  test('a task of a process that ended is continued by another when the claim ends, and not before', async () => {
    await ledger.pool.query(
      `insert into maintenance (task, claimed_until) values ('backup', now() + interval '15 minutes')`,
    );
    await start();
    await triedAgain(3);
    expect(await backups()).toEqual([]);
    await ledger.pool.query(`update maintenance set claimed_until = now() - interval '1 second'`);
    await expect.poll(task).toMatchObject({ doneFor: due() });
    expect(await backups()).toHaveLength(1);
  });

  test('a task that fails says why, is tried again later, and does not stop the others', async () => {
    await writeFile(join(root, 'a file'), '');
    const lines = await start(here, { folder: join(root, 'a file', 'backups') });
    await expect.poll(() => task('prune')).toMatchObject({ doneFor: due() });
    const failed = await task();
    expect(failed).toMatchObject({ doneFor: null, failedBecause: expect.stringContaining('a file') });
    await triedAgain(3);
    expect(lines.filter(({ level }) => level === 'error').map(({ message }) => message)).toEqual([
      'Maintenance failed: backup; it is tried again in 60 minutes, and orders go on',
    ]);
    const { rows } = await ledger.pool.query(
      `select claimed_until between now() + interval '55 minutes' and now() + interval '1 hour' as "inAnHour"
       from maintenance where task = 'backup'`,
    );
    expect(rows).toEqual([{ inAnHour: true }]);

    await rm(join(root, 'a file'));
    await ledger.pool.query(
      `update maintenance set claimed_until = now() - interval '1 second' where task = 'backup'`,
    );
    await expect.poll(task).toMatchObject({ doneFor: due(), failedBecause: null });
  });
});

describe('regular backups', () => {
  const day = (n: number) => new Date(Date.UTC(2026, 0, n, 2, 30));
  const backUp = (config: Config, folder: string, n: number) =>
    backUpRegularly({ config, pool: ledger.pool }, { folder, keep: config.backup.keep }, day(n));
  const name = (n: number) => `cartwright-2026-01-0${n}T023000Z.backup`;

  test('only the latest ones are kept, and other files in the folder are not touched', async () => {
    const config = await configWith({ keep: 2 });
    const folder = join(root, 'backups');
    await mkdir(folder);
    const others = ['before the move.backup', 'notes.txt'];
    for (const other of others) await writeFile(join(folder, other), 'x');
    for (const n of [1, 2, 3]) await backUp(config, folder, n);
    expect(await backups()).toEqual([...others, name(2), name(3)].sort());
  });

  test('a backup that fails removes none of the earlier ones', async () => {
    const config = await configWith({ keep: 1 });
    const folder = join(root, 'backups');
    await backUp(config, folder, 1);
    vi.spyOn(ledger.pool, 'connect').mockImplementation(() => {
      throw new Error('the database does not answer');
    });
    await expect(backUp(config, folder, 2)).rejects.toThrow('the database does not answer');
    expect(await backups()).toEqual([name(1)]);
  });
});
