import { afterAll, beforeAll, expect, test } from 'vitest';
import type { BulkRun } from '../../src/api-contract/bulk.ts';
import { keepRun, takeRun } from '../../src/ledger/console/bulk-runs.ts';
import { silentLogger } from '../../src/logger.ts';
import { type BulkRunner, startBulkRuns, wakeBulkRuns } from '../../src/worker/run-bulk.ts';
import { insertImport, insertPurchaseOrder, insertRow } from '../support/ledger-rows.ts';
import { until } from '../support/run-system.ts';
import { useConsole } from './use-console.ts';

const enqueued: string[] = [];
const filled = new Set<string>();
let runner: BulkRunner | undefined;
const use = useConsole({
  work: {
    enqueueChanged: async (ids) => {
      enqueued.push(...ids);
    },
    continueBulkRuns: () => wakeBulkRuns(use.deps.pool),
  },
});
let ann: Record<string, string>;
let bob: Record<string, string>;
let south: Record<string, string>;
let viewer: Record<string, string>;
let importId: string;

beforeAll(async () => {
  ann = await use.signedIn('operator', null, 'Ann');
  bob = await use.signedIn('operator', null, 'Bob');
  south = await use.signedIn('operator', ['south'], 'Sue');
  viewer = await use.signedIn('viewer');
  importId = await insertImport(use.deps.pool, { account: 'north' });
});
afterAll(() => runner?.stop());

const post = async (path: string, payload: object, headers = ann) => {
  const answer = await use.app.inject({ method: 'POST', url: `/api/v1${path}`, headers, payload });
  return { status: answer.statusCode, body: answer.json() };
};
const get = async (path: string, headers = ann) =>
  (await use.app.inject({ url: `/api/v1${path}`, headers })).json();
const act = (action: string, ids: readonly string[], headers = ann, more: object = {}) =>
  post('/purchase-orders/actions', { action, items: ids.map((id) => ({ id, ...more })) }, headers);

let counter = 0;
const addHeld = async (
  state = 'held',
  reasonCode: string | null = 'price_above',
  within = importId,
): Promise<string> => {
  counter += 1;
  const { pool } = use.deps;
  const poNumber = `A-${counter}`;
  const line = { import_id: within, row_number: counter, po_number: poNumber, item_sku: 'A', quantity: 1 };
  await insertRow(pool, 'lines', line);
  return insertPurchaseOrder(pool, within, poNumber, {
    account: 'north',
    state,
    reason_code: reasonCode,
    reason_text: reasonCode === null ? null : 'too dear',
    first_row: counter,
  });
};
const stateOf = async (id: string): Promise<string> =>
  (await use.deps.pool.query('select state from purchase_orders where id = $1', [id])).rows[0].state;
const actionsOn = async (id: string) =>
  (
    await use.deps.pool.query(
      'select who, via, action, note from operator_actions where purchase_order_id = $1 order by id',
      [id],
    )
  ).rows;

/** Starts a run over the held POs of an import and returns it at its end. */
const ended = async (id: string): Promise<BulkRun> => {
  await until(async () => ['finished', 'stopped'].includes((await get(`/bulk/${id}`)).state), {
    limitMs: 20_000,
    everyMs: 20,
  });
  return get(`/bulk/${id}`);
};
const startRunner = () =>
  startBulkRuns({
    pool: use.deps.pool,
    logger: silentLogger,
    fillAccounts: async (accounts) => {
      for (const account of accounts) filled.add(account);
    },
    writeDueResults: async () => {},
  });

test('an action is done, recorded with person and note, and given to the queue', async () => {
  const id = await addHeld();
  const { status, body } = await post('/purchase-orders/actions', {
    action: 'release',
    items: [{ id }],
    note: 'agreed by phone',
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({
    sentence: expect.stringMatching(/^Released 1 PO\. No worker /),
    done: 1,
    notDone: 0,
  });
  expect(body.results).toEqual([{ id, poNumber: 'A-1', done: true, state: 'items_added', why: null }]);
  expect(await stateOf(id)).toBe('items_added');
  expect(await actionsOn(id)).toEqual([
    { who: 'Ann', via: 'console', action: 'release', note: 'agreed by phone' },
  ]);
  expect(enqueued).toContain(id);
});

test('a cancellation that a worker carries out says what is still to happen', async () => {
  const id = await addHeld();
  const free = await addHeld();
  await insertRow(use.deps.pool, 'intents', {
    ...{ purchase_order_id: id, epoch: 0, step: 'create_cart', outcome: 'refused' },
  });
  const { body } = await act('cancel', [id, free]);
  expect(body.sentence).toBe(
    'Cancelled 1 PO. Cancelling 1 PO. It has no cart: a worker marks it as cancelled. No worker that places POs of north is running. Ask the administrator of Cartwright to start a worker.',
  );
});

test('the second of two operators reads what the first one did', async () => {
  const id = await addHeld();
  const seen = (await get(`/purchase-orders/${id}`)).changedAt;
  const both = await Promise.all([
    act('release', [id], ann, { changedAt: seen }),
    act('release', [id], bob, { changedAt: seen }),
  ]);
  expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  const first = both[0]!.status === 200 ? 'Ann' : 'Bob';
  const { body } = both.find(({ status }) => status === 409)!;
  expect(body.detail).toMatch(
    new RegExp(
      `^A-4: ${first} released it at .* \\(UTC\\)(?:; it|\\. Not done: it has changed meanwhile and) is being placed now`,
    ),
  );
  expect(body.results).toHaveLength(1);
  expect(await actionsOn(id)).toHaveLength(1);
});

test('what the rules do not allow is refused for each PO with a reason', async () => {
  const ordered = await addHeld('ordered', null);
  const failed = await addHeld('failed', 'cart_refused');
  const { status, body } = await act('retry', [ordered, failed]);
  expect(status).toBe(200);
  expect(body.sentence).toMatch(
    /^Retrying 1 PO\. 1 PO could not be changed\. No worker that places POs of north is running/,
  );
  const by = new Map(body.results.map((one: { id: string }) => [one.id, one]));
  expect(by.get(failed)).toMatchObject({ done: true, state: 'ready' });
  expect(by.get(ordered)).toMatchObject({
    done: false,
    why: 'It is ordered now. Not done: it is ordered, not failed.',
  });
  expect((await act('cancel', [ordered])).body).toMatchObject({ status: 409, code: 'conflict' });
  expect(await stateOf(ordered)).toBe('ordered');
});

test('POs of other accounts do not exist, and a viewer may not act', async () => {
  const id = await addHeld();
  expect((await act('release', [id], south)).status).toBe(404);
  expect((await act('release', [id], viewer)).status).toBe(403);
  expect((await post('/bulk/count', { action: 'release', filter: { importId } }, south)).body.exact).toBe(0);
  expect((await post('/bulk', { action: 'release', filter: {}, expected: 1 }, viewer)).status).toBe(403);
  expect(await stateOf(id)).toBe('held');
});

test('a bulk run is asked about those alone that its action can do something about', async () => {
  const { pool } = use.deps;
  const within = await insertImport(pool, { account: 'north', sha256: 'for-some' });
  const codes = ['price_above', 'on_hold', 'already_ordered', 'submission_unknown'];
  for (const code of codes) await addHeld('held', code, within);
  const countOf = async (action: string) =>
    (await post('/bulk/count', { action, filter: { importId: within } })).body.exact;
  expect(await countOf('release')).toBe(3);
  expect(await countOf('adopt')).toBe(2);
  expect(await countOf('submit_again')).toBe(1);
  expect(await countOf('cancel')).toBe(4);
  const counted = (await post('/bulk/count', { action: 'release', filter: { importId: within } })).body;
  expect([counted.others, counted.sentence]).toEqual([
    1,
    expect.stringContaining('1 PO is held for another reason and stays as it is'),
  ]);
  expect(
    (await post('/bulk/count', { action: 'release', filter: { importId: within } }, south)).body,
  ).toMatchObject({
    exact: 0,
    others: 0,
  });
});

test('a bulk run asks for the count, does the ordinary action, and survives its process', async () => {
  const { pool } = use.deps;
  const within = await insertImport(pool, { account: 'north', sha256: 'bulk' });
  const ids: string[] = [];
  for (let n = 0; n < 65; n += 1) ids.push(await addHeld('held', 'price_above', within));
  const other = await addHeld('held', 'price_above');
  const filter = { importId: within, state: ['held'], reason: 'price_above' };
  const { body: counted } = await post('/bulk/count', { action: 'release', filter });
  expect(counted).toMatchObject({ exact: 65, count: { count: 65, more: false } });
  expect(counted.sentence).toContain('Release 65 POs');
  const wrong = await post('/bulk', { action: 'release', filter, expected: 64 });
  expect(wrong).toMatchObject({ status: 409, body: { detail: expect.stringContaining('65 match now') } });

  const { status, body: run } = await post('/bulk', {
    action: 'release',
    filter,
    expected: 65,
    note: 'new price list',
  });
  expect(status).toBe(200);
  // A process took the run and died after some POs; meanwhile a person changed one of the others.
  const dead = '00000000-0000-4000-8000-000000000001';
  expect((await takeRun(pool, dead))?.id).toBe(run.id);
  await pool.query(`update bulk_runs set runner_until = clock_timestamp() where id = $1`, [run.id]);
  await act('cancel', [ids[10]!], bob);
  const later = await addHeld('held', 'price_above', within);
  runner = startRunner();
  const end = await ended(run.id);
  expect(end).toMatchObject({
    state: 'finished',
    expected: 65,
    tried: 65,
    done: 64,
    notDone: 1,
    who: 'Ann',
    reasons: [{ why: 'it no longer matched when its turn came', count: 1 }],
  });
  expect(await keepRun(pool, run.id, dead)).toBeUndefined();
  const states = await pool.query(
    `select state, count(*)::int as n from purchase_orders where id = any($1) group by 1 order by 2`,
    [ids],
  );
  expect(states.rows).toEqual([
    { state: 'cancelled', n: 1 },
    { state: 'items_added', n: 64 },
  ]);
  expect([await stateOf(other), await stateOf(later)]).toEqual(['held', 'held']);
  expect(await actionsOn(ids[0]!)).toEqual([
    { who: 'Ann', via: 'console', action: 'release', note: 'new price list' },
  ]);
  expect((await get(`/purchase-orders/${ids[0]}`)).timeline).toContainEqual(
    expect.objectContaining({
      kind: 'action',
      who: 'Ann',
      detail: 'new price list',
    }),
  );
  expect((await get(`/purchase-orders/${ids[0]}`)).timeline).toContainEqual(
    expect.objectContaining({ kind: 'state', what: 'Held', detail: 'too dear' }),
  );
  expect(filled).toEqual(new Set(['north']));
  expect((await get('/activity?action=bulk_release')).items[0]).toMatchObject({
    who: 'Ann',
    importId: within,
    detail: { bulkRun: run.id, expected: 65 },
  });
});

test('a run counts each PO once, says why some were not changed, and can be stopped', async () => {
  const { pool } = use.deps;
  await runner?.stop();
  runner = undefined;
  const within = await insertImport(pool, { account: 'north', sha256: 'stop' });
  const moved = await addHeld('held', 'price_above', within);
  for (let n = 0; n < 3; n += 1) await addHeld('held', 'duplicate_po', within);
  const filter = { importId: within };
  const first = (await post('/bulk', { action: 'release', filter, expected: 4 })).body;
  const second = (await post('/bulk', { action: 'cancel', filter, expected: 4 })).body;
  expect((await get('/bulk?running=true')).items).toHaveLength(2);
  expect((await post(`/bulk/${second.id}/stop`, {}, bob)).body).toMatchObject({
    state: 'stopped',
    stoppedBy: 'Bob',
  });
  expect((await post(`/bulk/${second.id}/stop`, {})).body.detail).toBe('Bob has stopped it already.');
  expect((await post(`/bulk/${first.id}/stop`, {}, south)).status).toBe(404);
  await pool.query(
    `update purchase_orders set changed_at = clock_timestamp() + interval '1 second' where id = $1`,
    [moved],
  );
  runner = startRunner();
  const end = await ended(first.id);
  expect(end.tried).toBe(4);
  expect(end.done + end.notDone).toBe(4);
  expect(end.reasons).toContainEqual({ why: 'it has changed since the run was confirmed', count: 1 });
  expect(await stateOf(moved)).toBe('held');
  expect((await get(`/bulk/${second.id}`)).tried).toBe(0);
});

test('a run leaves alone what another person has done since it was confirmed, also when it cancels', async () => {
  const { pool } = use.deps;
  await runner?.stop();
  const within = await insertImport(pool, { account: 'north', sha256: 'two persons' });
  const released = await addHeld('held', 'price_above', within);
  const other = await addHeld('held', 'price_above', within);
  const run = (await post('/bulk', { action: 'cancel', filter: { importId: within }, expected: 2 }, bob))
    .body;
  expect((await act('release', [released])).body).toMatchObject({ done: 1 });
  // A worker advances the other PO meanwhile; it is still cancelled.
  await pool.query('update purchase_orders set changed_at = clock_timestamp() where id = $1', [other]);
  runner = startRunner();
  const end = await ended(run.id);
  expect(end).toMatchObject({ done: 1, notDone: 1 });
  expect(end.reasons).toEqual([{ why: 'it has changed since the run was confirmed', count: 1 }]);
  expect([await stateOf(released), await stateOf(other)]).toEqual(['items_added', 'cancelled']);
});

test('a run that was stopped does nothing more', async () => {
  const { pool } = use.deps;
  await runner?.stop();
  const within = await insertImport(pool, { account: 'north', sha256: 'stopped in the middle' });
  for (let n = 0; n < 15; n += 1) await addHeld('held', 'price_above', within);
  const run = (await post('/bulk', { action: 'cancel', filter: { importId: within }, expected: 15 })).body;
  runner = startRunner();
  await until(async () => (await get(`/bulk/${run.id}`)).tried > 0, { limitMs: 20_000, everyMs: 1 });
  const { body } = await post(`/bulk/${run.id}/stop`, {}, bob);
  await runner.stop();
  const after = await get(`/bulk/${run.id}`);
  // The run stops after the current PO.
  if (body.state === 'stopped') expect(after.done - body.done).toBeLessThanOrEqual(1);
  expect(after.done).toBe(after.tried);
});
