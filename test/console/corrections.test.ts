import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { CorrectionsAnswer } from '../../src/api-contract/corrections.ts';
import type { ImportDetail } from '../../src/api-contract/imports.ts';
import type { PoDetail } from '../../src/api-contract/purchase-orders.ts';
import type { TodayAnswer } from '../../src/api-contract/today.ts';
import { createResultRegister } from '../../src/ledger/result-register.ts';
import { writeResultFile } from '../../src/reports/result-file.ts';
import { header, useCorrections } from './use-corrections.ts';

const desk = useCorrections();
const { use, rootOf, queued, call, done, read, waiting } = desk;
const { take, badFile, open, corrected, requestOf, check, order, ordered, posOf, statesOf, fail } = desk;

let po: string;
beforeEach(() => {
  po = desk.po();
});

test('rejected POs are repaired in the browser: marked, checked, ordered as an import of their own, and followed', async () => {
  const importId = await take('night.csv', badFile());
  const shown = await done<ImportDetail>('GET', `/imports/${importId}`);
  expect(shown.place).toBe('correct');
  const { notOrdered } = await done<TodayAnswer>('GET', '/today?account=north');
  expect(notOrdered[0]!.files).toContainEqual({ importId, fileName: 'night.csv', count: 2 });

  const opened = await open(importId);
  expect(opened.purchaseOrders.map(({ poNumber, state }) => [poNumber, state])).toEqual([
    [`${po}2`, 'rejected'],
    [`${po}3`, 'rejected'],
  ]);
  expect(opened.rows.map(({ rowNumber }) => rowNumber)).toEqual([3, 4, 5]);
  expect(opened.columns.at(-1)).toMatchObject({
    header: 'Ship Via',
    choices: expect.arrayContaining(['BEST', 'UP2D']),
  });
  expect(opened.check).toMatchObject({
    orderable: 0,
    marks: [
      { row: 0, column: 2, kind: 'wrong', message: 'Quantity must be a whole number of at least 1.' },
      { row: 2, column: 5, kind: 'wrong', expected: expect.stringContaining('BEST') },
    ],
  });

  const rows = corrected(opened, { 'Qty 3': '5', 'Ship Via 5': 'UP2D' });
  expect(await check(opened, rows)).toMatchObject({ orderable: 2, marks: [] });
  expect(await waiting()).toEqual([]);
  const answer = await ordered(opened, rows, 2, { note: 'asked the shop' });
  expect(answer.sentence).toContain(`import ${answer.importId}`);
  expect(queued.at(-1)).toBe(answer.importId);
  expect(await read(answer.importId)).toEqual([`${po}2 ready`, `${po}3 ready`]);
  expect(await statesOf(importId)).toEqual([
    `${po}1 ready`,
    `${po}2 rejected corrected`,
    `${po}3 rejected corrected`,
  ]);
  expect(await waiting()).toEqual([]);

  const made = await done<ImportDetail>('GET', `/imports/${answer.importId}`);
  expect(made).toMatchObject({ fileName: 'night corrected.csv', source: 'correction', uploadedBy: 'Olga' });
  const record = {
    who: 'Olga',
    note: 'asked the shop',
    of: { id: importId, fileName: 'night.csv' },
    as: { id: answer.importId },
    changes: [
      {
        ...{ kind: 'changed', poNumber: `${po}2`, rowNumber: 3, newRowNumber: 2 },
        cells: [{ column: 'Qty', before: 'many', after: '5' }],
      },
      { poNumber: `${po}3`, rowNumber: 5, cells: [{ column: 'Ship Via', before: 'FAST', after: 'UP2D' }] },
    ],
  };
  for (const id of [importId, answer.importId])
    expect((await done<CorrectionsAnswer>('GET', `/imports/${id}/corrections`)).items).toMatchObject([
      record,
    ]);
  const [, second] = await posOf(importId);
  const ofPo = await done<CorrectionsAnswer>('GET', `/purchase-orders/${second!.id}/corrections`);
  expect(ofPo.items).toMatchObject([{ ...record, changes: [record.changes[0]] }]);
  const page = await done<PoDetail>('GET', `/purchase-orders/${second!.id}`);
  expect(page.timeline).toContainEqual(expect.objectContaining({ what: 'Corrected its rows', who: 'Olga' }));
  const activity = await done<{ items: { action: string; who: string; note: string }[] }>(
    'GET',
    '/activity?account=north',
  );
  expect(activity.items.slice(0, 3).map(({ action, who, note }) => [action, who, note])).toEqual([
    ['corrected_rows', 'Olga', 'asked the shop'],
    ['corrected', 'Olga', 'asked the shop'],
    ['corrected', 'Olga', 'asked the shop'],
  ]);

  const account = desk.config.accounts.find(({ name }) => name === 'north')!;
  await use.deps.pool.query(
    `update purchase_orders set state = 'ordered' where import_id = $1 and state = 'ready'`,
    [importId],
  );
  const written = await writeResultFile({
    importId,
    register: createResultRegister(use.deps.pool),
    accountOf: () => account,
  });
  const result = await readFile(join(rootOf('north'), (written as { path: string }).path), 'utf8');
  expect(result).toContain(`Corrected in import ${answer.importId}`);
}, 60_000);

test('a reason names the row by its number in the file', async () => {
  const importId = await take('numbers.csv', badFile());
  const opened = await open(importId);
  const reasons = ({
    check: { purchaseOrders },
  }: {
    check: { purchaseOrders?: { reason: string | null }[] };
  }) => purchaseOrders!.map(({ reason }) => reason);
  expect(reasons(opened as never)).toEqual([
    expect.stringMatching(/^Row 3, column Qty: /),
    expect.stringMatching(/^Row 5, column Ship Via: /),
  ]);
  // Removing or adding a row does not move others.
  const [, ...rest] = corrected(opened, {});
  const added = { rowNumber: null, cells: [`${po}3`, 'A-1', 'few', 'Di', 'Lynn', 'FAST'] };
  const again = await check(opened, [...rest, added]);
  expect(reasons({ check: again } as never)).toEqual([
    null,
    expect.stringMatching(/^Row 5, column Ship Via: /),
  ]);
  expect(again.marks.map(({ row, column }) => [row, column])).toEqual([
    [1, 5],
    [2, 2],
    [2, 5],
  ]);
});

test('what is still wrong is not ordered with the rest, and can be corrected later', async () => {
  const importId = await take('half.csv', badFile());
  const opened = await open(importId);
  const rows = corrected(opened, { 'Qty 3': '0', 'Ship Via 5': 'BEST' });
  const seen = await check(opened, rows);
  expect(seen).toMatchObject({
    orderable: 1,
    purchaseOrders: [
      { poNumber: `${po}2`, outcome: 'rejected' },
      { poNumber: `${po}3`, outcome: 'ready' },
    ],
  });
  const tooMany = await order(opened, rows, 2);
  expect([tooMany.statusCode, tooMany.json().detail]).toEqual([
    409,
    expect.stringContaining('1 PO can be ordered now'),
  ]);
  const none = await order(opened, corrected(opened, {}), 0);
  expect([none.statusCode, none.json().detail]).toEqual([422, expect.stringContaining('None of these POs')]);
  const { importId: next } = await ordered(opened, rows, 1);
  expect(await read(next)).toEqual([`${po}3 ready`]);
  expect(await statesOf(importId)).toEqual([
    `${po}1 ready`,
    `${po}2 rejected row_issues`,
    `${po}3 rejected corrected`,
  ]);
  const again = await open(importId);
  expect(again.purchaseOrders.map(({ poNumber }) => poNumber)).toEqual([`${po}2`]);
});

describe('a failed PO', () => {
  test('is corrected by another item; as it is it is not sent again', async () => {
    const importId = await take(
      'fail.csv',
      `${header}\n${po}1,OLD-1,5,Bo,Boston,\n${po}1,A-2,1,Bo,Boston,\n`,
    );
    await fail(importId, `${po}1`, 'no such item');
    const { id } = (await posOf(importId))[0]!;
    const page = await done<PoDetail>('GET', `/purchase-orders/${id}`);
    expect(page.banner.place).toBe('correct');
    const opened = await open(importId, [id]);
    expect(opened.purchaseOrders[0]!.reason).toContain('no such item');
    expect(opened.check).toMatchObject({
      orderable: 0,
      purchaseOrders: [{ outcome: 'repeated' }],
      marks: [
        { row: 0, column: 1, kind: 'wrong', message: 'The service refused this line: no such item' },
        { row: 1, column: 1, kind: 'wrong' },
      ],
    });
    expect((await order(opened, corrected(opened, {}), 0)).statusCode).toBe(422);
    const { importId: next } = await ordered(opened, corrected(opened, { 'SKU 2': 'NEW-1' }), 1);
    expect(await read(next)).toEqual([`${po}1 ready`]);
    expect(await statesOf(importId)).toEqual([`${po}1 failed corrected`]);
  });

  test('is corrected by another address, also one that its file has no column for', async () => {
    const importId = await take(
      'address.csv',
      `${header}\n${po}1,A-1,5,Bo,Boston,\n${po}2,A-1,5,Bo,Boston,\n`,
    );
    await fail(importId, `${po}1`);
    await fail(importId, `${po}2`);
    const opened = await open(importId);
    expect(opened.further.map(({ header: name }) => name)).toContain('ship_zip');
    const rows = corrected(opened, { 'Ship City 2': 'Salem' }).map((row) => ({
      ...row,
      cells: [...row.cells, row.rowNumber === 3 ? '02101' : ''],
    }));
    expect(await check(opened, rows, ['ship_zip'])).toMatchObject({ orderable: 2 });
    const { importId: next } = await ordered(opened, rows, 2, {}, ['ship_zip']);
    expect(await read(next)).toEqual([`${po}1 ready`, `${po}2 ready`]);
    const { rows: pos } = await use.deps.pool.query(
      'select options from purchase_orders where import_id = $1 order by id',
      [next],
    );
    expect(pos).toMatchObject([
      { options: { ship_city: 'Salem' } },
      { options: { ship_city: 'Boston', ship_zip: '02101' } },
    ]);
    expect(await statesOf(importId)).toEqual([`${po}1 failed corrected`, `${po}2 failed corrected`]);
  });
});

describe('two corrections of one PO', () => {
  test('the same one twice orders once', async () => {
    const importId = await take('twice.csv', badFile());
    const opened = await open(importId);
    const rows = corrected(opened, { 'Qty 3': '5', 'Ship Via 5': 'UP2D' });
    const answers = await Promise.all([order(opened, rows, 2), order(opened, rows, 2)]);
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([200, 409]);
    const refused = answers.find(({ statusCode }) => statusCode === 409)!;
    expect(refused.json().detail).toMatch(/Olga has corrected PO .* meanwhile/);
    const { importId: next } = answers.find(({ statusCode }) => statusCode === 200)!.json();
    await read(next);
    const later = await order(opened, rows, 2);
    expect([later.statusCode, later.json().detail]).toEqual([
      409,
      `PO ${po}2 is waiting to be placed now, in import ${next}; PO ${po}3 is waiting to be placed now, in import ${next}. Nothing of yours was ordered. Nothing is left to correct here.`,
    ]);
    const { rows: all } = await use.deps.pool.query(
      `select count(*)::int as n from purchase_orders where po_number = $1 and state = 'ready'`,
      [`${po}2`],
    );
    expect(all).toEqual([{ n: 1 }]);
    expect(await waiting()).toEqual([]);
  });

  test.each([
    ['before it was ordered here', 0],
    ['before the rows were checked', 1],
    ['before the rows of the right POs were checked alone', 2],
    ['before the correction was stored', 3],
  ])('one PO was retried meanwhile, %s: it is named with its state', async (_, at) => {
    const { pool } = use.deps;
    const importId = await take('retried.csv', badFile());
    const opened = await open(importId);
    const retry = () =>
      pool.query(`update purchase_orders set state = 'ready', reason_code = null where po_number = $1`, [
        `${po}3`,
      ]);
    if (at === 0) await retry();
    const connect = pool.connect.bind(pool) as (...args: unknown[]) => unknown;
    let transactions = 0;
    // With a function it is a single query.
    const spy = vi.spyOn(pool, 'connect').mockImplementation((async (...args: unknown[]) => {
      if (args.length === 0) transactions += 1;
      if (args.length === 0 && transactions === at) await retry();
      return connect(...args);
    }) as never);
    const answer = await order(opened, corrected(opened, { 'Qty 3': '5', 'Ship Via 5': 'UP2D' }), 2);
    spy.mockRestore();
    expect([answer.statusCode, answer.json().detail]).toEqual([
      409,
      `PO ${po}3 is waiting to be placed now. Nothing of yours was ordered. The other PO can still be ordered: open it again.`,
    ]);
    expect(await statesOf(importId)).toContain(`${po}2 rejected row_issues`);
  });

  test('by two people: the second is told who was faster', async () => {
    const importId = await take('two.csv', badFile());
    const opened = await open(importId);
    await ordered(opened, corrected(opened, { 'Qty 3': '5', 'Ship Via 5': 'UP2D' }), 2);
    const second = await order(opened, corrected(opened, { 'Qty 3': '7', 'Ship Via 5': 'BEST' }), 2);
    expect([second.statusCode, second.json().detail]).toEqual([
      409,
      expect.stringContaining('Olga has corrected'),
    ]);
  });
});

test('a viewer may not correct, and who may not see the account knows nothing of it', async () => {
  const importId = await take('rights.csv', badFile());
  const opened = await open(importId);
  const body = { ...requestOf(opened, corrected(opened, {})), expectedPos: 0 };
  const viewer = await use.signedIn('viewer');
  const other = await use.signedIn('operator', ['south']);
  const { expectedPos: _, ...toCheck } = body;
  const { id } = (await posOf(importId))[0]!;
  for (const [method, url, payload] of [
    ['GET', `/imports/${importId}/correction`, undefined],
    ['POST', `/imports/${importId}/correction/check`, toCheck],
    ['POST', `/imports/${importId}/correction`, body],
  ] as const) {
    expect((await call(method, url, payload, viewer)).statusCode).toBe(403);
    expect((await call(method, url, payload, other)).statusCode).toBe(404);
  }
  for (const url of [`/imports/${importId}/corrections`, `/purchase-orders/${id}/corrections`]) {
    expect((await call('GET', url, undefined, viewer)).statusCode).toBe(200);
    expect((await call('GET', url, undefined, other)).statusCode).toBe(404);
  }
});
