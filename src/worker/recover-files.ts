import type { NewJob } from '../dispatch/job-schemas.ts';
import { importJob } from '../dispatch/next-work.ts';
import { type FileProblem, fileProblemOf } from '../intake/inbox/file-problems.ts';
import type { RegisteredImport } from '../intake/inbox/import-register.ts';
import type { KnownFolders } from '../ledger/folder-positions.ts';
import type { OpenAccount } from './open-accounts.ts';

/** The sweep picks up a file in working/ once it has not been touched for this long. */
const leftMs = 60_000;

/**
 * Picks up files of an account that a process left behind, and checks whether imported files changed afterwards. If a
 * step fails, the others still run, and `status` shows the problem.
 */
const recoverAccount = async (
  { account, claims, reportFileProblems }: OpenAccount,
  enqueue: (jobs: readonly NewJob[]) => Promise<void>,
  { positions, watched: withWatched }: KnownFolders,
): Promise<void> => {
  const problems: FileProblem[] = [];
  const found: RegisteredImport[] = [];
  const attempt = async (folder: string, step: () => Promise<void>): Promise<void> => {
    try {
      await step();
    } catch (error) {
      problems.push(fileProblemOf(folder, account.folder, error));
    }
  };
  await attempt('working', async () => {
    const onProblem = (problem: FileProblem) => problems.push(problem);
    found.push(...(await claims.recoverWorking({ minAgeMs: leftMs, onProblem })));
  });
  await attempt('done', async () => {
    found.push(...(await claims.importUnknownFiles(positions.get(account.name) ?? 0)));
  });
  await reportFileProblems.working(problems);
  const watched: FileProblem[] = [];
  try {
    if (withWatched.has(account.name)) watched.push(...(await claims.checkOriginals()));
  } catch (error) {
    watched.push(fileProblemOf('done', account.folder, error));
  }
  await reportFileProblems.watched(watched);
  const taken = found.filter(({ state }) => state === 'taken');
  await enqueue(taken.map(({ importId }) => importJob(importId)));
};

/**
 * Recovers the files of all accounts with a usable folder, one account after the other.
 *
 * @param known read from the ledger before the folders are read
 */
export const recoverFiles = async (
  accounts: readonly OpenAccount[],
  enqueue: (jobs: readonly NewJob[]) => Promise<void>,
  known: KnownFolders,
): Promise<void> => {
  for (const account of accounts)
    if (account.folder.kind === 'usable') await recoverAccount(account, enqueue, known);
};
