import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  appendFile,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Claim, createClaims } from '../../src/intake/claim.ts';
import { makeAccountFolders } from '../../src/intake/claim-folders.ts';
import type { ImportRegister } from '../../src/intake/claim-register.ts';
import { createDropFolder } from '../../src/intake/drop-folder.ts';
import { createImportRegister } from '../../src/ledger/imports.ts';
import { silentLogger } from '../../src/logger.ts';
import { createTestLedger, insertPurchaseOrder, insertRow, type TestLedger } from '../support/ledger-rows.ts';

let ledger: TestLedger;
let root: string;
let account: string;

beforeAll(async () => {
  ledger = await createTestLedger();
});
afterAll(() => ledger.drop());

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cartwright claim '));
  account = randomUUID();
  await makeAccountFolders(root);
});
afterEach(() => rm(root, { recursive: true, force: true }));

const claims = (register: ImportRegister = createImportRegister(ledger.pool)) =>
  createClaims({ root, accountName: account, register, settleMs: 0, logger: silentLogger });

const drop = async (name: string, text: string): Promise<string> => {
  const path = join(root, 'inbox', name);
  await writeFile(path, text);
  return path;
};

const registeredOf = (claim: Claim) => {
  if (claim.kind !== 'claimed') throw new Error('the file was gone');
  return claim.registered;
};

const imports = async (): Promise<{ id: string; state: string; file_name: string; restored: boolean }[]> =>
  (await ledger.pool.query('select * from imports where account = $1 order by id', [account])).rows;

const setState = (importId: string, state: string) =>
  ledger.pool.query('update imports set state = $2 where id = $1', [importId, state]);

test('a claimed file leaves inbox, has a private copy with its bytes, and is an import', async () => {
  const { claim } = claims();
  const registered = registeredOf(await claim(await drop('orders.csv', 'PO,SKU,Qty\n')));
  expect(registered).toMatchObject({ state: 'taken', fileName: 'orders.csv', sizeBytes: 11 });
  expect(await readdir(join(root, 'inbox'))).toEqual([]);
  expect(await readFile(join(root, registered.filePath), 'utf8')).toBe('PO,SKU,Qty\n');
});

test('of two watchers that claim a file at the same moment one gets it', async () => {
  const path = await drop('orders.csv', 'x');
  const results = await Promise.all([claims().claim(path), claims().claim(path), claims().claim(path)]);
  expect(results.map((result) => result.kind).sort()).toEqual(['claimed', 'gone', 'gone']);
  expect(await imports()).toHaveLength(1);
});

test('the same bytes again become a recorded no-op and are archived with a note', async () => {
  const { claim } = claims();
  const first = registeredOf(await claim(await drop('monday.csv', 'x')));
  const second = registeredOf(await claim(await drop('tuesday.csv', 'x')));
  expect(second.state).toBe('repeated');
  expect(second.reasonText).toContain(`import ${first.importId} (monday.csv`);
  expect(await readFile(join(root, 'done', 'tuesday.csv.note.txt'), 'utf8')).toContain('monday.csv');
  expect(await readFile(join(root, 'done', 'tuesday.csv'), 'utf8')).toBe('x');
});

test('of the same bytes under ten names dropped at once exactly one is an import to be read', async () => {
  const { claim } = claims();
  const paths = await Promise.all([...Array(10).keys()].map((count) => drop(`${count}.csv`, 'x')));
  await Promise.all(paths.map((path) => claim(path)));
  const states = (await imports()).map((row) => row.state);
  expect(states.filter((state) => state === 'taken')).toHaveLength(1);
  expect(states.filter((state) => state === 'repeated')).toHaveLength(9);
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
  await insertPurchaseOrder(ledger.pool, first.importId, 'PO1', { account, state: 'rejected' });
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
  await insertPurchaseOrder(ledger.pool, first.importId, 'PO1', { account, state: 'cancelled' });
  expect((await again()).state).toBe('taken');
});

// As versions before 010 left it: they answered the order by its quote.
test.each([
  ['for a quote', { state: 'held', quote_only: true }],
  ['for a PO that was cancelled', { state: 'cancelled' }],
])('the same bytes are taken again when a PO of the file was answered %s', async (_by, row) => {
  const { claim, claimCopy } = claims();
  const path = await drop('quoted.csv', 'x and more');
  const earlier = await claimCopy(path, { quoteOnly: true });
  const answer = await insertPurchaseOrder(ledger.pool, earlier.importId, 'PO1', { account, ...row });
  const order = registeredOf(await claim(await drop('orders.csv', 'x')));
  await setState(order.importId, 'read');
  await insertRow(ledger.pool, 'repeated_purchase_orders', {
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
  await rm(join(root, lost.filePath));
  const again = registeredOf(await claim(await drop('orders.csv', 'x')));
  expect(again.state).toBe('taken');
  expect(await readFile(join(root, again.filePath), 'utf8')).toBe('x');
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
  await rm(join(root, first.filePath));
  const reader = await ledger.pool.connect();
  await reader.query('begin');
  await reader.query('select from imports where id = $1 for no key update', [first.importId]);
  expect(registeredOf(await claim(await drop('orders.csv', 'x'))).state).toBe('repeated');
  await reader.query('commit');
  reader.release();
  await setState(first.importId, 'read');
  expect(registeredOf(await claim(await drop('orders.csv', 'x'))).state).toBe('repeated');
});

test("another account's bytes are no repetition", async () => {
  registeredOf(await claims().claim(await drop('orders.csv', 'x')));
  const other = createClaims({
    root,
    accountName: `other ${account}`,
    register: createImportRegister(ledger.pool),
    settleMs: 0,
    logger: silentLogger,
  });
  expect(registeredOf(await other.claim(await drop('orders.csv', 'x'))).state).toBe('taken');
});

test("claimCopy leaves the user's file where it is", async () => {
  const path = join(root, 'my own.xlsx');
  await writeFile(path, 'x');
  const registered = await claims().claimCopy(path);
  expect(registered).toMatchObject({ state: 'taken', fileName: 'my own.xlsx' });
  expect(await readFile(path, 'utf8')).toBe('x');
});

test('claimCopy says in one sentence what is wrong with a path', async () => {
  await expect(claims().claimCopy(join(root, 'nothing.csv'))).rejects.toMatchObject({ code: 'file_missing' });
  await expect(claims().claimCopy(root)).rejects.toMatchObject({ code: 'not_a_file' });
  expect(await readdir(join(root, 'working'))).toEqual([]);
});

test('an archived file keeps its name, replaces none, and leaves nothing in working', async () => {
  const { claim, archive } = claims();
  await writeFile(join(root, 'done', 'orders.csv'), 'last week');
  const { importId } = registeredOf(await claim(await drop('orders.csv', 'x')));
  expect(await archive(importId, 'done')).toBe(join(root, 'done', `orders.${importId}.csv`));
  expect(await archive(importId, 'done')).toBeUndefined();
  expect(await readFile(join(root, 'done', 'orders.csv'), 'utf8')).toBe('last week');
  expect(await readFile(join(root, 'done', `orders.${importId}.csv`), 'utf8')).toBe('x');
  expect(await readdir(join(root, 'working'))).toEqual([]);
});

test('a refused file is archived in failed with the reason beside it', async () => {
  const { claim, archive } = claims();
  const { importId } = registeredOf(await claim(await drop('orders.csv', 'x')));
  await archive(importId, 'failed', 'No PO column.');
  expect((await readdir(join(root, 'failed'))).sort()).toEqual(['orders.csv', 'orders.csv.note.txt']);
});

test('what was appended after the claim is not lost: the file goes to failed, with a note', async () => {
  const { claim, archive } = claims();
  const { importId } = registeredOf(await claim(await drop('orders.csv', 'first')));
  const [claimId] = await readdir(join(root, 'working'));
  await appendFile(join(root, 'working', claimId!, 'original', 'orders.csv'), ' second');
  expect(await archive(importId, 'done')).toBe(join(root, 'failed', 'orders.csv'));
  expect(await readFile(join(root, 'failed', 'orders.csv'), 'utf8')).toBe('first second');
  expect(await readFile(join(root, 'failed', 'orders.csv.note.txt'), 'utf8')).toContain('from 5 bytes to 12');
  expect(await readdir(join(root, 'done'))).toEqual([]);
});

test('killed after the rename, before anything was recorded: the file is taken up once', async () => {
  const folder = join(root, 'working', randomUUID(), 'original');
  await mkdir(folder, { recursive: true });
  await rename(await drop('orders.csv', 'x'), join(folder, 'orders.csv'));
  const found = await Promise.all([claims().recoverWorking(), claims().recoverWorking()]);
  expect(new Set(found.flat().map((one) => one.importId)).size).toBe(1);
  expect(await imports()).toHaveLength(1);
});

test('killed after the copy, before the ledger knew: the file is taken up once', async () => {
  const down: ImportRegister = {
    ...createImportRegister(ledger.pool),
    register: () => Promise.reject(new Error('the ledger is down')),
  };
  await expect(claims(down).claim(await drop('orders.csv', 'x'))).rejects.toThrow('the ledger is down');
  expect(await imports()).toHaveLength(0);
  const waiting = await claims().recoverWorking();
  expect(waiting).toMatchObject([{ fileName: 'orders.csv', state: 'taken' }]);
  expect(await imports()).toHaveLength(1);
  expect(await claims().recoverWorking()).toEqual(waiting);
});

test('killed after reading, before archiving: recovery archives by what became of the file', async () => {
  const { claim, recoverWorking } = claims();
  const read = registeredOf(await claim(await drop('good.csv', 'good')));
  const refused = registeredOf(await claim(await drop('bad.csv', 'bad')));
  await setState(read.importId, 'read');
  await setState(refused.importId, 'refused');
  expect(await recoverWorking()).toEqual([]);
  expect(await readdir(join(root, 'done'))).toEqual(['good.csv']);
  expect(await readdir(join(root, 'failed'))).toEqual(['bad.csv']);
  expect(await readdir(join(root, 'working'))).toEqual([]);
});

test('a claim that another process has just begun is left to it', async () => {
  await mkdir(join(root, 'working', randomUUID(), 'original'), { recursive: true });
  await claims().recoverWorking();
  expect(await readdir(join(root, 'working'))).toHaveLength(1);
});

test('a file that cannot be copied raises its cause and stays for the next try', async () => {
  await rm(join(root, 'files'), { recursive: true });
  await writeFile(join(root, 'files'), 'in the way');
  const path = await drop('orders.csv', 'x');
  await expect(claims().claim(path)).rejects.toThrow();
  expect(await imports()).toHaveLength(0);
  await rm(join(root, 'files'));
  await makeAccountFolders(root);
  const left = await readdir(join(root, 'inbox'));
  const taken =
    left.length > 0 ? [registeredOf(await claims().claim(path))] : await claims().recoverWorking();
  expect(taken).toMatchObject([{ state: 'taken', fileName: 'orders.csv' }]);
});

const run = promisify(execFile);
const mkfifo = (args: string[]) => run('mkfifo', args);

const swaps: [string, string, (path: string, secret: string) => Promise<unknown>][] = [
  ['a symbolic link', 'a symbolic link', (path, secret) => symlink(secret, path)],
  ['a link to nothing', 'a symbolic link', (path) => symlink(join(root, 'nothing'), path)],
  ['a folder', 'a folder', (path) => mkdir(path)],
  [
    'a folder with a file in it',
    'a folder',
    async (path) => {
      await mkdir(path);
      await writeFile(join(path, 'inner.csv'), 'x');
    },
  ],
  ['a pipe that nobody writes to', 'not a regular file', (path) => mkfifo([path])],
];

test.each(swaps)(
  'a file that is swapped for %s after it was looked at is never read',
  async (_, what, swap) => {
    const secret = join(root, 'secret.csv');
    await writeFile(secret, 'not for you');
    const own = claims();
    const outcomes: Claim[] = [];
    const folder = createDropFolder({
      root,
      accountName: account,
      logger: silentLogger,
      settleMs: 0,
      onReady: async (path) => {
        await rm(path);
        await swap(path as string, secret);
        outcomes.push(await own.claim(path));
      },
    });
    await drop('orders.csv', 'PO,SKU,Qty\n');
    await folder.scanNow();
    expect(outcomes).toEqual([{ kind: 'not_a_file' }]);
    expect(await imports()).toEqual([]);
    expect(await readdir(join(root, 'files'))).toEqual([]);
    expect(await readdir(join(root, 'working'))).toEqual([]);
    expect((await readdir(join(root, 'failed'))).sort()).toEqual(['orders.csv', 'orders.csv.note.txt']);
    expect(await readFile(join(root, 'failed', 'orders.csv.note.txt'), 'utf8')).toContain(what);
  },
);

test.each(swaps)(
  'killed after %s was moved into working: it is put aside, not read',
  async (_, what, swap) => {
    const folder = join(root, 'working', randomUUID(), 'original');
    await mkdir(folder, { recursive: true });
    await writeFile(join(root, 'secret.csv'), 'not for you');
    await swap(join(folder, 'orders.csv'), join(root, 'secret.csv'));
    expect(await claims().recoverWorking()).toEqual([]);
    expect(await imports()).toEqual([]);
    expect(await readdir(join(root, 'working'))).toEqual([]);
    expect(await readFile(join(root, 'failed', 'orders.csv.note.txt'), 'utf8')).toContain(what);
  },
);

test.each(['Bestellung_M\xfcnchen.csv', `${'\xe4'.repeat(251)}.csv`])(
  'a file name that is not UTF-8 is claimed, recorded and archived under a readable name: %s',
  async (bytes) => {
    const path = Buffer.concat([Buffer.from(join(root, 'inbox/')), Buffer.from(bytes, 'latin1')]);
    await writeFile(path, 'x');
    const { claim, archive } = claims();
    const registered = registeredOf(await claim(path));
    const name = bytes.length > 200 ? `${'ä'.repeat(125)}.csv` : bytes;
    expect(registered).toMatchObject({ state: 'taken', fileName: name });
    const archived = basename((await archive(registered.importId, 'done', 'a note'))!);
    expect((await readdir(join(root, 'done'))).sort()).toEqual([archived, `${archived}.note.txt`]);
    expect(await readdir(join(root, 'working'))).toEqual([]);
  },
);

test.each([
  ['letters', `${'n'.repeat(251)}.csv`],
  ['characters of four bytes', `${'🛒'.repeat(62)}n.csv`],
  ['no ending', 'n'.repeat(255)],
])('a name of 255 bytes is claimed and archived as often as it comes: %s', async (_, name) => {
  const { claim, archive } = claims();
  const names = new Set<string>();
  for (const folder of ['done', 'failed', 'done', 'failed'] as const) {
    const { importId } = registeredOf(await claim(await drop(name, randomUUID())));
    const path = (await archive(importId, folder, 'a note'))!;
    expect(await readFile(`${path}.note.txt`, 'utf8')).toBe('a note\n');
    names.add(path);
  }
  expect(names.size).toBe(4);
  expect(await readdir(join(root, 'working'))).toEqual([]);
});

test.each(['inbox', 'done', 'failed'])(
  'when %s is on another file system nothing is taken, and a sentence says what to do',
  async (folder) => {
    const elsewhere = await mkdtemp('/dev/shm/cartwright ');
    try {
      await rm(join(root, folder), { recursive: true });
      await symlink(elsewhere, join(root, folder));
      const path = await drop('orders.csv', 'x');
      const claiming = claims().claim(path);
      await expect(claiming).rejects.toMatchObject({ code: 'other_file_system' });
      await expect(claiming).rejects.toThrow(/different file systems.*accounts\.NAME\.folder/);
      expect(await readFile(path, 'utf8')).toBe('x');
      expect(await imports()).toEqual([]);
      expect((await readdir(elsewhere)).filter((name) => name !== 'orders.csv')).toEqual([]);
    } finally {
      await rm(elsewhere, { recursive: true });
    }
  },
);
