import { setTimeout as sleep } from 'node:timers/promises';
import { mapAtOnce } from '../at-once.ts';
import { whyClosed } from '../config/opening-hours.ts';
import type { NewJob } from '../dispatch/job-schemas.ts';
import { importJob } from '../dispatch/next-work.ts';
import { createDropFolder, type DropFolder } from '../intake/inbox/drop-folder.ts';
import type { Logger } from '../logger.ts';
import { repeat } from '../repeat.ts';
import type { OpenAccount } from './open-accounts.ts';

interface WatchDeps {
  enqueue: (jobs: readonly NewJob[]) => Promise<void>;
  logger: Logger;
}

/** The ledger has the file: if the queue cannot be reached, the sweep enqueues it. */
export const enqueuePickedUp = (importId: string, { enqueue, logger }: WatchDeps): Promise<void> =>
  enqueue([importJob(importId)]).catch((err: unknown) =>
    logger.warn({ err, importId }, 'cannot enqueue an imported file; the sweep will do it'),
  );

const openFolder = ({ account, claims, reportFileProblems }: OpenAccount, deps: WatchDeps): DropFolder =>
  createDropFolder({
    root: account.folder,
    accountName: account.name,
    logger: deps.logger,
    settleMs: account.fileSettleMs,
    report: reportFileProblems.inbox,
    access: account.access,
    incompleteMs: account.incompleteFileSettleMs,
    onReady: async (path) => {
      const claimed = await claims.claim(path);
      if (claimed.kind !== 'claimed' || claimed.registered.state !== 'taken') return;
      await enqueuePickedUp(claimed.registered.importId, deps);
    },
  });

const foldersAtOnce = 16;
/** How often to check whether folders became usable or unusable. */
const refreshEveryMs = 2000;

/**
 * Watches the inboxes of all accounts without a takeFiles schedule whose folder is usable here (`OpenAccounts.checkFolders`),
 * while the account is open.
 */
export const watchFolders = async (
  accounts: readonly OpenAccount[],
  deps: WatchDeps,
): Promise<{ stop(): Promise<void> }> => {
  const watched = new Map<OpenAccount, DropFolder>();
  const refresh = async (): Promise<void> => {
    await mapAtOnce(accounts, foldersAtOnce, async (account) => {
      const { schedule } = account.account;
      const folder = watched.get(account);
      const isWanted =
        schedule.takeFiles === undefined &&
        account.folder.kind === 'usable' &&
        !whyClosed(schedule, new Date());
      if (isWanted && !folder) {
        const opened = openFolder(account, deps);
        watched.set(account, opened);
        await opened.start();
      } else if (!isWanted && folder) {
        watched.delete(account);
        await folder.stop();
      }
    });
  };
  await refresh();
  const loop = repeat(refresh, {
    everyMs: refreshEveryMs,
    firstMs: refreshEveryMs,
    failed: (err) => deps.logger.warn({ err }, 'cannot watch the inboxes; it is tried again'),
  });
  return {
    stop: async () => {
      await loop.stop();
      await Promise.all([...watched.values()].map((folder) => folder.stop()));
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
