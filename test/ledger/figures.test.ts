import { expect, test } from 'vitest';
import { listAccounts, listPauses } from '../../src/ledger/console/accounts.ts';
import { readFigures } from '../../src/ledger/figures.ts';
import { claimTask, endTask } from '../../src/ledger/maintenance.ts';
import { insertImport, insertPurchaseOrder, useTestLedger } from '../support/ledger-rows.ts';

const on = useTestLedger();

test('the figures of an empty ledger are 0', async () => {
  expect(await readFigures(on.pool)).toEqual({
    accounts: [],
    holds: {},
    files: {},
    rows: 0,
    workers: { placing: 0, files: 0 },
    heldQueues: 0,
    undelivered: 0,
    undeliveredSince: undefined,
    backup: undefined,
  });
});

test('it counts POs by account and state, holds by reason, files and rows, and finds what has waited longest', async () => {
  const { pool } = on;
  const north = { account: 'north' };
  const file = await insertImport(pool, { ...north, state: 'read', row_count: 12 });
  await insertImport(pool, { account: 'south', state: 'taken', taken_at: '2026-11-20T08:00:00Z' });
  const add = (number: string, more: object) =>
    insertPurchaseOrder(pool, file, number, { ...north, ...more });
  await add('1', { state: 'ordered' });
  await add('2', { state: 'held', reason_code: 'price_above', alarm: 'it differs' });
  await add('3', { state: 'held', reason_code: 'backorder' });
  await add('4', { state: 'rejected', reason_code: 'row_issues' });
  await add('5', { state: 'rejected', reason_code: 'corrected' });
  await add('6', { state: 'verifying', changed_at: '2026-11-20T10:00:00Z' });
  await add('7', { state: 'ready', changed_at: '2026-11-20T11:00:00Z' });
  await pool.query(
    `insert into account_states (account, pause_code, polled_at, poll_note, report_written_at)
     values ('west', 'denied', '2026-11-20T09:00:00Z', 'refused', '2026-11-20T06:00:00Z')`,
  );
  await pool.query(
    `insert into file_problems (account, place, file_name, code, message) values ('west', 'inbox', 'a.csv', 'x', 'y')`,
  );
  await pool.query(
    `insert into workers (id, host, pid, slots, left_at) values (gen_random_uuid(), 'a', 1, 8, null),
       (gen_random_uuid(), 'a', 3, 0, null), (gen_random_uuid(), 'a', 2, 8, now())`,
  );

  const { accounts, ...totals } = await readFigures(pool);
  expect(totals).toEqual({
    holds: { price_above: 1, backorder: 1 },
    files: { read: 1, taken: 1 },
    rows: 12,
    workers: { placing: 1, files: 1 },
    heldQueues: 0,
    undelivered: 0,
    undeliveredSince: undefined,
    backup: undefined,
  });
  const byName = Object.fromEntries(accounts.map((one) => [one.account, one]));
  expect(byName.north).toEqual({
    account: 'north',
    states: { ordered: 1, held: 2, rejected: 1, verifying: 1, ready: 1 },
    alarms: 1,
    failingWebhooks: 0,
    stalled: 0,
    waitingSince: new Date('2026-11-20T10:00:00Z'),
    unread: 0,
    fileProblems: 0,
    pollFailed: false,
  });
  expect(byName.south).toMatchObject({
    states: {},
    unread: 1,
    unreadSince: new Date('2026-11-20T08:00:00Z'),
  });
  expect(byName.west).toMatchObject({
    pauseCode: 'denied',
    polledAt: new Date('2026-11-20T09:00:00Z'),
    pollFailed: true,
    reportWrittenAt: new Date('2026-11-20T06:00:00Z'),
    fileProblems: 1,
  });
});

test('the pause after a restore is over with its time, also of an account that has nothing to call for', async () => {
  const { pool } = on;
  const codes = async () =>
    (await readFigures(pool)).accounts.flatMap(({ account, pauseCode }) => (pauseCode ? [account] : []));
  await pool.query(
    `insert into account_states (account, pause_code, pause_reason, paused_until) values
       ('later', 'restored', 'x', now() + interval '1 hour'), ('over', 'restored', 'x', now() - interval '1 second'),
       ('tries', 'denied', 'x', now() - interval '1 second')`,
  );
  expect((await codes()).toSorted()).toEqual(['later', 'tries', 'west']);
  const listed = ['later', 'over', 'tries'];
  expect((await listPauses(pool, listed)).map(({ account }) => account)).toEqual(['later', 'tries']);
  const shown = (await listAccounts(pool, listed)).map(({ pauseCode }) => pauseCode);
  expect(shown).toEqual(['restored', null, 'denied']);
});

test('counts the messages that are due, and knows the last backup that succeeded', async () => {
  const { pool } = on;
  const figures = async () => {
    const { undelivered, undeliveredSince, backup } = await readFigures(pool);
    return { undelivered, undeliveredSince, backup };
  };
  await pool.query(
    `insert into notifications (route, sections, kinds, due_at, delivered_at, given_up_at) values
       ('office', '[]', '{}', '2026-11-20T09:00:00Z', null, null), ('office', '[]', '{}', '2026-11-20T08:00:00Z', null, null),
       ('office', '[]', '{}', now() + interval '8 hours', null, null),
       ('office', '[]', '{}', '2026-11-20T07:00:00Z', now(), null), ('office', '[]', '{}', '2026-11-20T07:00:00Z', null, now())`,
  );
  expect(await figures()).toEqual({
    undelivered: 2,
    undeliveredSince: new Date('2026-11-20T08:00:00Z'),
    backup: undefined,
  });
  const dueAt = new Date('2026-11-20T02:30:00Z');
  await claimTask(pool, 'backup', dueAt);
  await endTask(pool, 'backup', { doneFor: dueAt, result: 'wrote a file' });
  const { backup } = await figures();
  expect(backup!.dueAt).toEqual(dueAt);
  expect(backup!.endedAt.getTime()).toBeGreaterThan(dueAt.getTime());
  await endTask(pool, 'backup', { failedBecause: 'The disk is full.' });
  expect((await figures()).backup).toEqual({ dueAt, endedAt: dueAt });
});
