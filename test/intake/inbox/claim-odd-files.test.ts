import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { Claim } from '../../../src/intake/inbox/claim.ts';
import { createDropFolder } from '../../../src/intake/inbox/drop-folder.ts';
import { silentLogger } from '../../../src/logger.ts';
import { registeredOf, useClaims } from './use-claims.ts';

const account = useClaims();
const { claims, drop, imports } = account;

const run = promisify(execFile);
const mkfifo = (args: string[]) => run('mkfifo', args);

const swaps: [string, string, (path: string, secret: string) => Promise<unknown>][] = [
  ['a symbolic link', 'a symbolic link', (path, secret) => symlink(secret, path)],
  ['a link to nothing', 'a symbolic link', (path) => symlink(join(account.root, 'nothing'), path)],
  ['a folder', 'a folder', (path) => mkdir(path)],
  [
    'a folder with a file in it',
    'a folder',
    async (path) => {
      await mkdir(path);
      await writeFile(join(path, 'inner.csv'), 'x');
    },
  ],
  ['a pipe without a writer', 'not a regular file', (path) => mkfifo([path])],
];

test.each(swaps)(
  'a file that is swapped for %s after it was checked is never read',
  async (_, what, swap) => {
    const secret = join(account.root, 'secret.csv');
    await writeFile(secret, 'not for you');
    const own = claims();
    const outcomes: Claim[] = [];
    const folder = createDropFolder({
      root: account.root,
      accountName: account.name,
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
    expect(await readdir(join(account.root, 'files'))).toEqual([]);
    expect(await readdir(join(account.root, 'working'))).toEqual([]);
    expect((await readdir(join(account.root, 'failed'))).sort()).toEqual([
      'orders.csv',
      'orders.csv.note.txt',
    ]);
    expect(await readFile(join(account.root, 'failed', 'orders.csv.note.txt'), 'utf8')).toContain(what);
  },
);

test.each(swaps)(
  'killed after %s was moved into working: it is moved to failed, not read',
  async (_, what, swap) => {
    const folder = join(account.root, 'working', randomUUID(), 'original');
    await mkdir(folder, { recursive: true });
    await writeFile(join(account.root, 'secret.csv'), 'not for you');
    await swap(join(folder, 'orders.csv'), join(account.root, 'secret.csv'));
    expect(await claims().recoverWorking()).toEqual([]);
    expect(await imports()).toEqual([]);
    expect(await readdir(join(account.root, 'working'))).toEqual([]);
    expect(await readFile(join(account.root, 'failed', 'orders.csv.note.txt'), 'utf8')).toContain(what);
  },
);

test.each(['Bestellung_M\xfcnchen.csv', `${'\xe4'.repeat(251)}.csv`])(
  'a file name that is not UTF-8 is claimed, recorded and archived under a readable name: %s',
  async (bytes) => {
    const path = Buffer.concat([Buffer.from(join(account.root, 'inbox/')), Buffer.from(bytes, 'latin1')]);
    await writeFile(path, 'x');
    const { claim, archive } = claims();
    const registered = registeredOf(await claim(path));
    const name = bytes.length > 200 ? `${'ä'.repeat(125)}.csv` : bytes;
    expect(registered).toMatchObject({ state: 'taken', fileName: name });
    const archived = basename((await archive(registered.importId, 'done', 'a note'))!);
    expect((await readdir(join(account.root, 'done'))).sort()).toEqual([archived, `${archived}.note.txt`]);
    expect(await readdir(join(account.root, 'working'))).toEqual([]);
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
  expect(await readdir(join(account.root, 'working'))).toEqual([]);
});

test.each(['inbox', 'done', 'failed'])(
  'when %s is on another file system nothing is picked up, and a message gives the next step',
  async (folder) => {
    const elsewhere = await mkdtemp('/dev/shm/cartwright ');
    try {
      await rm(join(account.root, folder), { recursive: true });
      await symlink(elsewhere, join(account.root, folder));
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
