import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from '../errors.ts';
import { createDropFolder, type DropFolder } from '../intake/drop-folder.ts';
import type { Logger } from '../logger.ts';
import type { NewJob } from '../queue/jobs.ts';
import { importJob } from '../queue/next-work.ts';
import type { OpenAccount } from './open-accounts.ts';

interface WatchDeps {
  enqueue: (jobs: readonly NewJob[]) => Promise<void>;
  logger: Logger;
}

/** How often a folder that cannot be watched is tried again. */
const retryMs = 5000;

const openFolder = ({ account, claims }: OpenAccount, { enqueue, logger }: WatchDeps): DropFolder =>
  createDropFolder({
    root: account.folder,
    accountName: account.name,
    logger,
    settleMs: account.fileSettle,
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

/** Watches the inboxes of all accounts that take files at once; accounts with hours for it have their job. */
export const watchFolders = async (
  accounts: readonly OpenAccount[],
  deps: WatchDeps,
): Promise<{ stop(): Promise<void> }> => {
  const folders = accounts
    .filter(({ account }) => account.schedule.takeFiles === undefined)
    .map((account) => [openFolder(account, deps), account.account.name] as const);
  const waiting = new Map<DropFolder, NodeJS.Timeout>();
  let stopped = false;
  /** A folder that cannot be watched is tried again, and keeps no other one from being watched. */
  const start = async (folder: DropFolder, name: string, tried: boolean): Promise<void> => {
    waiting.delete(folder);
    try {
      await folder.start();
      if (tried) deps.logger.info({ account: name }, 'the inbox of this account is watched again');
    } catch (err) {
      await folder.stop();
      const reason = messageOf(err);
      if (!tried) deps.logger.error({ account: name, reason }, 'the inbox of this account cannot be watched');
      if (!stopped)
        waiting.set(
          folder,
          setTimeout(() => void start(folder, name, true), retryMs),
        );
    }
  };
  for (const [folder, name] of folders) await start(folder, name, false);
  return {
    stop: async () => {
      stopped = true;
      for (const timer of waiting.values()) clearTimeout(timer);
      for (const [folder] of folders) await folder.stop();
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
