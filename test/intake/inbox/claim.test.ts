import { randomUUID } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeAccountFolders } from '../../../src/intake/inbox/account-folders.ts';
import type { ImportRegister } from '../../../src/intake/inbox/import-register.ts';
import { createImportRegister } from '../../../src/ledger/imports.ts';
import { insertPurchaseOrder, insertRow } from '../../support/ledger-rows.ts';
import { registeredOf, useClaims } from './use-claims.ts';

const account = useClaims();
const { claims, drop, imports, setState } = account;

test('a claimed file leaves inbox, has a private copy with its bytes, and is an import', async () => {
  const { claim } = claims();
  const registered = registeredOf(await claim(await drop('orders.csv', 'PO,SKU,Qty\n')));
  expect(registered).toMatchObject({ state: 'taken', fileName: 'orders.csv', sizeBytes: 11 });
  expect(await readdir(join(account.root, 'inbox'))).toEqual([]);
  expect(await readFile(join(account.root, registered.filePath), 'utf8')).toBe('PO,SKU,Qty\n');
});

test('only one of two watchers that claim a file at the same moment gets it', async () => {
  const path = await drop('orders.csv', 'x');
  const results = await Promise.all([claims().claim(path), claims().claim(path), claims().claim(path)]);
  expect(results.map((result) => result.kind).sort()).toEqual(['claimed', 'gone', 'gone']);
  expect(await imports()).toHaveLength(1);
});

test('the same bytes again are recorded as repeated and archived with a note', async () => {
  const { claim } = claims();
  const first = registeredOf(await claim(await drop('monday.csv', 'x')));
  await setState(first.importId, 'read');
  const second = registeredOf(await claim(await drop('tuesday.csv', 'x')));
  expect(second.state).toBe('repeated');
  expect(second.reasonText).toContain(`import ${first.importId} (monday.csv`);
  expect(await readFile(join(account.root, 'done', 'tuesday.csv.note.txt'), 'utf8')).toContain('monday.csv');
  expect(await readFile(join(account.root, 'done', 'tuesday.csv'), 'utf8')).toBe('x');
});

test('of the same bytes under one name, ten times at once, exactly one is an import to be read', async () => {
  const { claimCopy } = claims();
  const paths = await Promise.all([...Array(10).keys()].map((count) => drop(`${count}.csv`, 'x')));
  await Promise.all(paths.map((path) => claimCopy(path, { fileName: 'orders.csv' })));
  const states = (await imports()).map((row) => row.state);
  expect(states.filter((state) => state === 'taken')).toHaveLength(1);
  expect(states.filter((state) => state === 'repeated')).toHaveLength(9);
});

test('the same bytes under another name are taken while nobody has read where their PO numbers are', async () => {
  const { claim } = claims();
  const first = registeredOf(await claim(await drop('SO-1.csv', 'x')));
  await setState(first.importId, 'waiting');
  expect(registeredOf(await claim(await drop('SO-2.csv', 'x'))).state).toBe('taken');
});

test('the same bytes are taken again after the file was refused', async () => {
  const { claim } = claims();
  const first = registeredOf(await claim(await drop('orders.csv', 'x')));
  await setState(first.importId, 'refused');
  expect(registeredOf(await claim(await drop('orders.csv', 'x'))).state).toBe('taken');
});

test('the same bytes are taken again when a PO of the file was rejected', async () => {
  const { claim } = claims();
  const first = registeredOf(await claim(await drop('orders.csv', 'x')));
  await setState(first.importId, 'read');
  await insertPurchaseOrder(account.pool, first.importId, 'PO1', {
    account: account.name,
    state: 'rejected',
  });
  expect(registeredOf(await claim(await drop('orders.csv', 'x'))).state).toBe('taken');
});

test('a file that asked for a quote can be ordered afterwards, and quoted again', async () => {
  const { claimCopy } = claims();
  const path = await drop('orders.csv', 'x');
  expect((await claimCopy(path, { quoteOnly: true })).state).toBe('taken');
  expect((await claimCopy(path)).state).toBe('taken');
  expect((await claimCopy(path, { quoteOnly: true })).state).toBe('taken');
  expect((await claimCopy(path)).state).toBe('repeated');
});

test('the same bytes are taken again when a PO that the file asked for was cancelled', async () => {
  const { claim } = claims();
  const again = async () => registeredOf(await claim(await drop('orders.csv', 'x')));
  const first = await again();
  await setState(first.importId, 'read');
  await insertPurchaseOrder(account.pool, first.importId, 'PO1', {
    account: account.name,
    state: 'cancelled',
  });
  expect((await again()).state).toBe('taken');
});

// Data of versions before 010, which answered the order with its quote.
test.each([
  ['for a quote', { state: 'held', quote_only: true }],
  ['for a PO that was cancelled', { state: 'cancelled' }],
])('the same bytes are taken again when a PO of the file was answered %s', async (_by, row) => {
  const { claim, claimCopy } = claims();
  const path = await drop('quoted.csv', 'x and more');
  const earlier = await claimCopy(path, { quoteOnly: true });
  const answer = await insertPurchaseOrder(account.pool, earlier.importId, 'PO1', {
    account: account.name,
    ...row,
  });
  const order = registeredOf(await claim(await drop('orders.csv', 'x')));
  await setState(order.importId, 'read');
  await insertRow(account.pool, 'repeated_purchase_orders', {
    import_id: order.importId,
    po_number: 'PO1',
    first_row: 2,
    line_count: 1,
    purchase_order_id: answer,
  });
  expect(registeredOf(await claim(await drop('orders.csv', 'x'))).state).toBe('taken');
});

test('a file that was taken and whose private copy is gone does not count: the same bytes are taken', async () => {
  const { claim } = claims();
  const lost = registeredOf(await claim(await drop('orders.csv', 'x')));
  await rm(join(account.root, lost.filePath));
  const again = registeredOf(await claim(await drop('orders.csv', 'x')));
  expect(again.state).toBe('taken');
  expect(await readFile(join(account.root, again.filePath), 'utf8')).toBe('x');
  expect(await imports()).toMatchObject([
    { state: 'refused', reason_code: 'copy_lost', reason_text: expect.stringContaining('sent again') },
    { state: 'taken' },
  ]);
  expect(registeredOf(await claim(await drop('orders.csv', 'x'))).state, 'this one can be read').toBe(
    'repeated',
  );
});

test('a file whose private copy is gone counts where it was read, and while a worker reads it', async () => {
  const { claim } = claims();
  const first = registeredOf(await claim(await drop('orders.csv', 'x')));
  await rm(join(account.root, first.filePath));
  const reader = await account.pool.connect();
  await reader.query('begin');
  await reader.query('select from imports where id = $1 for no key update', [first.importId]);
  expect(registeredOf(await claim(await drop('orders.csv', 'x'))).state).toBe('repeated');
  await reader.query('commit');
  reader.release();
  await setState(first.importId, 'read');
  expect(registeredOf(await claim(await drop('orders.csv', 'x'))).state).toBe('repeated');
});

test('the same bytes in another account are not a repetition', async () => {
  registeredOf(await claims().claim(await drop('orders.csv', 'x')));
  const other = claims(createImportRegister(account.pool), `other ${account.name}`);
  expect(registeredOf(await other.claim(await drop('orders.csv', 'x'))).state).toBe('taken');
});

test("claimCopy leaves the user's file where it is", async () => {
  const path = join(account.root, 'my own.xlsx');
  await writeFile(path, 'x');
  const registered = await claims().claimCopy(path);
  expect(registered).toMatchObject({ state: 'taken', fileName: 'my own.xlsx' });
  expect(await readFile(path, 'utf8')).toBe('x');
});

test('claimCopy explains an unusable path in one sentence', async () => {
  await expect(claims().claimCopy(join(account.root, 'nothing.csv'))).rejects.toMatchObject({
    code: 'file_missing',
  });
  await expect(claims().claimCopy(account.root)).rejects.toMatchObject({ code: 'not_a_file' });
  expect(await readdir(join(account.root, 'working'))).toEqual([]);
});

test('an archived file keeps its name, replaces none, and leaves nothing in working', async () => {
  const { claim, archive } = claims();
  await writeFile(join(account.root, 'done', 'orders.csv'), 'last week');
  const { importId } = registeredOf(await claim(await drop('orders.csv', 'x')));
  expect(await archive(importId, 'done')).toBe(join(account.root, 'done', `orders.${importId}.csv`));
  expect(await archive(importId, 'done')).toBeUndefined();
  expect(await readFile(join(account.root, 'done', 'orders.csv'), 'utf8')).toBe('last week');
  expect(await readFile(join(account.root, 'done', `orders.${importId}.csv`), 'utf8')).toBe('x');
  expect(await readdir(join(account.root, 'working'))).toEqual([]);
});

test('a refused file is archived in failed with the reason next to it', async () => {
  const { claim, archive } = claims();
  const { importId } = registeredOf(await claim(await drop('orders.csv', 'x')));
  await archive(importId, 'failed', 'No PO column.');
  expect((await readdir(join(account.root, 'failed'))).sort()).toEqual(['orders.csv', 'orders.csv.note.txt']);
});

test('a file that was appended to after the claim is moved to failed with a note, and nothing is lost', async () => {
  const { claim, archive } = claims();
  const { importId } = registeredOf(await claim(await drop('orders.csv', 'first')));
  const [claimId] = await readdir(join(account.root, 'working'));
  await appendFile(join(account.root, 'working', claimId!, 'original', 'orders.csv'), ' second');
  expect(await archive(importId, 'done')).toBe(join(account.root, 'failed', 'orders.csv'));
  expect(await readFile(join(account.root, 'failed', 'orders.csv'), 'utf8')).toBe('first second');
  expect(await readFile(join(account.root, 'failed', 'orders.csv.note.txt'), 'utf8')).toContain(
    'from 5 bytes to 12',
  );
  expect(await readdir(join(account.root, 'done'))).toEqual([]);
});

test('killed after the rename, before anything was recorded: the file is imported once', async () => {
  const folder = join(account.root, 'working', randomUUID(), 'original');
  await mkdir(folder, { recursive: true });
  await rename(await drop('orders.csv', 'x'), join(folder, 'orders.csv'));
  const found = await Promise.all([claims().recoverWorking(), claims().recoverWorking()]);
  expect(new Set(found.flat().map((one) => one.importId)).size).toBe(1);
  expect(await imports()).toHaveLength(1);
});

test('killed after the copy, before it was registered: the file is imported once', async () => {
  const down: ImportRegister = {
    ...createImportRegister(account.pool),
    register: () => Promise.reject(new Error('the ledger is down')),
  };
  await expect(claims(down).claim(await drop('orders.csv', 'x'))).rejects.toThrow('the ledger is down');
  expect(await imports()).toHaveLength(0);
  const waiting = await claims().recoverWorking();
  expect(waiting).toMatchObject([{ fileName: 'orders.csv', state: 'taken' }]);
  expect(await imports()).toHaveLength(1);
  expect(await claims().recoverWorking()).toEqual(waiting);
});

test('killed after reading, before archiving: recovery archives the file by its outcome', async () => {
  const { claim, recoverWorking } = claims();
  const read = registeredOf(await claim(await drop('good.csv', 'good')));
  const refused = registeredOf(await claim(await drop('bad.csv', 'bad')));
  await setState(read.importId, 'read');
  await setState(refused.importId, 'refused');
  expect(await recoverWorking()).toEqual([]);
  expect(await readdir(join(account.root, 'done'))).toEqual(['good.csv']);
  expect(await readdir(join(account.root, 'failed'))).toEqual(['bad.csv']);
  expect(await readdir(join(account.root, 'working'))).toEqual([]);
});

test('recovery leaves a claim alone that another process has just started', async () => {
  await mkdir(join(account.root, 'working', randomUUID(), 'original'), { recursive: true });
  await claims().recoverWorking();
  expect(await readdir(join(account.root, 'working'))).toHaveLength(1);
});

test('a file that cannot be copied throws the cause and stays for the next attempt', async () => {
  await rm(join(account.root, 'files'), { recursive: true });
  await writeFile(join(account.root, 'files'), 'in the way');
  const path = await drop('orders.csv', 'x');
  await expect(claims().claim(path)).rejects.toThrow();
  expect(await imports()).toHaveLength(0);
  await rm(join(account.root, 'files'));
  await makeAccountFolders(account.root);
  const left = await readdir(join(account.root, 'inbox'));
  const taken =
    left.length > 0 ? [registeredOf(await claims().claim(path))] : await claims().recoverWorking();
  expect(taken).toMatchObject([{ state: 'taken', fileName: 'orders.csv' }]);
});
