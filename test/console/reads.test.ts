import { beforeAll, expect, test } from 'vitest';
import { addImport, addPo } from './fill-ledger.ts';
import { useConsole } from './use-console.ts';

const console = useConsole();
let viewer: Record<string, string>;
let southViewer: Record<string, string>;
const ids: Record<string, string> = {};

const get = async (path: string, headers = viewer) => {
  const answer = await console.app.inject({ method: 'GET', url: `/api/v1${path}`, headers });
  return { status: answer.statusCode, headers: answer.headers, text: answer.body, body: () => answer.json() };
};

beforeAll(async () => {
  const { pool } = console.deps;
  viewer = await console.signedIn('viewer');
  southViewer = await console.signedIn('viewer', ['south']);
  const first = await addImport(pool, { fileName: 'Monday.csv' });
  const south = await addImport(pool, { account: 'south', fileName: 'south.csv', sha256: 'b' });
  const refused = await addImport(pool, {
    fileName: '=cmd.csv',
    state: 'refused',
    reasonText: 'The file has no rows.',
    sha256: 'c',
  });
  Object.assign(ids, { first, south, refused });
  ids.ordered = await addPo(pool, {
    poNumber: 'NS-1001',
    importId: first,
    state: 'ordered',
    lines: [
      { sku: 'AB-1', quantity: 2, price: '10.50', expected: '10.00' },
      { sku: 'CD-2', quantity: 1, price: '3' },
    ],
    order: {
      number: 'SO77001',
      status: 'Shipped',
      tracking: ['1Z999AA10123456784'],
      invoice: 'INV-5',
      shipName: 'Ann Miller',
      zip: '04101',
    },
  });
  ids.held = await addPo(pool, {
    poNumber: 'NS-1002',
    importId: first,
    state: 'held',
    reasonCode: 'price_above',
    reasonText: 'AB-1 (row 4) costs 12.00, the file expects 10.00.',
    firstRow: 4,
  });
  ids.rejected = await addPo(pool, {
    poNumber: '=1+1',
    importId: first,
    state: 'rejected',
    reasonCode: 'row_issues',
    firstRow: 5,
  });
  await pool.query(
    `insert into row_issues (import_id, row_number, po_number, column_name, code, message, found, expected)
     select $1, n, '=1+1', 'Qty', 'not_a_number', 'Row ' || n || ': Qty is not a number.', 'x' || n, 'a whole number'
     from generate_series(5, 30) n`,
    [first],
  );
  ids.south1 = await addPo(pool, { account: 'south', poNumber: 'NS-1001', importId: south, state: 'ready' });
  await pool.query(
    `insert into intents (purchase_order_id, epoch, step, begun_at, ended_at, outcome)
     values ($1, 0, 'create_cart', now() - interval '2 minutes', now() - interval '119 seconds', 'done')`,
    [ids.ordered],
  );
});

test('a viewer of one account sees that account only', async () => {
  expect(
    (await get('/purchase-orders', southViewer)).body().items.map((po: { id: string }) => po.id),
  ).toEqual([ids.south1]);
  expect((await get(`/purchase-orders/${ids.ordered}`, southViewer)).status).toBe(404);
  expect((await get(`/imports/${ids.first}`, southViewer)).status).toBe(404);
  expect((await get(`/imports/${ids.first}/files/source`, southViewer)).status).toBe(404);
  expect((await get('/accounts/north', southViewer)).status).toBe(404);
  expect((await get('/search?q=SO77001', southViewer)).body().groups).toEqual([]);
  const today = (await get('/today', southViewer)).body();
  expect([today.held, today.refused]).toEqual([[], []]);
});

test('POs are paged by a cursor, filtered and counted', async () => {
  const page = (await get('/purchase-orders?limit=3')).body();
  expect(page.total).toEqual({ count: 4, more: false });
  const rest = (await get(`/purchase-orders?limit=3&cursor=${page.next}`)).body();
  expect([...page.items, ...rest.items].map((po: { id: string }) => po.id)).toEqual([
    ids.south1,
    ids.rejected,
    ids.held,
    ids.ordered,
  ]);
  expect(rest.next).toBeNull();
  const held = (await get('/purchase-orders?state=held,failed&account=north&order=oldest')).body();
  expect(held.items[0]).toMatchObject({
    id: ids.held,
    actions: ['release', 'cancel'],
    fileName: 'Monday.csv',
  });
  expect((await get('/purchase-orders?po=ns-10')).body().items).toHaveLength(3);
  expect((await get('/purchase-orders?cursor=x')).status).toBe(422);
  expect((await get('/purchase-orders?state=lost')).status).toBe(422);
});

test('a list downloads as CSV in which no cell is a formula', async () => {
  const csv = await get('/purchase-orders?format=csv&account=north');
  expect(csv.headers['content-disposition']).toContain('attachment; filename="purchase-orders.csv"');
  expect(csv.text).toContain("'=1+1");
  expect(csv.text).not.toContain(',=1+1');
  expect(csv.text.trim().split('\r\n')).toHaveLength(4);
  expect((await get('/imports?format=csv')).text).toContain("'=cmd.csv");
});

test.each([
  ['ns-1001', 'po', 'NS-1001'],
  ['so770', 'order', 'SO77001'],
  ['1z999aa1 0123 456784', 'tracking', '1Z999AA10123456784'],
  ['inv-5', 'invoice', 'INV-5'],
  ['ab-1', 'sku', 'AB-1'],
  ['ab', 'sku', 'AB-1'],
  ['ann m', 'ship_to', 'Ann Miller'],
  ['041', 'zip', '04101'],
  ['mond', 'file', 'Monday.csv'],
])('search finds %s as %s', async (q, kind, matched) => {
  const { groups } = (await get(`/search?q=${encodeURIComponent(q)}`)).body();
  const found = groups.find((group: { kind: string }) => group.kind === kind);
  expect(found.hits[0]).toMatchObject({ kind, matched });
});

test('a search text with the characters of patterns is taken literally', async () => {
  for (const q of ['%', '_', '\\', "'", '\u{10ffff}'])
    expect((await get(`/search?q=${encodeURIComponent(q)}`)).body()).toEqual({ groups: [] });
});

test('the page of a PO has its lines, order, timeline and a banner', async () => {
  const po = (await get(`/purchase-orders/${ids.ordered}`)).body();
  expect(po.banner).toMatchObject({
    tone: 'good',
    sentence: 'PO NS-1001 is ordered as SO77001; the service reports Shipped.',
  });
  expect(po.lines[0]).toMatchObject({
    price: '10.50',
    expectedPrice: '10.00',
    difference: '0.50',
    amount: '21.00',
  });
  expect(po.lineTotal).toBe('24.00');
  expect(po.orders[0].trackingNumbers[0].href).toContain('ups.com');
  expect(po.timeline.map(({ what }: { what: string }) => what)).toContain('Create the cart: done');
  expect(po.timeline.find(({ kind }: { kind: string }) => kind === 'intent').durationMs).toBe(1000);
  expect((await get(`/purchase-orders/${ids.ordered}/rows`)).body().why).toContain('configuration');
  expect((await get('/purchase-orders/999999')).status).toBe(404);
});

test('the page of an import groups its issues by column and cause', async () => {
  const detail = (await get(`/imports/${ids.first}`)).body();
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
  const issues = (await get(`/imports/${ids.first}/issues`)).body();
  expect(issues.groups).toHaveLength(1);
  expect(issues.groups[0]).toMatchObject({
    column: 'Qty',
    count: 26,
    poCount: 1,
    expected: 'a whole number',
  });
  expect(issues.groups[0].rows).toHaveLength(20);
  const page = (await get(`/imports/${ids.first}/issues/rows?limit=25`)).body();
  const rest = (await get(`/imports/${ids.first}/issues/rows?limit=25&cursor=${page.next}`)).body();
  expect([...page.items, ...rest.items].map(({ rowNumber }) => rowNumber)).toEqual(
    Array.from({ length: 26 }, (_, at) => at + 5),
  );
  expect((await get(`/imports/${ids.first}/timeline`)).body().events.length).toBeGreaterThan(2);
  const log = JSON.parse((await get(`/imports/${ids.first}/files/log`)).text);
  expect(log.purchaseOrders).toHaveLength(3);
  expect((await get(`/imports/${ids.refused}`)).body()).toMatchObject({
    outcome: 'refused',
    outcomeText: 'The file has no rows.',
  });
});

test('Today says what needs a person', async () => {
  const today = (await get('/today')).body();
  expect(today).toMatchObject({
    quiet: false,
    sentence: 'Needs you: 1 PO held, 1 file refused.',
    held: [{ account: 'north', reasonCode: 'price_above', count: { count: 1, more: false } }],
    refused: [{ fileName: '=cmd.csv' }],
    running: [{ account: 'south', done: 0, total: 1 }],
    calls: [{ account: 'north', calls: 1, p50Ms: 1000 }],
  });
  expect(today.hours).toHaveLength(24);
  expect(today.hours.at(-1)).toMatchObject({ ordered: 1, held: 1, failed: 1 });
});

test('accounts are listed with their states', async () => {
  const { items } = (await get('/accounts')).body();
  expect(items.find(({ account }: { account: string }) => account === 'north')).toMatchObject({
    states: { ordered: 1, held: 1, rejected: 1 },
    state: 'not_configured',
    canPause: true,
  });
  expect((await get('/accounts/north')).body()).toMatchObject({
    orderStatuses: [{ status: 'Shipped', count: 1 }],
    heldFor: [{ reasonCode: 'price_above', count: 1 }],
    calls: [{ step: 'create_cart', count: 1 }],
  });
});
