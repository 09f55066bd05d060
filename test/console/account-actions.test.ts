import { mkdtempSync, writeFileSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { createAccountPauses } from '../../src/ledger/account-pauses.ts';
import { createPlacingLedger } from '../../src/ledger/po/placing-ledger.ts';
import { createTrackingLedger } from '../../src/ledger/tracking-ledger.ts';
import { beat } from '../../src/ledger/workers.ts';
import { insertImport, insertPurchaseOrder, insertRow } from '../support/ledger-rows.ts';
import { useConsole } from './use-console.ts';

const folder = mkdtempSync(join(tmpdir(), 'cartwright-console-'));
const file = join(folder, 'cartwright.yaml');
writeFileSync(
  file,
  `accounts: { north: { baseUrl: 'http://127.0.0.1:9', folder: '${join(folder, 'north')}' } }`,
);
const started: string[] = [];
const filled: string[] = [];
const use = useConsole({
  deps: {
    config: loadConfig({ file }, { CARTWRIGHT_DATA: folder }),
  },
  work: {
    fillAccounts: async (accounts) => {
      filled.push(...accounts);
    },
    runNow: async (kind, account) => {
      started.push(`${kind} ${account}`);
    },
    writeResult: async (importId) => {
      started.push(`result ${importId}`);
    },
  },
});
let ann: Record<string, string>;
let south: Record<string, string>;
let importId: string;
const north = { account: 'north' };

beforeAll(async () => {
  ann = await use.signedIn('operator', null, 'Ann');
  south = await use.signedIn('operator', ['south'], 'Sue');
  importId = await insertImport(use.deps.pool, { ...north, file_name: 'Monday.csv' });
});
afterAll(() => rm(folder, { recursive: true }));

const post = async (path: string, payload: object = {}, headers = ann) => {
  const answer = await use.app.inject({ method: 'POST', url: `/api/v1${path}`, headers, payload });
  return { status: answer.statusCode, body: answer.json() };
};
const get = async (path: string, headers = ann) => use.app.inject({ url: `/api/v1${path}`, headers });

const take = (id: string, owner: string) =>
  createPlacingLedger(use.deps.pool).take(id, {
    owner,
    accounts: ['north'],
    states: ['ready'],
    leaseMs: 30_000,
    graceMs: 0,
  });

test('while a person has paused an account nothing new is sent, until a person resumes it', async () => {
  const { pool } = use.deps;
  const line = { import_id: importId, row_number: 2, po_number: 'P-1', item_sku: 'A', quantity: 1 };
  await insertRow(pool, 'lines', line);
  const running = await insertPurchaseOrder(pool, importId, 'P-1', north);
  const waiting = await insertPurchaseOrder(pool, importId, 'P-2', north);
  const owner = '00000000-0000-4000-8000-00000000000a';
  // An account known to the ledger that was never paused.
  const tracking = createTrackingLedger(pool);
  await tracking.notePoll('north', undefined);
  expect((await tracking.readPollFacts('north')).pausedForMs).toBe(0);
  const taken = await take(running, owner);
  if (taken.kind !== 'taken') throw new Error('the PO was not taken');

  expect((await post('/accounts/north/pause', {}, south)).status).toBe(404);
  expect((await post('/accounts/north/pause', { note: 'price list is wrong' })).status).toBe(200);
  const again = await post('/accounts/north/pause');
  expect(again).toMatchObject({
    status: 409,
    body: { detail: 'north is paused already: Ann paused it: price list is wrong.' },
  });

  // No PO begins a step, even one in progress, and no status check is made.
  const ledger = createPlacingLedger(pool);
  expect(await ledger.beginStep(taken.po, owner, 'create_cart', {})).toEqual({ kind: 'paused' });
  expect(await take(waiting, owner)).toMatchObject({ kind: 'later', why: 'paused' });
  expect((await tracking.readPollFacts('north')).pausedForMs).toBeGreaterThan(0);
  // Calls in flight do not end the pause.
  await createAccountPauses(pool).clearPause('north');
  const shown = (await get('/accounts/north')).json();
  expect(shown).toMatchObject({
    state: 'paused',
    pause: { code: 'operator', byOperator: true, until: null, reason: 'Ann paused it: price list is wrong' },
    canPause: false,
    canResume: true,
  });
  expect(Date.parse(shown.pause.since)).toBeGreaterThan(Date.now() - 60_000);

  expect((await post('/accounts/north/resume', { note: 'fixed' })).status).toBe(200);
  expect([filled, started]).toEqual([['north'], ['poll north']]);
  expect((await post('/accounts/north/resume')).body.detail).toBe('north is not paused any more.');
  expect(await ledger.beginStep(taken.po, owner, 'create_cart', {})).toMatchObject({ kind: 'begun' });
  expect(await take(waiting, owner)).toMatchObject({ kind: 'taken' });
  const acted = (await get('/activity?account=north')).json().items;
  expect(acted.map(({ action, who, note }: Record<string, string>) => [action, who, note])).toEqual([
    ['resume_account', 'Ann', 'fixed'],
    ['pause_account', 'Ann', 'price list is wrong'],
  ]);
});

test('a pause that the service asked for goes on behind the pause of a person', async () => {
  const { pool } = use.deps;
  const limited = {
    code: 'rate_limited',
    reason: 'Too many calls.',
    firstMs: 600_000,
    capMs: 600_000,
  } as const;
  await createAccountPauses(pool).pauseAccount('north', limited);
  await post('/accounts/north/pause');
  await post('/accounts/north/resume');
  expect((await get('/accounts/north')).json().pause).toMatchObject({
    code: 'rate_limited',
    reason: 'Too many calls.',
    byOperator: false,
  });
  expect((await post('/accounts/north/resume')).body.detail).toContain('asked for this pause');
  await pool.query(`update account_states set paused_until = null, pause_code = null, pauses = 0`);
});

test('tasks run now in a worker that can do them, and are recorded', async () => {
  const none = await post('/accounts/north/run', { kind: 'take_files' });
  expect(none).toMatchObject({
    status: 422,
    body: { detail: expect.stringContaining('start a worker on the machine that has it') },
  });
  await beat(use.deps.pool, {
    id: '00000000-0000-4000-8000-0000000000bb',
    host: 'test',
    pid: 1,
    places: ['north'],
    reads: ['north'],
    troubles: {},
  });
  started.length = 0;
  for (const kind of ['poll', 'report', 'take_files']) {
    expect((await post('/accounts/north/run', { kind, note: 'now please' })).status).toBe(200);
  }
  expect(started).toEqual(['poll north', 'report north', 'take_files north']);
  expect((await get('/activity?action=run_poll')).json().items[0]).toMatchObject({
    who: 'Ann',
    account: 'north',
    note: 'now please',
  });
  await post('/accounts/north/pause', { note: 'stop' });
  expect((await post('/accounts/north/run', { kind: 'poll' })).body.detail).toContain('Resume it first');
  await post('/accounts/north/resume');
});

test('reports are listed, downloaded under a safe name, and written now', async () => {
  const { pool } = use.deps;
  await mkdir(join(folder, 'north', 'reports'), { recursive: true });
  writeFileSync(join(folder, 'north', 'reports', 'status-north-2026-11-22.csv'), 'po_number\r\n');
  await pool.query(
    `insert into account_states (account, report_path, report_written_at) values ('north', $1, now()), ('south', $2, now() - interval '1 day')
     on conflict (account) do update set report_path = excluded.report_path, report_written_at = excluded.report_written_at`,
    ['reports/status-north-2026-11-22.csv', '../../etc/passwd'],
  );
  writeFileSync(join(folder, 'north', 'reports', 'status-north-2026-11-22.lines.csv'), 'sku\r\n');
  writeFileSync(join(folder, 'north', 'reports', 'status-north-2026-11-22.xlsx'), 'PK');
  await pool.query(`update imports set result_path = 'done/Monday.1.result.csv' where id = $1`, [importId]);
  const { items } = (await get('/reports')).json();
  expect(items).toMatchObject([
    { kind: 'status_report', account: 'north', available: true, why: null },
    { kind: 'status_report', account: 'south', available: false },
    { kind: 'result', account: 'north', importId, sourceName: 'Monday.csv', due: true, available: false },
  ]);
  expect((await get('/reports', south)).json().items).toHaveLength(1);
  const report = await get(items[0].href.replace('/api/v1', ''));
  expect(report.headers['content-disposition']).toContain(
    'attachment; filename="status-north-2026-11-22.csv"',
  );
  expect(report.body).toBe('po_number\r\n');
  expect(items[0].others.map(({ fileName }: { fileName: string }) => fileName)).toEqual([
    'status-north-2026-11-22.lines.csv',
    'status-north-2026-11-22.xlsx',
  ]);
  const lines = await get(items[0].others[0].href.replace('/api/v1', ''));
  expect(lines.headers['content-disposition']).toContain('filename="status-north-2026-11-22.lines.csv"');
  expect(lines.body).toBe('sku\r\n');
  expect((await get('/reports/status/north?format=json')).statusCode).toBe(404);
  expect((await get('/reports/status/south')).statusCode).toBe(404);
  expect((await get('/reports/status/north', south)).statusCode).toBe(404);

  started.length = 0;
  expect((await post('/reports', { importId })).body.sentence).toContain('Monday.csv is written now');
  await pool.query(`update imports set result_due = false, result_written_at = now() where id = $1`, [
    importId,
  ]);
  expect((await post('/reports', { importId })).body.sentence).toContain('up to date');
  expect((await post('/reports', { account: 'north' })).status).toBe(200);
  expect(started).toEqual([`result ${importId}`, 'report north']);
  expect((await post('/reports', { importId }, south)).status).toBe(404);
});
