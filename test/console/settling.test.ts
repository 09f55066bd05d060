import { beforeAll, describe, expect, test } from 'vitest';
import type { ActionAnswer } from '../../src/api-contract/actions.ts';
import type { ActivityAnswer } from '../../src/api-contract/activity.ts';
import type { BulkCountAnswer, BulkRun } from '../../src/api-contract/bulk.ts';
import type { ImportDetail } from '../../src/api-contract/imports.ts';
import type { PoDetail, PurchaseOrdersAnswer } from '../../src/api-contract/purchase-orders.ts';
import type { TodayAnswer } from '../../src/api-contract/today.ts';
import { listNotOrderedNeeds } from '../../src/cli/needs-person.ts';
import { silentLogger } from '../../src/logger.ts';
import { startBulkRuns } from '../../src/worker/run-bulk.ts';
import { insertImport, insertPurchaseOrder, insertRow } from '../support/ledger-rows.ts';
import { useConsole } from './use-console.ts';

const console = useConsole();
let anna: Record<string, string>;
let viewer: Record<string, string>;
let south: Record<string, string>;

const get = async <T>(path: string, headers = anna): Promise<T> =>
  (await console.app.inject({ method: 'GET', url: `/api/v1${path}`, headers })).json<T>();
const post = async (path: string, payload: object, headers = anna) =>
  console.app.inject({ method: 'POST', url: `/api/v1${path}`, headers, payload });
const act = async (action: string, id: string, more: object = {}, headers = anna) =>
  post('/purchase-orders/actions', { action, items: [{ id }], ...more }, headers);
const today = (account: string, query = '') => get<TodayAnswer>(`/today?account=${account}${query}`);
const detail = (id: string) => get<PoDetail>(`/purchase-orders/${id}`);

/** A separate account with one file, and a function that adds POs. */
let nth = 0;
const newAccount = async () => {
  nth += 1;
  const account = `account${nth}`;
  const { pool } = console.deps;
  const file = await insertImport(pool, { account, sha256: account });
  const add = (poNumber: string, row: object = {}) =>
    insertPurchaseOrder(pool, file, poNumber, { account, ...row });
  const failed = (poNumber: string, message = 'The service refuses SKU 7.') =>
    add(poNumber, { state: 'failed', reason_code: 'refused_by_service', reason_text: message });
  return { account, file, add, failed };
};
const setRow = (id: string, set: string) =>
  console.deps.pool.query(`update purchase_orders set ${set}, changed_at = clock_timestamp() where id = $1`, [
    id,
  ]);

const runBulk = async (action: string, filter: object, more: object = {}) => {
  const { exact } = (await post('/bulk/count', { action, filter })).json<BulkCountAnswer>();
  const { id } = (await post('/bulk', { action, filter, expected: exact, ...more })).json<BulkRun>();
  const runner = startBulkRuns({
    pool: console.deps.pool,
    logger: silentLogger,
    fillAccounts: async () => {},
    writeDueResults: async () => {},
  });
  try {
    await expect
      .poll(async () => (await get<BulkRun>(`/bulk/${id}`)).state, { timeout: 20_000 })
      .toBe('finished');
  } finally {
    await runner.stop();
  }
  return get<BulkRun>(`/bulk/${id}`);
};

beforeAll(async () => {
  anna = await console.signedIn('operator', null, 'Anna');
  viewer = await console.signedIn('viewer', null, 'Vera');
  south = await console.signedIn('operator', ['south'], 'Sam');
});

describe('not needed', () => {
  test.each([
    ['failed', { state: 'failed', reason_code: 'refused_by_service', reason_text: 'No such SKU.' }],
    ['rejected', { state: 'rejected', reason_code: 'row_issues' }],
    ['an alarm', { state: 'ordered', ordered_at: new Date(), alarm: 'It shows more: 9 and not 2.' }],
  ])(
    'said of a PO that has %s: Today is quiet, its page says who and why, and it can be taken back',
    async (_, row) => {
      const { account, add } = await newAccount();
      const id = await add('P-1', row);
      expect((await today(account)).quiet).toBe(false);
      const answer = await act('settle', id, { note: 'the dealer bought it elsewhere' });
      expect(answer.json<ActionAnswer>().sentence).toBe('Marked 1 PO as not needed.');
      expect(await today(account)).toMatchObject({ quiet: true, notOrdered: [], alarms: [] });
      const settled = await detail(id);
      expect(settled).toMatchObject({ settled: true, state: row.state, alarm: null });
      expect(settled.timeline.find(({ what }) => what === 'Marked as not needed')).toMatchObject({
        who: 'Anna',
        detail: expect.stringContaining('the dealer bought it elsewhere'),
      });
      expect(settled.banner.actions.map(({ action }) => action)).toContain('unsettle');
      // Only once.
      expect((await act('settle', id)).statusCode).toBe(409);

      expect((await act('unsettle', id, { note: 'it is wanted' })).statusCode).toBe(200);
      expect((await today(account)).quiet).toBe(false);
      expect((await detail(id)).settled).toBe(false);
      expect((await act('unsettle', id)).statusCode).toBe(409);
    },
  );

  test('a new attempt that fails and another alarm are raised again', async () => {
    const { account, file, add, failed } = await newAccount();
    const retried = await failed('P-1');
    const line = { import_id: file, row_number: 2, po_number: 'P-1', item_sku: 'X', quantity: 1 };
    await insertRow(console.deps.pool, 'lines', line);
    const alarmed = await add('P-2', { state: 'ordered', ordered_at: new Date(), alarm: 'More: 9.' });
    for (const id of [retried, alarmed]) await act('settle', id);
    expect((await today(account)).quiet).toBe(true);
    await act('retry', retried);
    await setRow(retried, `state = 'failed', reason_text = 'The service refuses SKU 7.'`);
    expect((await today(account)).notOrdered).toMatchObject([{ example: { id: retried } }]);
    // Closing the PO does not make its alarm new.
    await setRow(alarmed, `state = 'closed'`);
    expect((await today(account)).alarms).toEqual([]);
    await setRow(alarmed, `alarm = 'More: 10.'`);
    expect((await today(account)).alarms).toMatchObject([{ example: { id: alarmed } }]);
  });

  test('of a refused file, which is grey and no longer counted, until that is taken back', async () => {
    const { account } = await newAccount();
    const { pool } = console.deps;
    const refused = (name: string) =>
      insertImport(pool, {
        ...{ account, state: 'refused', file_name: name, sha256: `${account} ${name}` },
        ...{ reason_code: 'columns_missing', reason_text: 'It has no quantities.' },
      });
    const ids = [await refused('a.csv'), await refused('b.csv')];
    // One entry for each cause.
    expect((await today(account)).refused).toMatchObject([
      { files: [{ fileName: 'b.csv' }, { fileName: 'a.csv' }] },
    ]);
    const answer = await post('/imports/actions', { action: 'settle', ids, note: 'sent by mistake' });
    expect(answer.json()).toEqual({ sentence: 'Marked 2 files as not needed.', done: 2, notDone: 0 });
    expect(await today(account)).toMatchObject({ quiet: true, refused: [] });
    const file = await get<ImportDetail>(`/imports/${ids[0]}`);
    expect(file).toMatchObject({ outcome: 'not_needed', settled: true, place: null });
    expect(file.actions.find(({ action }) => action === 'unsettle')).toMatchObject({ possible: true });
    expect((await post('/imports/actions', { action: 'settle', ids })).statusCode).toBe(409);
    await post('/imports/actions', { action: 'unsettle', ids: [ids[0]] });
    expect((await today(account)).refused).toMatchObject([{ files: [{ id: ids[0] }] }]);
    const { items } = await get<ActivityAnswer>(`/activity?account=${account}`);
    expect(items.map(({ action, who, note }) => [action, who, note])).toEqual([
      ['unsettle', 'Anna', null],
      ['settle', 'Anna', 'sent by mistake'],
      ['settle', 'Anna', 'sent by mistake'],
    ]);
  });

  test('of rows that belong to no PO, which need a person until somebody sends them or says so', async () => {
    const { account, file, add } = await newAccount();
    const { pool } = console.deps;
    await add('P-1', { state: 'ordered' });
    const issue = { import_id: file, severity: 'issue', column_name: 'PO', code: 'po_missing' };
    await insertRow(pool, 'row_issues', { ...issue, row_number: 3, message: 'The row has no PO number.' });
    await insertRow(pool, 'row_issues', { ...issue, row_number: 4, po_number: 'P-1', message: 'Another.' });
    const shown = await today(account);
    expect(shown).toMatchObject({
      sentence: 'Needs you: 1 file with rows of no PO.',
      refused: [{ reasonCode: 'rows_without_po', files: [{ id: file }] }],
    });
    expect(shown.refused[0]!.reasonText).toBe(
      '1 of its rows belongs to no PO, so nothing of it was ordered. Row 3: The row has no PO number.',
    );
    expect((await listNotOrderedNeeds(pool, [account])).map(({ message }) => message)).toEqual([
      expect.stringContaining(`settle --import ${file}`),
    ]);
    await post('/imports/actions', { action: 'settle', ids: [file] });
    expect(await today(account)).toMatchObject({ quiet: true, refused: [] });
    expect(await get<ImportDetail>(`/imports/${file}`)).toMatchObject({
      ...{ outcome: 'partly_ordered', settled: true, rowsWithoutPo: 1 },
    });
    await post('/imports/actions', { action: 'unsettle', ids: [file] });
    expect((await today(account)).refused).toHaveLength(1);
  });

  test('is no second way to say what cancelling said: a failed PO cannot be cancelled any more', async () => {
    const { failed } = await newAccount();
    const id = await failed('P-1');
    expect((await detail(id)).banner.actions.map(({ action }) => action)).not.toContain('cancel');
    expect((await act('cancel', id)).json().detail).toContain('say that it is not needed instead');
  });

  test('needs the right to act, and an account that the person may see', async () => {
    const { account, failed } = await newAccount();
    const id = await failed('P-1');
    const file = await insertImport(console.deps.pool, { account, state: 'refused', sha256: 'rights' });
    const files = { action: 'settle', ids: [file] };
    for (const action of ['settle', 'assign']) {
      expect((await act(action, id, { assignee: null }, viewer)).statusCode).toBe(403);
      expect((await act(action, id, { assignee: null }, south)).statusCode).toBe(404);
    }
    expect((await post('/imports/actions', files, viewer)).statusCode).toBe(403);
    expect((await post('/imports/actions', files, south)).statusCode).toBe(404);
    expect((await console.app.inject({ url: '/api/v1/people', headers: viewer })).statusCode).toBe(403);
    expect((await today(account)).refused).toHaveLength(1);
  });
});

describe('the same cause', () => {
  test('is one entry, of failed POs by what the service said, with one action for all of it', async () => {
    const { account, failed, add } = await newAccount();
    // In any row of its file.
    for (const [at, number] of ['A-1', 'A-2', 'A-3'].entries())
      await failed(number, `The service refused it: row ${4 + at * 7}: answered 422: SKU 7 is unknown.`);
    const other = await failed('B-1', 'The service refuses the address of B-1.');
    await add('C-1', { state: 'rejected', reason_code: 'row_issues', reason_text: 'Row 2 has no SKU.' });
    await add('C-2', { state: 'rejected', reason_code: 'row_issues', reason_text: 'Row 9 has no SKU.' });
    // A later file corrects it, so nothing is left to do.
    await add('C-3', { state: 'rejected', reason_code: 'corrected' });
    const { notOrdered, sentence } = await today(account);
    expect(notOrdered.map(({ state, message, count }) => [state, message, count.count])).toEqual([
      ['failed', 'The service refused it: answered 422: SKU 7 is unknown.', 3],
      ['rejected', null, 2],
      ['failed', 'The service refuses the address of B-1.', 1],
    ]);
    expect(sentence).toBe('Needs you: 4 POs failed, 2 POs rejected.');
    const [group] = notOrdered;
    const filter = {
      ...{ account, state: ['failed'], needs: 'settling' },
      ...{ reason: group!.reasonCode!, message: group!.message! },
    };
    expect(await runBulk('settle', filter, { note: 'wrong catalogue' })).toMatchObject({
      sentence: expect.stringMatching(/^Mark 3 POs of account\d+ .* as not needed\.$/),
      done: 3,
      notDone: 0,
    });
    const left = await today(account);
    expect(left.notOrdered.map(({ example }) => example.poNumber).sort()).toEqual(['B-1', 'C-2']);
    // Settled POs are neither counted nor retried with the others.
    const { states } = await get<{ states: { state: string; count: { count: number } }[] }>(
      `/purchase-orders/facets?account=${account}`,
    );
    expect(states.map(({ state, count }) => [state, count.count]).sort()).toEqual([
      ['failed', 1],
      ['rejected', 2],
    ]);
    const retry = await post('/bulk/count', { action: 'retry', filter: { account } });
    expect(retry.json<BulkCountAnswer>().exact).toBe(1);
    const { items } = await get<PurchaseOrdersAnswer>(`/purchase-orders?account=${account}&settled=true`);
    expect(items.map(({ poNumber }) => poNumber)).toEqual(['A-3', 'A-2', 'A-1']);
    expect(await runBulk('unsettle', { account, settled: true })).toMatchObject({ done: 3 });
    expect((await detail(other)).settled).toBe(false);
    expect((await today(account)).sentence).toBe('Needs you: 4 POs failed, 2 POs rejected.');
  });

  test('of alarms is what differs, without its numbers', async () => {
    const { account, add } = await newAccount();
    const alarmed = (poNumber: string, alarm: string) =>
      add(poNumber, { state: 'ordered', ordered_at: new Date(), alarm });
    await alarmed('A-1', 'The service shows larger quantities: 9 X and not 2.');
    await alarmed('A-2', 'The service shows larger quantities: 4 Y and not 1.');
    await alarmed('A-3', 'The service shows another address: 1 Main St.');
    const { alarms } = await today(account);
    expect(alarms.map(({ cause, count }) => [cause, count])).toEqual([
      ['The service shows larger quantities', 2],
      ['The service shows another address', 1],
    ]);
    expect(await runBulk('settle', { account, alarm: true, alarmCause: alarms[0]!.cause })).toMatchObject({
      done: 2,
    });
    expect((await today(account)).alarms).toMatchObject([{ example: { poNumber: 'A-3' } }]);
  });

  test('a run is one line of Activity, which opens to what it changed; the CSV has every PO', async () => {
    const { account, failed } = await newAccount();
    for (const number of ['A-1', 'A-2']) await failed(number);
    const { id } = await runBulk('settle', { account, state: ['failed'] });
    const { items } = await get<ActivityAnswer>(`/activity?account=${account}`);
    expect(items).toMatchObject([{ action: 'bulk_settle', detail: { bulkRun: id, expected: 2 } }]);
    const opened = await get<ActivityAnswer>(`/activity?bulkRun=${id}`);
    expect(opened.items.map(({ action, poNumber }) => [action, poNumber])).toEqual([
      ['settle', 'A-2'],
      ['settle', 'A-1'],
    ]);
    const csv = await console.app.inject({
      url: `/api/v1/activity?account=${account}&format=csv`,
      headers: anna,
    });
    expect(csv.body.trimEnd().split('\r\n')).toHaveLength(4);
    // A user with access to this account alone still sees what a run over several accounts did to its POs.
    await runBulk('unsettle', { settled: true });
    const own = await console.signedIn('viewer', [account]);
    const seen = await get<ActivityAnswer>('/activity', own);
    expect(seen.items.filter(({ action }) => action === 'unsettle')).toHaveLength(2);
  });
});

describe('assigned', () => {
  test('to a person, who finds it under Mine, and nobody else does', async () => {
    const { account, failed, add } = await newAccount();
    const ben = await console.signedIn('operator', [account], `Ben of ${account}`);
    const mine = await failed('A-1');
    await failed('A-2');
    const held = await add('H-1', { state: 'held', reason_code: 'price_above' });
    const alarmed = await add('D-1', { state: 'ordered', ordered_at: new Date(), alarm: 'More: 9.' });
    const file = await insertImport(console.deps.pool, {
      account,
      state: 'refused',
      sha256: `refused ${account}`,
    });
    const assignee = `Ben of ${account}`;
    for (const id of [mine, held, alarmed])
      expect((await act('assign', id, { assignee })).json<ActionAnswer>().sentence).toBe('Assigned 1 PO.');
    await post('/imports/actions', { action: 'assign', ids: [file], assignee });
    const found = await get<TodayAnswer>('/today?mine=true', ben);
    expect(found).toMatchObject({
      sentence: 'Needs you: 1 PO held, 1 PO failed, 1 file refused, 1 alarm.',
      held: [{ count: { count: 1 }, example: { id: held } }],
      notOrdered: [{ count: { count: 1 }, example: { id: mine }, assignees: [assignee] }],
      refused: [{ files: [{ id: file }], assignees: [assignee] }],
      alarms: [{ example: { id: alarmed }, assignees: [assignee] }],
    });
    expect(await get<TodayAnswer>('/today?mine=true')).toMatchObject({
      quiet: true,
      sentence: 'Nothing is assigned to you.',
    });
    expect((await detail(mine)).assignee).toBe(assignee);
    // The whole group, unassigned.
    const filter = { account, state: ['failed'], needs: 'settling', assignee };
    expect(await runBulk('assign', filter, { assignee: null })).toMatchObject({ done: 1, assignee: null });
    expect((await detail(mine)).assignee).toBeNull();
    const { timeline } = await detail(mine);
    expect(timeline.filter(({ what }) => what === 'Assigned')).toMatchObject([
      { who: 'Anna', detail: `to ${assignee}` },
      { who: 'Anna' },
    ]);
  });

  test('only to people who may act for the account', async () => {
    const { failed, account } = await newAccount();
    const id = await failed('A-1');
    for (const assignee of ['Vera', 'Sam', 'nobody at all', undefined]) {
      const answer = await act('assign', id, assignee === undefined ? {} : { assignee });
      expect([assignee, answer.statusCode]).toEqual([assignee, 422]);
    }
    const { people } = await get<{ people: string[] }>(`/people?account=${account}`);
    expect(people).toContain('Anna');
    expect(people).not.toContain('Vera');
    expect(people).not.toContain('Sam');
  });
});
