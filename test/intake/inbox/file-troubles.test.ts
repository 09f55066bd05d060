import { randomUUID } from 'node:crypto';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  rm,
  symlink,
  unlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../../../src/config/load-config.ts';
import type { NewJob } from '../../../src/dispatch/job-schemas.ts';
import { makeAccountFolders } from '../../../src/intake/inbox/account-folders.ts';
import { createClaims } from '../../../src/intake/inbox/claim.ts';
import { createDropFolder } from '../../../src/intake/inbox/drop-folder.ts';
import { createFileProblemReport } from '../../../src/intake/inbox/file-problems.ts';
import { createFileProblemRegister } from '../../../src/ledger/file-problems.ts';
import { listKnownFolders } from '../../../src/ledger/folder-positions.ts';
import { createImportRegister } from '../../../src/ledger/imports.ts';
import { readOverview } from '../../../src/ledger/overview.ts';
import { silentLogger } from '../../../src/logger.ts';
import { openAccounts } from '../../../src/worker/open-accounts.ts';
import { recoverFiles } from '../../../src/worker/recover-files.ts';
import { watchFolders } from '../../../src/worker/watch-folders.ts';
import { asNobody, giveToNobody, mountSmall, remount, unmount } from '../../support/as-nobody.ts';
import { createHeardLogger } from '../../support/heard-logger.ts';
import { useTestLedger } from '../../support/ledger-rows.ts';

const ledger = useTestLedger();

let root: string;
let account: string;
let mounted = false;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cartwright trouble '));
  account = `account-${randomUUID()}`;
  mounted = false;
});
afterEach(async () => {
  if (mounted) unmount(root);
  await rm(root, { recursive: true, force: true });
});

const canMount = (() => {
  try {
    if (!mountSmall('/mnt')) return false;
    unmount('/mnt');
    return true;
  } catch {
    return false;
  }
})();

/** A problem that prevents the pick-up, its message, and its fix. */
interface Case {
  begin(): Promise<unknown>;
  code: string;
  says: RegExp;
  /** The problem is in the inbox, not in the file. */
  at?: string;
  end(): Promise<unknown>;
  needsMount?: boolean;
}

const cases: Record<string, Case> = {
  'an inbox that may only be read': {
    begin: () => chmod(join(root, 'inbox'), 0o555),
    code: 'EACCES',
    says: /Permission denied\. Give the user .* access to/,
    end: () => chmod(join(root, 'inbox'), 0o755),
  },
  'an inbox that may not even be read': {
    begin: () => chmod(join(root, 'inbox'), 0),
    code: 'EACCES',
    says: /Permission denied/,
    at: 'inbox',
    end: () => chmod(join(root, 'inbox'), 0o755),
  },
  'a file that may not be read': {
    begin: () => chmod(join(root, 'inbox', 'orders.csv'), 0),
    code: 'EACCES',
    says: /Permission denied\. Give the user .* read access to the file/,
    end: () => chmod(join(root, 'inbox', 'orders.csv'), 0o644),
  },
  'an inbox on another file system': {
    begin: async () => {
      const elsewhere = await mkdtemp('/dev/shm/cartwright-');
      await chmod(elsewhere, 0o777);
      await writeFile(join(elsewhere, 'orders.csv'), 'PO,SKU,Qty\n');
      await rm(join(root, 'inbox'), { recursive: true });
      await symlink(elsewhere, join(root, 'inbox'));
    },
    code: 'other_file_system',
    says: /different file systems/,
    end: async () => {
      await unlink(join(root, 'inbox'));
      await mkdir(join(root, 'inbox'));
      await writeFile(join(root, 'inbox', 'orders.csv'), 'PO,SKU,Qty\n');
      await giveToNobody(join(root, 'inbox'));
    },
  },
  'a full disk': {
    begin: async () => {
      // In steps, so that the last page is full too.
      for (const size of [40_000, 4096, 4096, 4096, 4096, 4096])
        await writeFile(join(root, `filling-${randomUUID()}`), 'x'.repeat(size)).catch(() => {});
    },
    code: 'ENOSPC',
    says: /no space left on the disk of .* Free some/,
    end: async () => {
      for (const name of await readdir(root)) if (name.startsWith('filling')) await rm(join(root, name));
    },
    needsMount: true,
  },
  'a file system that is read-only': {
    begin: async () => expect(remount(root, 'ro')).toBe(true),
    code: 'EROFS',
    says: /read-only\. Mount it writable/,
    end: async () => expect(remount(root, 'rw')).toBe(true),
    needsMount: true,
  },
};

describe('a file that cannot be picked up', () => {
  for (const [name, { begin, code, says, at = 'orders.csv', end, needsMount = false }] of Object.entries(
    cases,
  )) {
    test.skipIf(needsMount && !canMount)(
      `${name}: it stays, is shown in status, and is logged once with what to do`,
      async () => {
        if (needsMount) mounted = mountSmall(root);
        await makeAccountFolders(root);
        await writeFile(join(root, 'inbox', 'orders.csv'), 'PO,SKU,Qty\n');
        await giveToNobody(root);
        await begin();
        const { logger, lines } = createHeardLogger();
        const watcher = () => {
          const { claim } = createClaims({
            root,
            accountName: account,
            register: createImportRegister(ledger.pool),
            settleMs: 0,
            logger: silentLogger,
          });
          return createDropFolder({
            root,
            accountName: account,
            logger,
            settleMs: 0,
            onReady: async (path) => void (await claim(path)),
            report: createFileProblemReport({
              account,
              place: 'inbox',
              register: createFileProblemRegister(ledger.pool),
              logger,
            }),
          });
        };
        const first = watcher();
        await asNobody(async () => {
          for (let scan = 0; scan < 3; scan += 1) await first.scanNow();
          // A restarted process must know that the problem was already reported.
          await watcher().scanNow();
        });
        const shown = (await readOverview(ledger.pool, [account])).accounts[0]!.fileTroubles;
        expect(shown).toMatchObject([{ fileName: at, code, message: expect.stringMatching(says) }]);
        const logged = lines.filter(({ level }) => level === 'warn');
        expect(logged).toMatchObject([{ file: at, code, reason: expect.stringMatching(says) }]);
        expect(logged[0]).not.toHaveProperty('err');
        expect((await ledger.pool.query('select from imports where account = $1', [account])).rowCount).toBe(
          0,
        );

        await end();
        await asNobody(() => first.scanNow());
        expect((await readOverview(ledger.pool, [account])).accounts[0]!.fileTroubles).toEqual([]);
        const { rows } = await ledger.pool.query('select file_name from imports where account = $1', [
          account,
        ]);
        expect(rows).toEqual([{ file_name: 'orders.csv' }]);
      },
    );
  }

  test('while the ledger cannot be reached it is logged once as well', async () => {
    const { logger, lines } = createHeardLogger();
    const report = createFileProblemReport({
      account,
      place: 'inbox',
      register: { replace: () => Promise.reject(new Error('the ledger is down')) },
      logger,
    });
    const problem = { fileName: 'orders.csv', code: 'ENOSPC', message: 'Free some.' };
    for (let scan = 0; scan < 3; scan += 1) await report([problem]);
    expect(lines).toHaveLength(1);
    await report([]);
    await report([problem]);
    expect(lines).toHaveLength(2);
  });
});

describe("one account's files never stop another account", () => {
  const open = async () => {
    const file = join(root, 'cartwright.yaml');
    await writeFile(
      file,
      JSON.stringify({ accounts: { first: { schedule: { takeFiles: '0 2 * * *' } }, second: {} } }),
    );
    // The ledger knows the folders of other tests.
    await ledger.pool.query('delete from account_folders');
    const accounts = openAccounts(loadConfig({ file }, {}), ledger.pool, silentLogger, randomUUID());
    await accounts.checkFolders();
    return accounts;
  };
  const folderOf = (name: string) => join(root, 'cartwright-data', 'accounts', name);
  const leave = async (name: string, content: string) => {
    const claim = join(folderOf(name), 'working', randomUUID());
    await mkdir(join(claim, 'original'), { recursive: true });
    await writeFile(join(claim, 'original', 'orders.csv'), content);
    await utimes(claim, 1000, 1000);
    return claim;
  };
  /** Files in done/ that a ledger restored from a backup does not know. */
  const lose = async (name: string, fileName: string, content: string) => {
    await mkdir(join(folderOf(name), '.position'), { recursive: true });
    await writeFile(join(folderOf(name), '.position', '999'), '');
    const path = Buffer.concat([Buffer.from(`${folderOf(name)}/done/`), Buffer.from(fileName, 'latin1')]);
    await writeFile(path, content);
  };

  test.each<[string, () => Promise<unknown>]>([
    ['a name in done/ that is not UTF-8', () => lose('first', 'Bestellung_M\xfcnchen.csv', randomUUID())],
    [
      'a done/ without permission',
      async () => {
        await lose('first', 'orders.csv', randomUUID());
        await chmod(join(folderOf('first'), 'done'), 0);
      },
    ],
    ['a working/ without permission', () => chmod(join(folderOf('first'), 'working'), 0)],
    [
      'a file in done/ without permission',
      async () => {
        await lose('first', 'orders.csv', randomUUID());
        await chmod(join(folderOf('first'), 'done', 'orders.csv'), 0);
      },
    ],
    [
      'a claim without permission',
      async () => {
        const claim = await leave('first', randomUUID());
        await giveToNobody(root);
        await chmod(join(claim, 'original'), 0);
      },
    ],
    [
      'a file in working/ that is a folder',
      async () => {
        const claim = await leave('first', randomUUID());
        await rm(join(claim, 'original', 'orders.csv'));
        await mkdir(join(claim, 'original', 'orders.csv'));
      },
    ],
  ])('%s', async (what, begin) => {
    await giveToNobody(root);
    const accounts = await asNobody(open);
    await ledger.pool.query('delete from folder_positions');
    const content = randomUUID();
    await begin();
    await leave('first', `${content} of the first`);
    await leave('second', `${content} left`);
    await lose('second', 'lost.csv', `${content} lost`);
    await giveToNobody(root).catch(() => {});
    const enqueued: NewJob[] = [];
    await asNobody(async () => {
      await accounts.checkFolders();
      const known = await listKnownFolders(ledger.pool);
      await recoverFiles(accounts.all, async (jobs) => void enqueued.push(...jobs), known);
    });
    const names = async (name: string) =>
      (
        await ledger.pool.query(
          // Enqueued, not only registered: files are read in any order, and a bad one may be the last.
          `select file_name from imports where account = $1 and state = 'taken' and id = any($2)`,
          [name, enqueued.map(({ data }) => (data as { importId: string }).importId)],
        )
      ).rows.map((row) => row.file_name as string);
    expect((await names('second')).sort()).toEqual(['lost.csv', 'orders.csv']);
    // The account's other files are also imported, unless its whole folder is inaccessible.
    if (!what.startsWith('a working/')) expect(await names('first')).toContain('orders.csv');
    accounts.stop();
    await chmod(join(folderOf('first'), 'done'), 0o755);
    await chmod(join(folderOf('first'), 'working'), 0o755);
    await ledger.pool.query('delete from imports');
  });

  test('an account that picks files up by a schedule has its inbox from the start', async () => {
    await chown(root, process.getuid!(), process.getgid!());
    const file = join(root, 'cartwright.yaml');
    await writeFile(file, JSON.stringify({ accounts: { first: { schedule: { takeFiles: '0 2 * * *' } } } }));
    await ledger.pool.query('delete from account_folders');
    const accounts = openAccounts(loadConfig({ file }, {}), ledger.pool, silentLogger, randomUUID());
    await accounts.checkFolders();
    const watching = await watchFolders(accounts.all, { enqueue: async () => {}, logger: silentLogger });
    expect(await readdir(folderOf('first'))).toContain('inbox');
    await watching.stop();
    accounts.stop();
  });
});
