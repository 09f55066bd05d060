import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { silentLogger } from '../../src/logger.ts';
import { startMaintenance } from '../../src/worker/maintenance.ts';
import { openAccounts } from '../../src/worker/open-accounts.ts';
import type { Runtime } from '../../src/worker/open-runtime.ts';
import { insertImport, insertPurchaseOrder, useTestLedger } from '../support/ledger-rows.ts';

const ledger = useTestLedger();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright-maintenance-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** A process with regular backups that are due. */
const start = async () => {
  const file = join(folder, 'cartwright.yaml');
  await writeFile(
    file,
    'dataFolder: data\nbackup: { folder: backups, at: "* * * * *" }\naccounts: { north: {} }\n',
  );
  const config = loadConfig({ file }, {});
  const { pool } = ledger;
  const accounts = openAccounts(config, pool, silentLogger, '00000000-0000-4000-8000-000000000001');
  await accounts.checkFolders();
  const runtime = { config, accounts, logger: silentLogger, ledger: { pool } } as unknown as Runtime;
  return startMaintenance(runtime, 10);
};
const backups = (): Promise<string[]> => readdir(join(folder, 'backups')).catch(() => []);

test('what was done in the future, before the clock was set back, is done again', async () => {
  await ledger.pool.query(
    `insert into maintenance (task, ended_at, done_for, result)
     values ('backup', now() + interval '1 day', now() + interval '1 day', 'wrote a file')`,
  );
  const process = await start();
  await expect.poll(backups).toEqual([expect.stringMatching(/\.backup$/)]);
  await process.stop();
  await ledger.pool.query('truncate maintenance');
  await rm(join(folder, 'backups'), { recursive: true });
});

test('a stop interrupts a running backup, leaves nothing of it, and another process makes it', async () => {
  const { pool } = ledger;
  await mkdir(join(folder, 'backups'), { recursive: true });
  const importId = await insertImport(pool, {});
  await insertPurchaseOrder(pool, importId, 'A-1', {});
  // The backup waits for this table in the middle of its work.
  const other = await pool.connect();
  await other.query('begin');
  await other.query('lock table purchase_orders in access exclusive mode');
  const first = await start();
  await expect.poll(backups).toEqual([expect.stringMatching(/\.tmp$/)]);
  const stopped = first.stop();
  await other.query('rollback');
  other.release();
  await stopped;
  expect(await backups()).toEqual([]);
  const { rows } = await pool.query(
    `select failed_because, claimed_until from maintenance where task = 'backup'`,
  );
  expect(rows).toEqual([{ failed_because: null, claimed_until: null }]);

  const second = await start();
  await expect.poll(backups).toEqual([expect.stringMatching(/\.backup$/)]);
  await second.stop();
});
