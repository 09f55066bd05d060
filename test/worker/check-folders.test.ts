import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { readFolderIdentity } from '../../src/intake/inbox/folder-identity.ts';
import { useFolder } from '../../src/ledger/account-folders.ts';
import { checkFolders, type FolderLooks } from '../../src/worker/check-folders.ts';
import { useTestLedger } from '../support/ledger-rows.ts';

const ledger = useTestLedger();
const all = () => true;
const none = () => false;

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cartwright-folders-'));
  await ledger.pool.query('delete from account_folders');
});
afterEach(() => rm(root, { recursive: true, force: true }));

/** A machine with its own data folder for its accounts' folders. */
const machine = async (name: string, accounts: Record<string, object> = { north: {} }) => {
  const file = join(root, `${name}.yaml`);
  await writeFile(file, JSON.stringify({ dataFolder: join(root, name), accounts }));
  const config = loadConfig({ file }, {});
  const looks: FolderLooks = new Map();
  return {
    folder: config.accounts[0]!.folder,
    see: async (mayCreate = all) =>
      (await checkFolders(ledger.pool, config.accounts, mayCreate, looks)).get('north')!,
  };
};

describe('the folder of an account', () => {
  test('is created with an identity once, which every process of its machine sees', async () => {
    const { see, folder } = await machine('a');
    const [first, second] = await Promise.all([see(), see()]);
    expect(first).toEqual({ kind: 'usable', id: await readFolderIdentity(folder) });
    expect(second).toEqual(first);
    expect(await see(none)).toEqual(first);
    expect((await readdir(folder)).filter((name) => name.startsWith('.cartwright'))).toHaveLength(1);
  });

  test('is not created by a process that only places orders', async () => {
    const { see, folder } = await machine('a');
    expect(await see(none)).toMatchObject({ kind: 'elsewhere' });
    await expect(stat(folder)).rejects.toThrow('ENOENT');
  });

  test('that is on another machine is neither created nor used', async () => {
    const [a, b] = [await machine('a'), await machine('b')];
    await a.see();
    expect(await b.see(none)).toMatchObject({ kind: 'elsewhere' });
    const seen = await b.see();
    expect(seen).toMatchObject({ kind: 'problem' });
    expect((seen as { message: string }).message).toContain(a.folder);
    expect((seen as { message: string }).message).toContain('cartwright use-folder --account north');
    await expect(stat(b.folder)).rejects.toThrow('ENOENT');
  });

  test('is not used while an empty folder is under its path, and is again when it is back', async () => {
    const { see, folder } = await machine('a');
    const before = await see();
    await rename(folder, `${folder}-away`);
    await mkdir(folder);
    expect(await see()).toMatchObject({ kind: 'problem' });
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
    await rename(`${folder}-away`, folder);
    expect(await see()).toEqual(before);
  });

  test('is not used while the folder of another account is under its path', async () => {
    const [a, b] = [await machine('a'), await machine('b', { south: {} })];
    await a.see();
    await b.see();
    await rm(a.folder, { recursive: true });
    await rename(b.folder, a.folder);
    expect(await a.see()).toMatchObject({ kind: 'problem' });
  });

  test('is known again to a new ledger by its identity', async () => {
    const { see } = await machine('a');
    const before = await see();
    await ledger.pool.query('delete from account_folders');
    expect(await see(none)).toEqual(before);
  });

  test('that another one has replaced is not used any more, until it is chosen again', async () => {
    const { see, folder } = await machine('a');
    const before = await see();
    const id = (await readFolderIdentity(folder))!;
    await useFolder(ledger.pool, { id: randomUUID(), account: 'north', host: 'b', path: '/b' });
    expect(await see()).toMatchObject({ kind: 'problem' });
    await useFolder(ledger.pool, { id, account: 'north', host: 'a', path: folder });
    expect(await see()).toEqual(before);
  });

  test('gets a folder in it that was removed back at the next check', async () => {
    const { see, folder } = await machine('a');
    const before = await see();
    expect(await see()).toEqual(before);
    await rm(join(folder, 'results'), { recursive: true });
    expect(await see()).toEqual(before);
    expect(await readdir(folder)).toContain('results');
  });

  test('is not used any more, after four checks at the latest, once a folder in it leads nowhere', async () => {
    const { see, folder } = await machine('a');
    const elsewhere = join(root, 'another-disk');
    await mkdir(elsewhere);
    await mkdir(folder, { recursive: true });
    await symlink(elsewhere, join(folder, 'files'));
    expect(await see()).toMatchObject({ kind: 'usable' });
    await rm(elsewhere, { recursive: true });
    const seen = [await see(), await see(), await see(), await see()];
    expect(seen.at(-1)).toMatchObject({ kind: 'problem' });
    await mkdir(elsewhere);
    expect(await see()).toMatchObject({ kind: 'usable' });
  });

  test('with a damaged identity is not used, and the message says what to do', async () => {
    const { see, folder } = await machine('a');
    await see();
    await writeFile(join(folder, '.cartwright-folder'), 'rubbish');
    const seen = await see();
    expect(seen).toMatchObject({ kind: 'problem' });
    expect((seen as { message: string }).message).toContain('Restore it from a backup');
  });
});
