import { mkdtempSync, rmSync } from 'node:fs';
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { RegisteredImport } from '../../src/intake/inbox/import-register.ts';
import { createTransferRegister } from '../../src/ledger/transfers.ts';
import { createFetcher, type FetchCheckpoint } from '../../src/sources/fetch-files.ts';
import type { FilePlace } from '../../src/sources/file-place.ts';
import { createLocalPlace } from '../../src/sources/local-place.ts';
import { useClaims } from '../intake/inbox/use-claims.ts';
import { createHeardLogger } from '../support/heard-logger.ts';

/** An account with its ledger, and a folder as the place to fetch from, so that a test can act like dealers. */
export const useTransfers = () => {
  const account = useClaims();
  let server: string;
  beforeEach(async () => {
    server = mkdtempSync(join(tmpdir(), 'cartwright-server-'));
    await mkdir(join(server, 'orders'));
  });
  afterEach(() => rmSync(server, { recursive: true, force: true }));
  const heard = createHeardLogger();
  const imported: RegisteredImport[] = [];
  beforeEach(() => void imported.splice(0));
  return {
    account,
    heard,
    /** Imports passed to `onImport`, in order. */
    imported,
    get server() {
      return server;
    },
    get place(): FilePlace {
      return createLocalPlace(server);
    },
    register: () => createTransferRegister(account.pool),
    at: (path: string) => join(server, path),
    /** Puts a file there, with a time by the server's clock. */
    put: async (name: string, text: string, atSeconds = 1_700_000_000) => {
      const path = join(server, 'orders', name);
      await writeFile(path, text);
      await utimes(path, atSeconds, atSeconds);
    },
    /** A fetcher of a new process. */
    fetcher: (
      over: {
        settleMs?: number;
        incompleteMs?: number;
        maxFileBytes?: number;
        checkpoint?: (name: FetchCheckpoint, fileName: string) => Promise<void>;
      } = {},
    ) =>
      createFetcher({
        account: account.name,
        root: account.root,
        folder: 'orders',
        doneFolder: 'orders/done',
        claims: account.claims(),
        register: createTransferRegister(account.pool),
        settleMs: 0,
        incompleteMs: 3_600_000,
        maxFileBytes: 1_000_000,
        onImport: async (registered) => void imported.push(registered),
        logger: heard.logger,
        ...over,
      }),
    /** The contents of the imports' private copies, in order of import. */
    copies: async (): Promise<string[]> => {
      const { rows } = await account.pool.query(
        'select file_path from imports where account = $1 order by id',
        [account.name],
      );
      return Promise.all(rows.map(({ file_path }) => readFile(join(account.root, file_path), 'utf8')));
    },
    names: async (folder: string): Promise<string[]> =>
      (await readdir(join(server, folder)).catch(() => [])).sort(),
    /** Files that are still being fetched, according to the ledger. */
    open: () => createTransferRegister(account.pool).listFetched(account.name, 'orders'),
  };
};
