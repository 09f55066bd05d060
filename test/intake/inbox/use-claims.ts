import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { makeAccountFolders } from '../../../src/intake/inbox/account-folders.ts';
import { type Claim, createClaims } from '../../../src/intake/inbox/claim.ts';
import type { ImportRegister } from '../../../src/intake/inbox/import-register.ts';
import { createImportRegister } from '../../../src/ledger/imports.ts';
import { silentLogger } from '../../../src/logger.ts';
import { useTestLedger } from '../../support/ledger-rows.ts';

export const registeredOf = (claim: Claim) => {
  if (claim.kind !== 'claimed') throw new Error('the file was gone');
  return claim.registered;
};

/** A ledger for all tests of a file, and for each test a new account with empty folders. */
export const useClaims = () => {
  const ledger = useTestLedger();
  let root: string;
  let account: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'cartwright claim '));
    account = randomUUID();
    await makeAccountFolders(root);
  });
  afterEach(() => rm(root, { recursive: true, force: true }));
  return {
    get pool() {
      return ledger.pool;
    },
    /** The account's folder. */
    get root() {
      return root;
    },
    get name() {
      return account;
    },
    claims: (register: ImportRegister = createImportRegister(ledger.pool), accountName = account) =>
      createClaims({ root, accountName, register, settleMs: 0, logger: silentLogger }),
    /** Puts a file into the inbox; returns its path. */
    drop: async (name: string, text: string): Promise<string> => {
      const path = join(root, 'inbox', name);
      await writeFile(path, text);
      return path;
    },
    imports: async (): Promise<{ id: string; state: string; file_name: string; restored: boolean }[]> =>
      (await ledger.pool.query('select * from imports where account = $1 order by id', [account])).rows,
    setState: (importId: string, state: string) =>
      ledger.pool.query('update imports set state = $2 where id = $1', [importId, state]),
  };
};
