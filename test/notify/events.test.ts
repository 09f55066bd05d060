import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { routeTroubles } from '../../src/cli/output/notifications.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { createFileProblemRegister } from '../../src/ledger/file-problems.ts';
import {
  isPlacing,
  listNotPolled,
  listWithoutFiles,
  recordAlarms,
} from '../../src/ledger/notification-alarms.ts';
import { markDelivered, readRouteStates, wantKinds, withOutbox } from '../../src/ledger/notifications.ts';
import { createStatusLedger } from '../../src/ledger/status-ledger.ts';
import { createTrackingLedger } from '../../src/ledger/tracking-ledger.ts';
import { silentLogger } from '../../src/logger.ts';
import { gather, takeDue } from '../../src/notify/gather.ts';
import { type EventKind, eventKindNames } from '../../src/notify/kinds.ts';
import type { Route } from '../../src/notify/settings.ts';
import type { Outbox } from '../../src/notify/types.ts';
import { openRuntime } from '../../src/worker/open-runtime.ts';
import { insertImport, insertPurchaseOrder, useTestLedger } from '../support/ledger-rows.ts';

const ledger = useTestLedger();
const events = async (): Promise<{ kind: string; subject: string; detail: string | null }[]> => {
  const { rows } = await ledger.pool.query(
    'delete from notification_events returning kind, subject, detail, id',
  );
  return rows
    .toSorted((a, b) => Number(a.id) - Number(b.id))
    .map(({ kind, subject, detail }) => ({ kind, subject, detail }));
};

let importId: string;
beforeEach(async () => {
  await ledger.pool.query(
    'truncate notification_events, notifications, notification_alarms, notification_kinds',
  );
  await wantKinds(ledger.pool, eventKindNames);
  importId = await insertImport(ledger.pool);
});

test('what happens to POs, files, accounts and orders is recorded, in the same transaction', async () => {
  const { pool } = ledger;
  const tracking = createTrackingLedger(pool);
  const id = await insertPurchaseOrder(pool, importId, 'E-1');
  expect(await events()).toEqual([]);
  const set = (columns: string) => pool.query(`update purchase_orders set ${columns} where id = $1`, [id]);
  await set(`state = 'held', reason_code = 'backorder'`);
  await set(`state = 'held', reason_code = 'backorder', run = run + 1`);
  await set(`state = 'verifying', reason_code = null`);
  await set(`state = 'held', reason_code = 'submission_unknown'`);
  await set(`state = 'failed', reason_code = 'refused', reason_text = 'No such SKU'`);
  await set(
    `state = 'ordered', reason_code = null, reason_text = null, ordered_at = now() - interval '2 days'`,
  );
  await insertPurchaseOrder(pool, importId, 'E-2', { state: 'rejected', reason_text: 'row 2' });
  await tracking.markMissing(id, 'It is missing.');
  expect(await events()).toEqual([
    { kind: 'po_held', subject: 'E-1', detail: 'backorder' },
    { kind: 'order_in_doubt', subject: 'E-1', detail: 'submission_unknown' },
    { kind: 'po_failed', subject: 'E-1', detail: 'No such SKU' },
    { kind: 'po_rejected', subject: 'E-2', detail: 'row 2' },
    { kind: 'order_alarm', subject: 'E-1', detail: 'It is missing.' },
  ]);

  const order = (orderStatus: string, trackingNumbers: string[]) =>
    tracking.recordOrders('default', [
      { poNumber: 'E-1', orders: [{ orderNumber: 'SO1', orderStatus, trackingNumbers, items: [] }] },
    ] as never);
  await order('Open', []);
  await order('Shipped', ['1Z99']);
  await order('Shipped', ['1Z99']);
  expect(await events()).toEqual([
    { kind: 'order_changed', subject: 'E-1', detail: 'Shipped, tracking 1Z99' },
  ]);

  const pause = { code: 'service_unreachable', reason: 'connection refused', firstMs: 1, capMs: 1 } as const;
  await tracking.pauseAccount('paused', pause);
  await tracking.pauseAccount('paused', pause);
  await pool.query(
    `update account_states set paused_until = now() - interval '1 second' where account = 'paused'`,
  );
  await tracking.clearPause('paused');
  const moments = { asOf: new Date(), since: undefined };
  await createStatusLedger(pool).recordReport('default', 'reports/status.csv', moments as never);
  await pool.query(`update imports set state = 'refused', reason_text = 'It is a picture.' where id = $1`, [
    importId,
  ]);
  const stuck = [{ fileName: 'x.csv', code: 'no_permission', message: 'No permission.' }];
  const problems = createFileProblemRegister(pool);
  await problems.replace('default', 'inbox', stuck as never);
  await problems.replace('default', 'inbox', stuck as never);
  const refused = [{ fileName: 'sftp.example.com:22', code: 'sftp_login', message: 'Refused.' }];
  await problems.replace('default', 'server', refused);
  expect(await events()).toEqual([
    { kind: 'account_paused', subject: 'paused', detail: 'connection refused' },
    { kind: 'account_resumed', subject: 'paused', detail: null },
    { kind: 'report_written', subject: 'reports/status.csv', detail: null },
    { kind: 'file_refused', subject: 'orders.csv', detail: 'It is a picture.' },
    { kind: 'file_stuck', subject: 'x.csv', detail: 'No permission.' },
    { kind: 'sftp_failed', subject: 'sftp.example.com:22', detail: 'Refused.' },
  ]);
});

test('what nobody wants to know, and what is rolled back, is not recorded', async () => {
  const { pool } = ledger;
  const client = await pool.connect();
  await client.query('begin');
  await client.query(
    `insert into purchase_orders (account, po_number, po_key, import_id, first_row, line_count, content_hash, state)
     values ('default', 'N-1', 'n-1', $1, 2, 1, '', 'held')`,
    [importId],
  );
  await client.query('rollback');
  client.release();
  await pool.query(`delete from notification_kinds where kind = 'po_held'`);
  await insertPurchaseOrder(pool, importId, 'N-2', { state: 'held', reason_code: 'backorder' });
  expect(await events()).toEqual([]);
});

const route = (over: Partial<Route> = {}): Route => ({
  ...{ name: 'ops', channel: { kind: 'slack', url: 'http://127.0.0.1:1/' }, accounts: undefined },
  ...{ severity: 'warning', events: undefined, timeZone: 'UTC', quietHours: undefined, summary: undefined },
  ...over,
});
const settings = { digestMs: 900_000, pausedForMs: 60_000 };
const work = (routes: readonly Route[], accounts = ['default'], reads = ['default']) =>
  withOutbox(ledger.pool, async (outbox) => {
    await gather(outbox, { ...settings, routes }, accounts);
    return takeDue(outbox, routes, reads);
  });
const makeDue = () => ledger.pool.query(`update notifications set due_at = now() where sealed_at is null`);

test('300 held POs become one message of each route that wants them, and only one process delivers it', async () => {
  const routes = [route(), route({ name: 'alarms', severity: 'alarm' })];
  await ledger.pool.query(
    `insert into purchase_orders (account, po_number, po_key, import_id, first_row, line_count, content_hash, state, reason_code)
     select 'default', 'F-' || n, 'f-' || n, $1, 2, 1, '', 'held', 'backorder' from generate_series(1, 300) n`,
    [importId],
  );
  expect(await work(routes, ['other'])).toEqual([]);
  expect(await work(routes)).toEqual([]);
  expect(await events()).toEqual([]);
  await makeDue();
  const taken = await work(routes);
  expect(taken).toHaveLength(1);
  expect(taken![0]).toMatchObject({ route: 'ops', attempts: 1, sections: [{ kind: 'po_held', count: 300 }] });
  expect(await work(routes)).toEqual([]);
  // If the process died with it, another one delivers the same message again.
  await ledger.pool.query(`update notifications set lease_until = now() - interval '1 second'`);
  expect(await work(routes)).toMatchObject([{ id: taken![0]!.id, attempts: 2 }]);
});

test('behind a message that fails, everything is collected in one', async () => {
  const { pool } = ledger;
  const hold = (po: string) =>
    insertPurchaseOrder(pool, importId, po, { state: 'held', reason_code: 'backorder' });
  await hold('B-1');
  await work([route()]);
  await makeDue();
  const [first] = (await work([route()]))!;
  await pool.query(`update notifications set lease_until = null, next_at = now() + interval '1 minute'`);
  for (const po of ['B-2', 'B-3']) await hold(po);
  await insertPurchaseOrder(pool, importId, 'B-4', { state: 'failed' });
  await work([route()]);
  await makeDue();
  expect(await work([route()])).toEqual([]);
  await pool.query(`update notifications set delivered_at = now() where id = $1`, [first!.id]);
  expect(await work([route()])).toMatchObject([
    { sections: [{ count: 2 }, { kind: 'po_failed', count: 1 }] },
  ]);
});

test('a report waits for a process that has the folder, but not forever', async () => {
  const reports = route({ events: ['report_written'] });
  await createStatusLedger(ledger.pool).recordReport('default', 'reports/two.csv', {
    asOf: new Date(),
    since: undefined,
  } as never);
  await work([reports]);
  await makeDue();
  expect(await work([reports], ['default'], [])).toEqual([]);
  await ledger.pool.query(`update notifications set due_at = now() - interval '11 minutes'`);
  expect(await work([reports], ['default'], [])).toHaveLength(1);
});

test('a condition is told when it begins, once a day while it lasts, and again when it comes back', async () => {
  const { pool } = ledger;
  const full = [{ key: 'host /data', account: null, subject: '/data', detail: '3 % is free.' }];
  await recordAlarms(pool, 'disk_full', full, 'host ');
  await recordAlarms(pool, 'disk_full', full, 'host ');
  await recordAlarms(pool, 'disk_full', [], 'other ');
  expect(await events()).toEqual([{ kind: 'disk_full', subject: '/data', detail: '3 % is free.' }]);
  await pool.query(`update notification_alarms set told_at = told_at - interval '25 hours'`);
  await recordAlarms(pool, 'disk_full', full, 'host ');
  expect(await events()).toHaveLength(1);
  await recordAlarms(pool, 'disk_full', [], 'host ');
  await recordAlarms(pool, 'disk_full', full, 'host ');
  expect(await events()).toHaveLength(1);
});

test('a message that had to wait finds in the ledger what is still so', async () => {
  const { pool } = ledger;
  const add = (number: string, row: Record<string, unknown>) =>
    insertPurchaseOrder(pool, importId, number, row);
  const held = await add('W-1', { state: 'held', reason_code: 'backorder' });
  const other = await add('W-2', { state: 'held', reason_code: 'order_total' });
  const released = await add('W-3', { state: 'held', reason_code: 'backorder' });
  const failed = await add('W-4', { state: 'failed', reason_text: 'No such SKU' });
  const corrected = await add('W-5', { state: 'rejected', reason_text: 'row 2' });
  const route = { name: 'office', channel: { kind: 'slack' }, severity: 'warning' };
  const always = { timeZone: 'UTC', quietHours: undefined, events: undefined, accounts: undefined };
  const routes = [{ ...route, ...always } as unknown as Route];
  const settings = { routes, digestMs: 900_000, pausedForMs: 0 };
  const work = <T>(run: (outbox: Outbox) => Promise<T>) => withOutbox(pool, run);
  await pool.query(
    `insert into account_states (account, paused_until, pause_code, pause_reason) values ('waiting', now(), 'denied', '401')`,
  );
  await pool.query(`update account_states set pause_code = 'rate_limited' where account = 'waiting'`);
  await work((outbox) => gather(outbox, settings, ['default', 'waiting']));
  expect(await work((outbox) => outbox.listToldPauses())).toEqual(['waiting']);

  await pool.query(`update purchase_orders set state = 'ordered', reason_code = null where id = $1`, [
    released,
  ]);
  await pool.query(`update purchase_orders set reason_code = 'corrected' where id = $1`, [corrected]);
  await pool.query(
    `update notifications set due_at = now(), sections = (select jsonb_agg(s || '{"until": "2026-01-01T00:00:00Z"}') from jsonb_array_elements(sections) s)`,
  );
  const sectionsAt = async () => {
    const [message] = (await work((outbox) => takeDue(outbox, routes, [])))!;
    return Object.fromEntries(message!.sections.map((section) => [section.kind, section]));
  };
  const sections = await sectionsAt();
  expect(sections.po_held).toMatchObject({
    count: 2,
    settled: 1,
    counts: { backorder: 1, order_total: 1 },
    first: [
      { subject: 'W-1', purchaseOrderId: held, detail: 'backorder', importId },
      { subject: 'W-2', purchaseOrderId: other },
    ],
  });
  expect(sections.po_failed).toMatchObject({
    count: 1,
    settled: 0,
    first: [{ purchaseOrderId: failed, detail: 'No such SKU' }],
  });
  expect(sections.po_rejected).toMatchObject({ count: 0, settled: 1, first: [] });
  expect(sections.account_paused).toMatchObject({ count: 1 });

  // While the receiver was down, more was settled.
  await pool.query(`update purchase_orders set state = 'cancelled', reason_code = null where id = $1`, [
    other,
  ]);
  await pool.query(`update notifications set lease_until = null`);
  const later = await sectionsAt();
  expect(later.po_held).toMatchObject({ count: 1, settled: 2, counts: { backorder: 1 } });
  expect(later.po_held).not.toHaveProperty('purchaseOrderIds');
  const [{ id }] = (await pool.query('select id from notifications')).rows;
  await markDelivered(pool, id);
  const { rows: kept } = await pool.query('select sections from notifications');
  expect(kept[0].sections.map(({ kind }: { kind: string }) => kind)).toEqual(Object.keys(sections));
  expect(JSON.stringify(kept)).not.toContain('purchaseOrderIds');

  await pool.query(`update account_states set pause_code = null where account = 'waiting'`);
  await work((outbox) => gather(outbox, settings, ['default', 'waiting']));
  expect(await work((outbox) => outbox.listToldPauses())).toEqual([]);
});

test('of a held message about a file that did not come, one that came meanwhile is settled', async () => {
  const { pool } = ledger;
  await pool.query('truncate notifications, notification_events');
  const told = new Date(Date.now() - 3_600_000);
  await insertImport(pool, { account: 'arrived', taken_at: new Date(Date.now() - 60_000) });
  await insertImport(pool, { account: 'absent', taken_at: new Date(told.getTime() - 60_000) });
  const holds = (kind: EventKind, account: string | null) =>
    withOutbox(pool, (outbox) => outbox.stillHolds(kind, account, told));
  expect(await holds('nothing_arrived', 'arrived')).toBe(false);
  expect(await holds('nothing_arrived', 'absent')).toBe(true);
  expect(await holds('backup_failed', null)).toBe(false);
  await pool.query(`insert into notification_alarms (kind, key) values ('backup_failed', 'backup')`);
  expect(await holds('backup_failed', null)).toBe(true);
});

test('it is known what was in a message that was given up', async () => {
  const { pool } = ledger;
  await pool.query(
    `insert into notifications (route, sections, kinds, due_at, sealed_at, given_up_at, last_error) values
       ('tms', '[]', '{po_held,order_alarm}', now(), now(), now(), 'It answered 400.')`,
  );
  const state = (await readRouteStates(pool)).find(({ route }) => route === 'tms')!;
  expect(state.givenUpKinds).toEqual(['order_alarm', 'po_held']);
  expect(routeTroubles(state)[0]).toContain(
    '1 notification to tms was given up in the last 7 days (about order_alarm, po_held): It answered 400.',
  );
});

test('files that did not come, statuses that were not fetched, and workers that are gone are found', async () => {
  const { pool } = ledger;
  const hour = 3_600_000;
  const since = new Date(Date.now() - 6 * hour);
  const both = [
    { account: 'default', since, at: new Date(Date.now() - hour) },
    { account: 'quiet', since, at: new Date(Date.now() - hour) },
  ];
  // It was not configured yet when the file was expected.
  expect(await listWithoutFiles(pool, both)).toEqual([]);
  await pool.query(
    `insert into account_folders (id, account, host, path, known_since)
     values (gen_random_uuid(), 'quiet', 'a', '/orders', now() - interval '8 hours')`,
  );
  expect(await listWithoutFiles(pool, both)).toEqual(['quiet']);
  await insertPurchaseOrder(pool, importId, 'L-1', {
    ...{ account: 'late', state: 'ordered', ordered_at: new Date(Date.now() - 7 * hour) },
  });
  const late = [{ account: 'late', since }];
  expect(await listNotPolled(pool, [both[1]!, ...late])).toMatchObject([{ account: 'late', polledAt: null }]);
  await createTrackingLedger(pool).notePoll('late', undefined);
  expect(await listNotPolled(pool, late)).toEqual([]);
  expect(await isPlacing(pool)).toBe(false);
  await pool.query(`insert into workers (id, host, pid, slots) values (gen_random_uuid(), 'a', 1, 16)`);
  expect(await isPlacing(pool)).toBe(true);
});

test('a process records the kinds of its routes from its start, before it can send messages', async () => {
  const { pool } = ledger;
  await pool.query('truncate notification_kinds');
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-told-'));
  const file = join(folder, 'cartwright.yaml');
  const email = { kind: 'email', to: ['office@example.com'] };
  const smtp = { host: '127.0.0.1', port: 9, security: 'none', from: 'cartwright@example.com' };
  const config = {
    dataFolder: folder,
    accounts: { north: { baseUrl: 'http://127.0.0.1:9' } },
    notifications: { smtp, routes: { office: email } },
  };
  await writeFile(file, JSON.stringify(config));
  const runtime = await openRuntime({
    config: loadConfig({ file }, { DATABASE_URL: ledger.url }),
    logger: silentLogger,
  });
  try {
    const problem = { fileName: 'north', code: 'is_folder', message: 'It is a folder.' };
    await createFileProblemRegister(pool).replace('north', 'inbox', [problem]);
    expect(await events()).toEqual([{ kind: 'file_stuck', subject: 'north', detail: 'It is a folder.' }]);
  } finally {
    await runtime.stop();
    await rm(folder, { recursive: true });
  }
});
