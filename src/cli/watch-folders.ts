import { setTimeout as sleep } from 'node:timers/promises';
import { makeAccountFolders } from '../intake/claim-folders.ts';
import { createDropFolder, type DropFolder } from '../intake/drop-folder.ts';
import { troubleOf } from '../intake/file-troubles.ts';
import type { Logger } from '../logger.ts';
import type { NewJob } from '../queue/jobs.ts';
import { importJob } from '../queue/next-work.ts';
import type { OpenAccount } from './open-accounts.ts';

interface WatchDeps {
  enqueue: (jobs: readonly NewJob[]) => Promise<void>;
  logger: Logger;
}

const openFolder = (
  { account, claims, reportTroubles }: OpenAccount,
  { enqueue, logger }: WatchDeps,
): DropFolder =>
  createDropFolder({
    root: account.folder,
    accountName: account.name,
    logger,
    settleMs: account.fileSettle,
    report: reportTroubles.inbox,
    access: account.access,
    incompleteMs: account.incompleteFileSettle,
    onReady: async (path) => {
      const claimed = await claims.claim(path);
      if (claimed.kind !== 'claimed' || claimed.registered.state !== 'taken') return;
      // It is ours and in the ledger: if the queue is away, the sweep enqueues it.
      await enqueue([importJob(claimed.registered.importId)]).catch((err: unknown) =>
        logger.warn({ err, importId: claimed.registered.importId }, 'a taken file waits for the sweep'),
      );
    },
  });

/**
 * Watches the inboxes of all accounts that take files at once. Accounts with hours for it have their job; their folders
 * are made here too, so that a dealer finds the inbox from the start.
 */
export const watchFolders = async (
  accounts: readonly OpenAccount[],
  deps: WatchDeps,
): Promise<{ stop(): Promise<void> }> => {
  const folders = accounts
    .filter(({ account }) => account.schedule.takeFiles === undefined)
    .map((account) => openFolder(account, deps));
  for (const { account, reportTroubles } of accounts) {
    if (account.schedule.takeFiles === undefined) continue;
    await makeAccountFolders(account.folder, account.access).catch((error: unknown) =>
      reportTroubles.inbox([troubleOf('inbox', account.folder, error)]),
    );
  }
  for (const folder of folders) await folder.start();
  return {
    stop: async () => {
      for (const folder of folders) await folder.stop();
    },
  };
};

/** Takes, once, whatever is complete in an account's inbox. */
export const takeFiles = async (account: OpenAccount, deps: WatchDeps): Promise<void> => {
  const folder = openFolder(account, deps);
  // The first look learns how large the files are, the second that they have stood still.
  await folder.scanNow();
  await sleep(account.account.fileSettle + 50);
  await folder.scanNow();
  await folder.stop();
};
