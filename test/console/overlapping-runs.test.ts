import { beforeAll, expect, test } from 'vitest';
import { addRun } from '../../src/ledger/console/bulk-runs.ts';
import { insertImport, insertPurchaseOrder } from '../support/ledger-rows.ts';
import { useConsole } from './use-console.ts';

const use = useConsole();
let headers: Record<string, string>;
let north: Record<string, string>;
let importId: string;

beforeAll(async () => {
  const { pool } = use.deps;
  headers = await use.signedIn('operator');
  north = await use.signedIn('operator', ['north']);
  importId = await insertImport(pool, { account: 'north' });
  await insertPurchaseOrder(pool, importId, 'B-1', {
    account: 'north',
    state: 'held',
    reason_code: 'price_above',
  });
});

const begin = (action: 'release' | 'cancel' | 'retry', filter: object, accounts: string[] | null = null) =>
  addRun(use.deps.pool, { action, filter, expected: 1, accounts, who: 'Ann', via: 'console' });
const runningBeside = async (action: string, filter: object, by = headers) => {
  const payload = { action, filter };
  const answer = await use.app.inject({ method: 'POST', url: '/api/v1/bulk/count', headers: by, payload });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().running;
};
const end = () =>
  use.deps.pool.query(`update bulk_runs set state = 'finished', finished_at = clock_timestamp()`);

test('who is about to start a bulk run reads who has started one on the same POs, what and when', async () => {
  const run = await begin('cancel', { account: 'north', state: ['held'] });
  const named = [
    { id: run.id, who: 'Ann', sentence: 'Cancel POs of north that are held.', createdAt: run.createdAt },
  ];
  expect(await runningBeside('release', { importId })).toEqual(named);
  expect(await runningBeside('cancel', {})).toEqual(named);
  await end();
  expect(await runningBeside('release', { importId })).toEqual([]);
});

test.each<[string, 'release' | 'cancel' | 'retry', object, object, boolean]>([
  ['another account', 'release', { account: 'south' }, { account: 'north' }, false],
  ['another import', 'release', { importId: '7' }, { importId: '8' }, false],
  ['states that the new action is not for', 'retry', {}, {}, false],
  ['another reason', 'release', { reason: 'price_above' }, { reason: 'backorder' }, false],
  ['the same reason', 'release', { reason: 'price_above' }, { reason: 'price_above' }, true],
  ['parts that one number can have', 'release', { po: 'A' }, { po: 'B' }, true],
  ['everything', 'cancel', {}, { account: 'north', reason: 'price_above', po: 'B' }, true],
])('a running run over %s', async (_what, action, filter, planned, isNamed) => {
  await begin(action, filter);
  expect((await runningBeside('release', planned)).length > 0).toBe(isNamed);
  await end();
});

test('of a run over the accounts of others too a person learns who and what, not the filter', async () => {
  await begin('release', { po: 'SECRET' });
  await begin('release', { account: 'south' });
  expect(await runningBeside('cancel', {}, north)).toEqual([
    { id: null, who: 'Ann', sentence: 'Release all POs.', createdAt: expect.any(String) },
  ]);
  await end();
});
