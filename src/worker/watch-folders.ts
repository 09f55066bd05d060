import { setTimeout as sleep } from 'node:timers/promises';
import type { NewJob } from '../dispatch/job-schemas.ts';
import { importJob } from '../dispatch/next-work.ts';
import { makeAccountFolders } from '../intake/inbox/account-folders.ts';
import { createDropFolder, type DropFolder } from '../intake/inbox/drop-folder.ts';
import { fileProblemOf } from '../intake/inbox/file-problems.ts';
import type { Logger } from '../logger.ts';
import type { OpenAccount } from './open-accounts.ts';

interface WatchDeps {
  enqueue: (jobs: readonly NewJob[]) => Promise<void>;
  logger: Logger;
}

const openFolder = (
  { account, claims, reportFileProblems }: OpenAccount,
  { enqueue, logger }: WatchDeps,
): DropFolder =>
  createDropFolder({
    root: account.folder,
    accountName: account.name,
    logger,
    settleMs: account.fileSettleMs,
    report: reportFileProblems.inbox,
    access: account.access,
    incompleteMs: account.incompleteFileSettleMs,
    onReady: async (path) => {
      const claimed = await claims.claim(path);
      if (claimed.kind !== 'claimed' || claimed.registered.state !== 'taken') return;
      // The ledger has the file: if the queue cannot be reached, the sweep enqueues it.
      await enqueue([importJob(claimed.registered.importId)]).catch((err: unknown) =>
        logger.warn(
          { err, importId: claimed.registered.importId },
          'cannot enqueue an imported file; the sweep will do it',
        ),
      );
    },
  });

/**
 * Watches the inboxes of all accounts without a takeFiles schedule. The folders of the other accounts are created too,
 * so that their inboxes exist from the start.
 */
export const watchFolders = async (
  accounts: readonly OpenAccount[],
  deps: WatchDeps,
): Promise<{ stop(): Promise<void> }> => {
  const folders = accounts
    .filter(({ account }) => account.schedule.takeFiles === undefined)
    .map((account) => openFolder(account, deps));
  for (const { account, reportFileProblems } of accounts) {
    if (account.schedule.takeFiles === undefined) continue;
    await makeAccountFolders(account.folder, account.access).catch((error: unknown) =>
      reportFileProblems.inbox([fileProblemOf('inbox', account.folder, error)]),
    );
  }
  for (const folder of folders) await folder.start();
  return {
    stop: async () => {
      for (const folder of folders) await folder.stop();
    },
  };
};

/** Picks up the complete files in an account's inbox once. */
export const takeFiles = async (account: OpenAccount, deps: WatchDeps): Promise<void> => {
  const folder = openFolder(account, deps);
  // The first scan records the files' sizes, the second finds those that have not changed since.
  await folder.scanNow();
  await sleep(account.account.fileSettleMs + 50);
  await folder.scanNow();
  await folder.stop();
};
