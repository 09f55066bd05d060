import { beforeAll, expect, test } from 'vitest';
import type { AccountsAnswer } from '../../src/api-contract/accounts.ts';
import type { ImportDetail, ImportTimeline } from '../../src/api-contract/imports.ts';
import type { PoDetail } from '../../src/api-contract/purchase-orders.ts';
import { addRun } from '../../src/ledger/console/bulk-runs.ts';
import { insertImport, insertPurchaseOrder, insertRow } from '../support/ledger-rows.ts';
import { useConsole } from './use-console.ts';

const console = useConsole();
let operator: Record<string, string>;

const get = async <T>(path: string): Promise<T> => {
  const answer = await console.app.inject({ method: 'GET', url: `/api/v1${path}`, headers: operator });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.headers['content-type']?.toString().startsWith('text/csv')
    ? (answer.body as T)
    : answer.json<T>();
};
const act = async (action: string, ids: string[], note?: string) => {
  const { rows } = await console.deps.pool.query(
    `select id::text, to_char(changed_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "changedAt"
     from purchase_orders where id = any($1)`,
    [ids],
  );
  const answer = await console.app.inject({
    method: 'POST',
    url: '/api/v1/purchase-orders/actions',
    headers: operator,
    payload: { action, items: rows, note },
  });
  expect(answer.json(), answer.body).toMatchObject({ done: ids.length });
};
const timelineOf = async (id: string) =>
  (await get<ImportTimeline>(`/imports/${id}/timeline`)).events.map(({ what, count, detail }) => [
    what,
    count,
    detail,
  ]);

const takenAt = '2026-11-20T10:00:00Z';
const at = (second: number) => new Date(Date.parse(takenAt) + second * 1000);

beforeAll(async () => {
  operator = await console.signedIn('operator', null, 'otto');
});

test('what happened to a file stays: POs are counted where they were held, failed or rejected, also after they were released', async () => {
  const { pool } = console.deps;
  const id = await insertImport(pool, { sha256: 'timeline', row_count: 9, taken_at: at(0), read_at: at(1) });
  const po = (poNumber: string, row: object) =>
    insertPurchaseOrder(pool, id, poNumber, { created_at: at(1), changed_at: at(5), ...row });
  const reason = { reason_code: 'price_above', reason_text: 'SKU-1 costs 9.00.' };
  const held = [await po('L-1', { state: 'held', ...reason }), await po('L-2', { state: 'held', ...reason })];
  const failed = await po('L-3', { state: 'failed', reason_code: 'refused_by_service', changed_at: at(9) });
  await insertRow(pool, 'lines', {
    import_id: id,
    row_number: 4,
    po_number: 'L-3',
    item_sku: 'A',
    quantity: 1,
  });
  await po('L-4', { state: 'rejected', reason_code: 'row_issues', changed_at: at(1) });
  await po('L-5', { state: 'ordered', ordered_at: at(4) });

  await act('release', [held[0]!], 'agreed');
  await act('retry', [failed]);
  await act('cancel', [held[1]!]);
  await addRun(pool, {
    action: 'release',
    filter: { importId: id },
    expected: 49,
    accounts: null,
    who: 'otto',
    via: 'console',
  });
  expect(await timelineOf(id)).toEqual([
    ['Picked up', null, 'orders.csv'],
    ['Read', 5, '9 rows'],
    ['Rejected', 1, 'The file has an issue in at least one row of this PO.'],
    ['Ordered', 1, null],
    ['Held', 2, expect.stringMatching(/price/)],
    ['Failed', 1, 'The service refused it'],
    ['Released', 1, 'agreed'],
    ['Retried', 1, null],
    ['Asked to cancel', 1, null],
    ['Started to release many', 49, null],
  ]);
  const { timeline } = await get<PoDetail>(`/purchase-orders/${held[0]}`);
  expect(timeline.map(({ what, detail }) => [what, detail])).toEqual([
    ['Read from row 2 of orders.csv', null],
    ['Held', 'SKU-1 costs 9.00.'],
    ['Released', 'agreed'],
  ]);
});

test('an import took until its POs were done for the first time, not until people had decided about them', async () => {
  const { pool } = console.deps;
  const id = await insertImport(pool, { sha256: 'took', taken_at: at(0), read_at: at(1) });
  const row = { created_at: at(1), changed_at: at(9.4), state: 'held', reason_code: 'price_above' };
  const held = await insertPurchaseOrder(pool, id, 'D-1', row);
  await insertPurchaseOrder(pool, id, 'D-2', {
    ...row,
    state: 'closed',
    reason_code: null,
    ordered_at: at(3),
    changed_at: at(86_400),
  });
  expect(await get<ImportDetail>(`/imports/${id}`)).toMatchObject({ durationMs: 9400 });
  await act('release', [held]);
  expect(await get<ImportDetail>(`/imports/${id}`)).toMatchObject({ durationMs: null, finishedAt: null });
  await pool.query(`update purchase_orders set state = 'ordered', ordered_at = now() where id = $1`, [held]);
  expect(await get<ImportDetail>(`/imports/${id}`)).toMatchObject({ durationMs: 9400 });
  expect(await get<string>('/imports?format=csv')).toContain('9.4');
});

test('a quote counts as quoted, and not as cancelled, in the states of its import and its account', async () => {
  const { pool } = console.deps;
  const id = await insertImport(pool, { account: 'quotes', sha256: 'quotes', quote_only: true });
  const row = { account: 'quotes', state: 'cancelled', quote_only: true };
  for (const poNumber of ['Q-1', 'Q-2'])
    await insertPurchaseOrder(pool, id, poNumber, { ...row, reason_code: 'quoted' });
  await insertPurchaseOrder(pool, id, 'Q-3', { ...row, reason_code: 'cancelled' });
  expect(await get<ImportDetail>(`/imports/${id}`)).toMatchObject({
    states: { quoted: 2, cancelled: 1 },
    outcomeText: '2 POs quoted, 1 cancelled.',
  });
  const { items } = await get<AccountsAnswer>('/accounts');
  expect(items.find(({ account }) => account === 'quotes')?.states).toEqual({ quoted: 2, cancelled: 1 });
  expect(await timelineOf(id)).toContainEqual(['Quoted', 2, expect.stringContaining('A quote')]);
});
