import type { RegisteredImport } from '../intake/claim-register.ts';
import { type FileTrouble, troubleOf } from '../intake/file-troubles.ts';
import type { NewJob } from '../queue/jobs.ts';
import { importJob } from '../queue/next-work.ts';
import type { OpenAccount } from './open-accounts.ts';

/** A file left in working/ is picked up by the sweep when nobody has touched it for this long. */
const leftMs = 60_000;

/**
 * Picks up files of an account that a process left behind, and looks again at files that were picked up. Each step by
 * itself: one that fails keeps none of the others from running, and is shown by `status`.
 */
const recoverAccount = async (
  { account, claims, reportTroubles }: OpenAccount,
  enqueue: (jobs: readonly NewJob[]) => Promise<void>,
): Promise<void> => {
  const troubles: FileTrouble[] = [];
  const found: RegisteredImport[] = [];
  const attempt = async (folder: string, step: () => Promise<void>): Promise<void> => {
    try {
      await step();
    } catch (error) {
      troubles.push(troubleOf(folder, account.folder, error));
    }
  };
  await attempt('working', async () => {
    const onTrouble = (trouble: FileTrouble) => troubles.push(trouble);
    found.push(...(await claims.recoverWorking({ minAgeMs: leftMs, onTrouble })));
  });
  await attempt('done', async () => {
    found.push(...(await claims.importUnknownFiles()));
  });
  await reportTroubles.working(troubles);
  const watched: FileTrouble[] = [];
  try {
    watched.push(...(await claims.checkOriginals()));
  } catch (error) {
    watched.push(troubleOf('done', account.folder, error));
  }
  await reportTroubles.watched(watched);
  const taken = found.filter(({ state }) => state === 'taken');
  await enqueue(taken.map(({ importId }) => importJob(importId)));
};

/** Does this for all accounts whose folders can be used, one after the other. */
export const recoverFiles = async (
  accounts: readonly OpenAccount[],
  enqueue: (jobs: readonly NewJob[]) => Promise<void>,
): Promise<void> => {
  for (const account of accounts) if (!account.folderTrouble) await recoverAccount(account, enqueue);
};
