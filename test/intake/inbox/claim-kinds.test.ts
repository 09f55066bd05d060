import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ImportRegister } from '../../../src/intake/inbox/import-register.ts';
import { listKnownFolders } from '../../../src/ledger/folder-positions.ts';
import { createImportRegister } from '../../../src/ledger/imports.ts';
import { registeredOf, useClaims } from './use-claims.ts';

const account = useClaims();
const { claims, drop, imports, setState } = account;

describe('a quote stays a quote', () => {
  const quoteOf = async (importId: string): Promise<boolean> =>
    (await account.pool.query('select quote_only from imports where id = $1', [importId])).rows[0].quote_only;

  test('killed after the copy, before it was registered', async () => {
    const down: ImportRegister = {
      ...createImportRegister(account.pool),
      register: () => Promise.reject(new Error('the ledger is down')),
    };
    const path = await drop('orders.csv', 'x');
    await expect(claims(down).claimCopy(path, { quoteOnly: true })).rejects.toThrow('the ledger is down');
    const [waiting] = await claims().recoverWorking();
    expect(await quoteOf(waiting!.importId)).toBe(true);
  });

  test('in a ledger that was restored from before it', async () => {
    const registered = await claims().claimCopy(await drop('orders.csv', 'x'), { quoteOnly: true });
    await account.pool.query('delete from imports where id = $1', [registered.importId]);
    const [waiting] = await claims().recoverWorking();
    expect(waiting!.importId).not.toBe(registered.importId);
    expect(await quoteOf(waiting!.importId)).toBe(true);
  });

  test('whose claim lies in the future, because it has just changed or a clock was set back', async () => {
    const claimId = `quote-${randomUUID()}`;
    const folder = join(account.root, 'working', claimId);
    await mkdir(join(folder, 'original'), { recursive: true });
    await writeFile(join(folder, 'original', 'orders.csv'), 'x');
    const later = new Date(Date.now() + 60_000);
    await utimes(folder, later, later);
    const [waiting] = await claims().recoverWorking();
    expect(await quoteOf(waiting!.importId)).toBe(true);
  });

  test('of an earlier version that used a marker file; an unreadable marker never means an order', async () => {
    const claimId = randomUUID();
    const folder = join(account.root, 'working', claimId);
    await mkdir(join(folder, 'original'), { recursive: true });
    await writeFile(join(folder, 'original', 'orders.csv'), 'x');
    // A link to itself. On any error except "not found" the claim is retried later.
    await symlink('quote-only', join(folder, 'quote-only'));
    expect(await claims().recoverWorking()).toEqual([]);
    expect(await imports()).toEqual([]);
    await rm(join(folder, 'quote-only'));
    await writeFile(join(folder, 'quote-only'), '');
    const [waiting] = await claims().recoverWorking();
    expect(await quoteOf(waiting!.importId)).toBe(true);
  });

  test('once it is archived: in quotes, never in done or inbox', async () => {
    const { claimCopy, archive, importUnknownFiles } = claims();
    const path = join(account.root, 'my own.csv');
    await writeFile(path, 'x');
    const { importId, filePath } = await claimCopy(path, { quoteOnly: true });
    await setState(importId, 'read');
    expect(await archive(importId, 'done')).toBe(join(account.root, 'quotes', 'my own.csv'));
    expect(await readdir(join(account.root, 'done'))).toEqual([]);
    expect(await readdir(join(account.root, 'inbox'))).toEqual([]);
    expect(filePath).toMatch(/^files\/quote-/);
    await account.pool.query('delete from imports where id = $1', [importId]);
    await account.pool.query('delete from folder_positions where account = $1', [account.name]);
    expect(await importUnknownFiles()).toEqual([]);
    expect(await imports()).toEqual([]);
  });
});

describe('files in done', () => {
  /** Claims, reads and archives a file. */
  const fileAway = async (name: string, text: string): Promise<string> => {
    const { claim, archive } = claims();
    const { importId } = registeredOf(await claim(await drop(name, text)));
    await setState(importId, 'read');
    await archive(importId, 'done', 'a note');
    return importId;
  };
  const position = async () =>
    (await account.pool.query('select * from folder_positions where account = $1', [account.name])).rows[0];
  /** Restores the ledger to a backup from before later files were archived. */
  const restoreTo = async (before: { position: string } | undefined, lost: string[]) => {
    await account.pool.query('delete from imports where id = any($1::bigint[])', [lost]);
    await account.pool.query('delete from folder_positions where account = $1', [account.name]);
    if (before) {
      await account.pool.query('insert into folder_positions values ($1, $2)', [
        account.name,
        before.position,
      ]);
    }
  };

  test('are not read at a normal start, even if a person copied files there', async () => {
    await fileAway('known.csv', 'known');
    for (const name of ['by hand.csv', '.DS_Store', '~$orders.xlsx']) {
      await writeFile(join(account.root, 'done', name), 'unknown');
    }
    let hashed = 0;
    const counting: ImportRegister = {
      ...createImportRegister(account.pool),
      knowsBytes: async () => {
        hashed += 1;
        return false;
      },
    };
    expect(await claims(counting).importUnknownFiles()).toEqual([]);
    expect(hashed, 'files of done that were read').toBe(0);
    expect(await imports()).toHaveLength(1);
  });

  test('are imported again, once, into an older ledger that does not know them', async () => {
    await fileAway('known.csv', 'known');
    const before = await position();
    const lost = [await fileAway('lost 1.csv', 'lost'), await fileAway('lost 2.xlsx', 'lost too')];
    await writeFile(join(account.root, 'done', '.DS_Store'), 'x');
    await writeFile(join(account.root, 'done', '~$orders.xlsx'), 'x');
    await writeFile(join(account.root, 'done', 'reserved.csv'), '');
    await restoreTo(before, lost);
    const found = await claims().importUnknownFiles();
    expect(found.map(({ fileName, state }) => [fileName, state]).sort()).toEqual([
      ['lost 1.csv', 'taken'],
      ['lost 2.xlsx', 'taken'],
    ]);
    expect((await imports()).map((row) => [row.file_name, row.restored])).toEqual([
      ['known.csv', false],
      ...found.map(({ fileName }) => [fileName, true]),
    ]);
    expect(await claims().importUnknownFiles()).toEqual([]);
  });

  test.each([
    ['an older', (before: Awaited<ReturnType<typeof position>>) => before],
    ['an empty', () => undefined],
  ])('are imported again into %s ledger by a process that asks it for all folders at once', async (_, of) => {
    const { importUnknownFiles } = claims();
    const found = async () => {
      const { positions } = await listKnownFolders(account.pool);
      return importUnknownFiles(positions.get(account.name) ?? 0);
    };
    expect(await found()).toEqual([]);
    await fileAway('known.csv', 'known');
    const before = await position();
    for (const _again of [1, 2]) expect(await found()).toEqual([]);
    const lost = [await fileAway('lost.csv', 'lost')];
    expect(await found()).toEqual([]);
    await restoreTo(of(before), lost);
    expect((await found()).map(({ fileName }) => fileName)).toContain('lost.csv');
    expect(await found()).toEqual([]);
  });

  test('are imported again into an empty ledger', async () => {
    const lost = [await fileAway('lost.csv', 'lost')];
    await restoreTo(undefined, lost);
    expect(await claims().importUnknownFiles()).toMatchObject([{ fileName: 'lost.csv' }]);
  });

  test('are also found when other files were archived before the restore', async () => {
    await fileAway('known.csv', 'known');
    const before = await position();
    const lost = [await fileAway('lost.csv', 'lost')];
    await restoreTo(before, lost);
    for (const name of ['new 1.csv', 'new 2.csv', 'new 3.csv']) await fileAway(name, name);
    expect(await claims().importUnknownFiles()).toMatchObject([{ fileName: 'lost.csv' }]);
  });

  test('are not imported again where the folder is older than the ledger', async () => {
    await fileAway('known.csv', 'known');
    await rm(join(account.root, '.position'), { recursive: true });
    await fileAway('later.csv', 'later');
    await writeFile(join(account.root, 'done', 'by hand.csv'), 'unknown');
    expect(await claims().importUnknownFiles()).toEqual([]);
  });

  test('killed while they are imported again: the others follow, and each is marked as restored', async () => {
    const lost = [await fileAway('1.csv', 'one'), await fileAway('2.csv', 'two')];
    await restoreTo(undefined, lost);
    const ledgerOf = createImportRegister(account.pool);
    const down: ImportRegister = { ...ledgerOf, register: () => Promise.reject(new Error('killed')) };
    expect(await claims(down).importUnknownFiles()).toEqual([]);
    await claims().recoverWorking();
    await claims().importUnknownFiles();
    expect((await imports()).map((row) => [row.state, row.restored])).toEqual([
      ['taken', true],
      ['taken', true],
    ]);
  });

  test('whose bytes the ledger knows only of a quote or a refused file are imported again', async () => {
    const { claimCopy } = claims();
    const path = join(account.root, 'my own.csv');
    await writeFile(path, 'x');
    await claimCopy(path, { quoteOnly: true });
    const refused = await claimCopy(path);
    await setState(refused.importId, 'refused');
    const lost = [await fileAway('orders.csv', 'x')];
    await restoreTo(undefined, lost);
    expect(await claims().importUnknownFiles()).toMatchObject([{ fileName: 'orders.csv', state: 'taken' }]);
  });
});
