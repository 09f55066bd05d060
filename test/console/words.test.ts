import { beforeAll, expect, test } from 'vitest';
import type { AccountsAnswer } from '../../src/api-contract/accounts.ts';
import type { ImportDetail } from '../../src/api-contract/imports.ts';
import type { PoDetail } from '../../src/api-contract/purchase-orders.ts';
import type { TodayAnswer } from '../../src/api-contract/today.ts';
import { whyNot } from '../../src/console/action-words.ts';
import { insertImport, insertPurchaseOrder, insertRow } from '../support/ledger-rows.ts';
import { useConsole } from './use-console.ts';

const console = useConsole();
let operator: Record<string, string>;

const get = async <T>(path: string): Promise<T> =>
  (await console.app.inject({ method: 'GET', url: `/api/v1${path}`, headers: operator })).json<T>();
const post = async (path: string, payload: object) =>
  (await console.app.inject({ method: 'POST', url: `/api/v1${path}`, headers: operator, payload })).json();

beforeAll(async () => {
  operator = await console.signedIn('operator');
});

test('who was slower is told when it happened in the zone of the account', () => {
  const present = {
    id: '1',
    state: 'ready' as const,
    who: 'otto',
    action: 'release',
    at: '2026-11-22T23:30:00Z',
  };
  expect(whyNot('it is not held', present, '2026-11-22T23:00:00Z', 'Europe/Berlin')).toBe(
    'otto released it at 2026-11-23 00:30 (Europe/Berlin). Not done: it is not held.',
  );
  // The reason is not repeated.
  const changed = 'it has changed meanwhile and is waiting to be placed now; check it and try again';
  expect(whyNot(changed, { ...present, at: null }, undefined, 'Europe/Berlin')).toBe(`Not done: ${changed}.`);
});

test('the sentences about an account have no codes of the program', async () => {
  const { pool } = console.deps;
  await insertImport(pool, { account: 'paused', sha256: 'paused' });
  await pool.query(
    `insert into account_states (account, pause_code, pause_reason, paused_since, paused_until)
     values ('paused', 'service_unreachable', 'connect ECONNREFUSED 127.0.0.1:1', now(), now() + interval '1 hour')`,
  );
  const { items } = await get<AccountsAnswer>('/accounts');
  const { sentence } = items.find(({ account }) => account === 'paused')!;
  expect(sentence).toMatch(/^paused is paused: /);
  expect(sentence).not.toContain('_');
  await post('/accounts/default/pause', {});
  expect((await post('/accounts/default/resume', {})).sentence).toBe(
    'default is resumed. Its POs continue where they stopped.',
  );
});

test('a file that is being placed says how many POs are, not how many have no next step', async () => {
  const { pool } = console.deps;
  const id = await insertImport(pool, { sha256: 'placing' });
  await insertPurchaseOrder(pool, id, 'P-1');
  await insertPurchaseOrder(pool, id, 'P-2', { state: 'held', reason_code: 'price_above' });
  expect((await get<ImportDetail>(`/imports/${id}`)).outcomeText).toBe('1 of 2 POs is still being placed.');
});

test('failed POs on Today can be marked as not needed together, and retried where that helps in spite of the refusal', async () => {
  const { pool } = console.deps;
  const id = await insertImport(pool, { account: 'ended', sha256: 'ended' });
  const row = { account: 'ended', reason_code: 'row_issues' };
  await insertPurchaseOrder(pool, id, 'E-1', { ...row, state: 'failed', reason_code: 'refused_by_service' });
  await insertPurchaseOrder(pool, id, 'E-2', { ...row, state: 'rejected' });
  const { notOrdered } = await get<TodayAnswer>('/today?account=ended');
  expect(notOrdered.map(({ state, actions }) => [state, actions.map(({ action }) => action)])).toEqual([
    ['failed', ['settle', 'assign', 'retry']],
    ['rejected', ['settle', 'assign']],
  ]);
});

test('a change in the timeline has amounts with cents and only the beginning of a long value', async () => {
  const { pool } = console.deps;
  const id = await insertImport(pool, { sha256: 'changes' });
  const po = await insertPurchaseOrder(pool, id, 'C-1', { state: 'ordered', ordered_at: new Date() });
  const order = await insertRow(pool, 'orders', {
    account: 'default',
    purchase_order_id: po,
    po_number: 'C-1',
    order_number: 'SO-1',
  });
  const change = (field: string, was: string | null, became: string) =>
    insertRow(pool, 'status_changes', { order_id: order, field, was, became });
  await change('order_total', '32.8', '40');
  await change('tracking_numbers', null, '9'.repeat(9000));
  await change('warehouse', '4', 'GA');
  const { timeline } = await get<PoDetail>(`/purchase-orders/${po}`);
  expect(timeline.filter(({ kind }) => kind === 'status').map(({ detail }) => detail)).toEqual([
    'SO-1: 32.80 → 40.00',
    `SO-1: ${'9'.repeat(60)}…`,
    'SO-1: 4 → GA',
  ]);
});
