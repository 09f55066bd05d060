import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Config } from '../../src/config/config.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { wantKinds } from '../../src/ledger/notifications.ts';
import { createAlarmLooks } from '../../src/worker/look-for-alarms.ts';
import { mountSmall, unmount } from '../support/as-nobody.ts';
import { insertImport, insertPurchaseOrder, useTestLedger } from '../support/ledger-rows.ts';

const ledger = useTestLedger();
let folder: string;
let config: Config;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright-looks-'));
  const file = join(folder, 'cartwright.yaml');
  const schedule = { timeZone: 'America/Chicago', expectFiles: '30 9 * * 1-5' };
  await writeFile(
    file,
    JSON.stringify({
      dataFolder: folder,
      accounts: {
        expecting: { schedule },
        served: { schedule },
        // New to the ledger after the time at which files were expected.
        fresh: { schedule },
        selling: { baseUrl: 'http://127.0.0.1:1' },
      },
      notifications: {
        routes: {
          office: { kind: 'slack', urlEnv: 'CHAT', timeZone: 'America/Chicago', summary: '0 9 * * *' },
        },
      },
    }),
  );
  config = loadConfig({ file }, { CHAT: 'http://127.0.0.1:1/' });
});
afterAll(() => rm(folder, { recursive: true }));

test('a disk that is nearly full is told once, and again after there was room', async ({ skip }) => {
  const small = await mkdtemp(join(tmpdir(), 'cartwright-small-'));
  if (!mountSmall(small, '4m')) {
    await rm(small, { recursive: true });
    return skip('this user may not mount a small file system');
  }
  try {
    const { pool } = ledger;
    await wantKinds(pool, ['disk_full']);
    const file = join(folder, 'small.yaml');
    await writeFile(file, JSON.stringify({ dataFolder: small }));
    const looks = createAlarmLooks(pool, loadConfig({ file }, {}));
    const told = async (): Promise<string[]> => {
      await looks.look(new Date());
      const { rows } = await pool.query(
        `select detail from notification_events where kind = 'disk_full' order by id`,
      );
      return rows.map(({ detail }) => detail);
    };
    expect(await told()).toEqual([]);
    await writeFile(join(small, 'orders'), Buffer.alloc(3.8 * 1024 * 1024));
    expect(await told()).toEqual([expect.stringMatching(/^\d\.\d % is free \(\d{2,3} KiB\)/)]);
    expect(await told()).toHaveLength(1);
    await rm(join(small, 'orders'));
    expect(await told()).toHaveLength(1);
    await writeFile(join(small, 'orders'), Buffer.alloc(3.8 * 1024 * 1024));
    expect(await told()).toHaveLength(2);
  } finally {
    await ledger.pool.query(`delete from notification_events where kind = 'disk_full'`);
    unmount(small);
    await rm(small, { recursive: true });
  }
});

test('each thing that did not happen is told once, and the summary once', async () => {
  const { pool } = ledger;
  await wantKinds(pool, ['nothing_arrived', 'polls_late', 'no_worker', 'disk_full']);
  // A Monday, 9:31 in Chicago.
  const now = new Date('2026-11-23T15:31:00Z');
  await insertImport(pool, { account: 'served', taken_at: new Date('2026-11-23T13:00:00Z') });
  // Friday's file does not count for Monday.
  const importId = await insertImport(pool, {
    account: 'expecting',
    taken_at: new Date('2026-11-20T13:00:00Z'),
  });
  await insertPurchaseOrder(pool, importId, 'O-1', {
    ...{ account: 'selling', state: 'ordered', ordered_at: new Date('2026-11-22T13:00:00Z') },
  });
  await pool.query(
    `insert into account_folders (id, account, host, path, known_since)
     values (gen_random_uuid(), 'fresh', 'here', '/orders/fresh', $1)`,
    [new Date(now.getTime() - 30_000)],
  );
  const looks = createAlarmLooks(pool, config);
  // Yesterday's summary was due before one was configured.
  await createAlarmLooks(pool, config).look(new Date('2026-11-22T15:31:00Z'));
  expect((await pool.query('select from notifications')).rowCount).toBe(0);
  await pool.query(
    `truncate notification_events; delete from notification_alarms where kind not like 'summary%'`,
  );
  await looks.look(now);
  await looks.look(new Date(now.getTime() + 60_000));
  await looks.look(new Date(now.getTime() + 300_000));
  const { rows } = await pool.query('select kind, account, detail from notification_events order by id');
  expect(rows).toEqual([
    {
      kind: 'nothing_arrived',
      account: 'expecting',
      detail: 'A file should have come by 2026-11-23 15:30 UTC; none has since 2026-11-23 06:00 UTC.',
    },
    {
      kind: 'polls_late',
      account: 'selling',
      detail: 'No status check has succeeded yet.',
    },
    {
      kind: 'no_worker',
      account: null,
      detail: 'No process has placed orders since 2026-11-23 15:31 UTC.',
    },
  ]);
  const messages = await pool.query('select route, kinds, sections from notifications');
  expect(messages.rows).toHaveLength(1);
  expect(messages.rows[0]).toMatchObject({
    route: 'office',
    kinds: ['summary'],
    sections: [{ account: 'expecting' }, { account: 'fresh' }, { account: 'selling' }, { account: 'served' }],
  });
});

test('a file that waits in the inbox has arrived, as the process with the folder sees', async () => {
  const { pool } = ledger;
  await pool.query('truncate notification_events, notification_alarms, workers');
  const now = new Date('2026-11-23T15:31:00Z');
  const inbox = join(folder, 'accounts', 'expecting', 'inbox');
  await mkdir(inbox, { recursive: true });
  const told = async (reads: string[]) => {
    await createAlarmLooks(pool, config, () => reads).look(now);
    const { rows } = await pool.query(`select key from notification_alarms where kind = 'nothing_arrived'`);
    return rows.map(({ key }) => key.split(' ')[0]);
  };
  await writeFile(join(inbox, 'still-coming.part'), '');
  expect(await told(['expecting'])).toEqual(['expecting']);
  await writeFile(join(inbox, 'orders.csv'), 'PO,SKU,Qty');
  expect(await told(['expecting'])).toEqual([]);
  // Another process has the folder, so this one says nothing about it.
  await pool.query(
    `insert into workers (id, host, pid, reads) values (gen_random_uuid(), 'a', 1, '{expecting}')`,
  );
  expect(await told([])).toEqual([]);
  await pool.query('truncate workers');
  expect(await told([])).toEqual(['expecting']);
});

test('a backup that failed, or that nobody made, is told once, until one is made', async () => {
  const { pool } = ledger;
  await wantKinds(pool, ['backup_failed']);
  const file = join(folder, 'backup.yaml');
  await writeFile(
    file,
    JSON.stringify({
      dataFolder: folder,
      backup: { folder: '/backups', at: '*/30 * * * *' },
    }),
  );
  const looks = createAlarmLooks(pool, loadConfig({ file }, {}));
  const now = new Date();
  const toldWith = async (row: { done_for: string; failed_because?: string }) => {
    await pool.query(
      `insert into maintenance (task, ended_at, done_for, failed_because) values ('backup', now(), now() - $1::interval, $2)
       on conflict (task) do update set done_for = excluded.done_for, failed_because = excluded.failed_because`,
      [row.done_for, row.failed_because ?? null],
    );
    await looks.look(now);
    const { rows } = await pool.query(
      `select subject, detail from notification_events where kind = 'backup_failed' order by id`,
    );
    return rows;
  };
  expect(await toldWith({ done_for: '3 hours' })).toEqual([]);
  const failed = await toldWith({ done_for: '1 hour', failed_because: 'no space left' });
  expect(failed).toEqual([
    {
      subject: '/backups',
      detail: expect.stringMatching(/^no space left\. The last one that was made was due at /),
    },
  ]);
  expect(await toldWith({ done_for: '1 hour', failed_because: 'no space left' })).toHaveLength(1);
  expect(await toldWith({ done_for: '1 hour' })).toHaveLength(1);
  const overdue = await toldWith({ done_for: '4 hours' });
  expect(overdue).toHaveLength(2);
  expect(overdue[1].detail).toMatch(/^No process has made it\./);
});

test('a PO that is stuck is reported once, by its number', async () => {
  const { pool } = ledger;
  await wantKinds(pool, ['po_stalled']);
  const file = await insertImport(pool, { account: 'selling' });
  const since = new Date(Date.now() - 3_600_000);
  await insertPurchaseOrder(pool, file, 'PO-STILL', {
    account: 'selling',
    ...{ dispatch: 'window', next_at: since, changed_at: since, stalled_since: since },
  });
  const looks = createAlarmLooks(pool, config);
  for (const _ of [1, 2]) await looks.look(new Date());
  const { rows } = await pool.query(
    `select account, subject, detail from notification_events where kind = 'po_stalled'`,
  );
  expect(rows).toEqual([
    {
      account: 'selling',
      subject: 'PO-STILL',
      detail: expect.stringMatching(/^No progress since \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/),
    },
  ]);
});
