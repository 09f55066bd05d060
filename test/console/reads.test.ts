import { beforeAll, expect, test } from 'vitest';
import { importOutcomes } from '../../src/api-contract/imports.ts';
import { listNotOrdered } from '../../src/ledger/console/needs-person.ts';
import { insertImport, insertPurchaseOrder, insertRow } from '../support/ledger-rows.ts';
import { fillPurchaseOrders } from './fill-purchase-orders.ts';
import { useConsole } from './use-console.ts';

const console = useConsole();
let viewer: Record<string, string>;
let southViewer: Record<string, string>;
let ids: Record<string, string>;

const get = async (path: string, headers = viewer) => {
  const answer = await console.app.inject({ method: 'GET', url: `/api/v1${path}`, headers });
  return { status: answer.statusCode, text: answer.body, body: () => answer.json() };
};

beforeAll(async () => {
  const { pool } = console.deps;
  viewer = await console.signedIn('viewer');
  southViewer = await console.signedIn('viewer', ['south']);
  ids = await fillPurchaseOrders(pool);
  ids.refused = await insertImport(pool, {
    account: 'north',
    file_name: '=cmd.csv',
    state: 'refused',
    reason_text: 'The file has no rows.',
    sha256: 'refused',
  });
  // A separate import, so that its counts are known.
  const file = {
    account: 'north',
    file_name: 'Tuesday.csv',
    sha256: 'tuesday',
    row_count: 3,
    read_at: new Date(),
  };
  ids.tuesday = await insertImport(pool, file);
  const po = (poNumber: string, row: object) =>
    insertPurchaseOrder(pool, ids.tuesday!, poNumber, { account: 'north', ...row });
  const ordered = await po('T-1', { state: 'ordered', ordered_at: new Date() });
  await po('T-2', { state: 'held', reason_code: 'price_above', first_row: 4 });
  await po('T-3', { state: 'rejected', reason_code: 'row_issues', first_row: 5 });
  await pool.query(
    `insert into row_issues (import_id, row_number, po_number, column_name, code, message, found, expected)
     select $1, n, 'T-3', 'Qty', 'not_a_number', 'Row ' || n || ': Qty is not a number.', 'x' || n, 'a whole number'
     from generate_series(5, 30) n`,
    [ids.tuesday],
  );
  await pool.query(
    `insert into intents (purchase_order_id, epoch, step, begun_at, ended_at, outcome)
     values ($1, 0, 'create_cart', now() - interval '2 minutes', now() - interval '119 seconds', 'done')`,
    [ordered],
  );
  await insertRow(pool, 'orders', {
    account: 'north',
    purchase_order_id: ordered,
    po_number: 'T-1',
    order_number: 'SO-T1',
    order_status: 'Shipped',
  });
});

test('a viewer of one account sees that account only', async () => {
  expect((await get(`/imports/${ids.tuesday}`, southViewer)).status).toBe(404);
  expect((await get(`/imports/${ids.tuesday}/files/source`, southViewer)).status).toBe(404);
  expect((await get('/accounts/north', southViewer)).status).toBe(404);
  const today = (await get('/today', southViewer)).body();
  expect([today.held, today.refused, today.notOrdered, today.alarms]).toEqual([[], [], [], []]);
});

test('the list of imports downloads as CSV in which no cell is a formula', async () => {
  expect((await get('/imports?format=csv')).text).toContain("'=cmd.csv");
});

test('the page of an import groups its issues by column and cause', async () => {
  const detail = (await get(`/imports/${ids.tuesday}`)).body();
  expect(detail).toMatchObject({
    outcome: 'partly_ordered',
    outcomeText: '1 PO ordered, 1 held, 1 rejected.',
    issueCount: 26,
    heldFor: [{ reasonCode: 'price_above', count: 1 }],
  });
  expect(detail.steps.map(({ state }: { state: string }) => state)).toEqual([
    'done',
    'done',
    'done',
    'waiting',
  ]);
  const issues = (await get(`/imports/${ids.tuesday}/issues`)).body();
  expect(issues.groups).toHaveLength(1);
  expect(issues.groups[0]).toMatchObject({
    column: 'Qty',
    count: 26,
    poCount: 1,
    expected: 'a whole number',
  });
  expect(issues.groups[0].rows).toHaveLength(20);
  const page = (await get(`/imports/${ids.tuesday}/issues/rows?limit=25`)).body();
  const rest = (await get(`/imports/${ids.tuesday}/issues/rows?limit=25&cursor=${page.next}`)).body();
  expect([...page.items, ...rest.items].map(({ rowNumber }) => rowNumber)).toEqual(
    Array.from({ length: 26 }, (_, at) => at + 5),
  );
  expect((await get(`/imports/${ids.tuesday}/timeline`)).body().events.length).toBeGreaterThan(2);
  const log = JSON.parse((await get(`/imports/${ids.tuesday}/files/log`)).text);
  expect(log.purchaseOrders).toHaveLength(3);
  expect((await get(`/imports/${ids.refused}`)).body()).toMatchObject({
    outcome: 'refused',
    outcomeText: 'The file has no rows.',
  });
});

test('Today says what needs a person, in words that name no setting', async () => {
  const today = (await get('/today')).body();
  expect(today).toMatchObject({
    quiet: false,
    sentence: 'Needs you: 2 POs held, 2 POs rejected, 1 file refused, 1 alarm.',
    held: [{ account: 'north', reasonCode: 'price_above', count: { count: 2, more: false } }],
    refused: [{ account: 'north', files: [{ fileName: '=cmd.csv' }] }],
    notOrdered: [
      { account: 'north', state: 'rejected', count: { count: 2, more: false }, example: { poNumber: 'T-3' } },
    ],
    running: [{ account: 'south', done: 0, total: 1 }],
    calls: [{ account: 'north', calls: 1, p50Ms: 1000 }],
  });
  expect(today.held[0].meaning).toBe('A price is higher than the file expects.');
  expect(today.hours).toHaveLength(24);
  expect(today.hours.at(-1)).toMatchObject({ ordered: 1, held: 1 });
});

test('accounts are listed with their states', async () => {
  const { items } = (await get('/accounts')).body();
  expect(items.find(({ account }: { account: string }) => account === 'north')).toMatchObject({
    states: { ordered: 2, held: 2, rejected: 2, cancelled: 1 },
    state: 'not_configured',
    canPause: true,
  });
  expect((await get('/accounts/north')).body()).toMatchObject({
    orderStatuses: [{ status: 'Shipped', count: 2 }],
    heldFor: [{ reasonCode: 'price_above', count: 2 }],
    calls: [{ step: 'create_cart', count: 1 }],
  });
});

test('what people did downloads as CSV in which no cell is a formula, of the chosen entries only', async () => {
  await insertRow(console.deps.pool, 'operator_actions', {
    account: 'south',
    who: '=Eve()',
    action: 'pause',
    note: '+1 234',
  });
  const lines = (await get('/activity?format=csv&action=pause')).text.trimEnd().split('\r\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toContain("'=Eve()");
  expect(lines[1]).toContain("'+1 234");
  expect((await get('/activity?format=csv', southViewer)).text).not.toContain('Ada');
});

test('the list of imports is filtered by each outcome that it shows', async () => {
  const names = Array.from({ length: 40 }, (_, at) => `outcome ${at}`);
  const importId = (extra: object = {}) =>
    insertImport(console.deps.pool, { account: 'north', sha256: names.pop(), ...extra });
  const po = async (state: string, extra: object = {}, into?: string) =>
    insertPurchaseOrder(console.deps.pool, into ?? (await importId()), names.pop()!, {
      account: 'north',
      state,
      ...extra,
    });
  await importId({ state: 'taken' });
  await importId({ state: 'waiting', waiting_key: 'x', waiting_since: new Date() });
  await po('ready');
  await po('closed');
  await po('cancelled');
  await po('cancelled', { reason_code: 'quoted' });
  await po('cancelled', { reason_code: 'corrected' });
  await importId({ state: 'refused', settled_at: new Date() });
  const waits = await importId();
  await po('held', { reason_code: 'price_above' }, waits);
  await po('cancelled', {}, waits);
  await po('failed', { alarm_settled_at: new Date() });
  const mixed = await importId();
  await po('ordered', {}, mixed);
  await po('failed', {}, mixed);
  const corrected = await importId();
  await po('ordered', {}, corrected);
  await po('cancelled', { reason_code: 'corrected' }, corrected);
  const all = (await get('/imports?limit=200')).body().items as { id: string; outcome: string }[];
  const expected = (wanted: string) => all.filter(({ outcome }) => outcome === wanted).map(({ id }) => id);
  for (const outcome of importOutcomes) {
    const { items } = (await get(`/imports?limit=200&outcome=${outcome}`)).body();
    expect([outcome, items.map(({ id }: { id: string }) => id)]).toEqual([outcome, expected(outcome)]);
  }
  expect(new Set(all.map(({ outcome }) => outcome)).size).toBe(importOutcomes.length - 1);
});

test('Today shows POs that failed or were rejected until their number comes again', async () => {
  const { pool } = console.deps;
  const found = async () =>
    (await listNotOrdered(pool, ['west', 'north'])).filter(({ account }) => account === 'west');
  const importId = await insertImport(pool, { account: 'west' });
  const add = (poNumber: string, row: object) =>
    insertPurchaseOrder(pool, importId, poNumber, { account: 'west', ...row });
  await add('W-1', { state: 'rejected', reason_code: 'corrected' });
  await add('W-3', { state: 'failed', quote_only: true });
  await add('W-4', { state: 'cancelled' });
  expect(await found()).toEqual([]);
  // No matter how long ago.
  await add('W-5', { state: 'failed', changed_at: new Date(Date.now() - 80 * 86_400_000) });
  const last = await add('W-6', { state: 'failed' });
  await add('W-7', { state: 'rejected', reason_code: 'row_issues' });
  expect(await found()).toMatchObject([
    { state: 'failed', n: 2, id: last, poNumber: 'W-6' },
    { state: 'rejected', n: 1, poNumber: 'W-7' },
  ]);
  const later = await insertImport(pool, { account: 'west' });
  for (const number of ['W-5', 'W-6', 'W-7'])
    await insertPurchaseOrder(pool, later, number, { account: 'west', state: 'ordered' });
  expect(await found()).toEqual([]);
});
