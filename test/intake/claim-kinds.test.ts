import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Claim, createClaims } from '../../src/intake/claim.ts';
import { makeAccountFolders } from '../../src/intake/claim-folders.ts';
import type { ImportRegister } from '../../src/intake/claim-register.ts';
import { createImportRegister } from '../../src/ledger/imports.ts';
import { silentLogger } from '../../src/logger.ts';
import { createTestLedger, type TestLedger } from '../support/ledger-rows.ts';

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

describe('a quote stays a quote', () => {
  const quoteOf = async (importId: string): Promise<boolean> =>
    (await ledger.pool.query('select quote_only from imports where id = $1', [importId])).rows[0].quote_only;

  test('killed after the copy, before the ledger knew', async () => {
    const down: ImportRegister = {
      ...createImportRegister(ledger.pool),
      register: () => Promise.reject(new Error('the ledger is down')),
    };
    const path = await drop('orders.csv', 'x');
    await expect(claims(down).claimCopy(path, { quoteOnly: true })).rejects.toThrow('the ledger is down');
    const [waiting] = await claims().recoverWorking();
    expect(await quoteOf(waiting!.importId)).toBe(true);
  });

  test('in a ledger that was restored from before it', async () => {
    const registered = await claims().claimCopy(await drop('orders.csv', 'x'), { quoteOnly: true });
    await ledger.pool.query('delete from imports where id = $1', [registered.importId]);
    const [waiting] = await claims().recoverWorking();
    expect(waiting!.importId).not.toBe(registered.importId);
    expect(await quoteOf(waiting!.importId)).toBe(true);
  });

  test('of an earlier version, which marked it by a file; a marker that cannot be looked at is no order', async () => {
    const claimId = randomUUID();
    const folder = join(root, 'working', claimId);
    await mkdir(join(folder, 'original'), { recursive: true });
    await writeFile(join(folder, 'original', 'orders.csv'), 'x');
    // Longer than a path may be: any error but "there is none" leaves the claim to be tried again.
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
    const path = join(root, 'my own.csv');
    await writeFile(path, 'x');
    const { importId, filePath } = await claimCopy(path, { quoteOnly: true });
    await setState(importId, 'read');
    expect(await archive(importId, 'done')).toBe(join(root, 'quotes', 'my own.csv'));
    expect(await readdir(join(root, 'done'))).toEqual([]);
    expect(await readdir(join(root, 'inbox'))).toEqual([]);
    expect(filePath).toMatch(/^files\/quote-/);
    await ledger.pool.query('delete from imports where id = $1', [importId]);
    await ledger.pool.query('delete from folder_positions where account = $1', [account]);
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
    (await ledger.pool.query('select * from folder_positions where account = $1', [account])).rows[0];
  /** The ledger as a backup had it when so many files were archived. */
  const restoreTo = async (before: { position: string } | undefined, lost: string[]) => {
    await ledger.pool.query('delete from imports where id = any($1::bigint[])', [lost]);
    await ledger.pool.query('delete from folder_positions where account = $1', [account]);
    if (before) {
      await ledger.pool.query('insert into folder_positions values ($1, $2)', [account, before.position]);
    }
  };

  test('are not read at a normal start, whatever a person has put there', async () => {
    await fileAway('known.csv', 'known');
    for (const name of ['by hand.csv', '.DS_Store', '~$orders.xlsx']) {
      await writeFile(join(root, 'done', name), 'unknown');
    }
    let hashed = 0;
    const counting: ImportRegister = {
      ...createImportRegister(ledger.pool),
      knowsBytes: async () => {
        hashed += 1;
        return false;
      },
    };
    expect(await claims(counting).importUnknownFiles()).toEqual([]);
    expect(hashed, 'files of done that were read').toBe(0);
    expect(await imports()).toHaveLength(1);
  });

  test('are imported again into a ledger that is older than the folder: those that it does not know, once', async () => {
    await fileAway('known.csv', 'known');
    const before = await position();
    const lost = [await fileAway('lost 1.csv', 'lost'), await fileAway('lost 2.xlsx', 'lost too')];
    await writeFile(join(root, 'done', '.DS_Store'), 'x');
    await writeFile(join(root, 'done', '~$orders.xlsx'), 'x');
    await writeFile(join(root, 'done', 'reserved.csv'), '');
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

  test('are imported again into an empty ledger', async () => {
    const lost = [await fileAway('lost.csv', 'lost')];
    await restoreTo(undefined, lost);
    expect(await claims().importUnknownFiles()).toMatchObject([{ fileName: 'lost.csv' }]);
  });

  test('are found too where other files were archived before anybody looked', async () => {
    await fileAway('known.csv', 'known');
    const before = await position();
    const lost = [await fileAway('lost.csv', 'lost')];
    await restoreTo(before, lost);
    for (const name of ['new 1.csv', 'new 2.csv', 'new 3.csv']) await fileAway(name, name);
    expect(await claims().importUnknownFiles()).toMatchObject([{ fileName: 'lost.csv' }]);
  });

  test('are not imported again where the folder is older than the ledger', async () => {
    await fileAway('known.csv', 'known');
    await rm(join(root, '.position'), { recursive: true });
    await fileAway('later.csv', 'later');
    await writeFile(join(root, 'done', 'by hand.csv'), 'unknown');
    expect(await claims().importUnknownFiles()).toEqual([]);
  });

  test('killed while they are imported again: the others follow, and each is marked as restored', async () => {
    const lost = [await fileAway('1.csv', 'one'), await fileAway('2.csv', 'two')];
    await restoreTo(undefined, lost);
    const ledgerOf = createImportRegister(ledger.pool);
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
    const path = join(root, 'my own.csv');
    await writeFile(path, 'x');
    await claimCopy(path, { quoteOnly: true });
    const refused = await claimCopy(path);
    await setState(refused.importId, 'refused');
    const lost = [await fileAway('orders.csv', 'x')];
    await restoreTo(undefined, lost);
    expect(await claims().importUnknownFiles()).toMatchObject([{ fileName: 'orders.csv', state: 'taken' }]);
  });
});
