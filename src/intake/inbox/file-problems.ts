import { userInfo } from 'node:os';
import { messageOf, UserError } from '../../errors.ts';
import type { Logger } from '../../logger.ts';

/** Why a file cannot be picked up, archived or checked, or why a person has to look at it. */
export interface FileProblem {
  /** The file's readable name; or a folder's. */
  fileName: string;
  code: string;
  /** What happened and what to do, in sentences. */
  message: string;
}

/**
 * Who found it: the inbox watcher, the sweep over working/ and done/, the watch over files that were picked up, or fetching and
 * delivering by SFTP.
 */
export type FileProblemPlace = 'inbox' | 'working' | 'watched' | 'fetched' | 'delivered';

/** What reporting file problems needs of the ledger. */
export interface FileProblemRegister {
  /**
   * Replaces the problems of a place.
   * @returns those that were not known before
   */
  replace(
    account: string,
    place: FileProblemPlace,
    problems: readonly FileProblem[],
  ): Promise<readonly FileProblem[]>;
}

const userName = (): string => {
  try {
    return userInfo().username;
  } catch {
    // A user without an entry in the password file, as in many containers.
    return `with the id ${process.getuid?.()}`;
  }
};

const denied = (folder: string) =>
  `Permission denied. Give the user ${userName()} read access to the file, and read and write access to ${folder} and the folders in it.`;
const full = (folder: string) =>
  `There is no space left on the disk of ${folder}. Free some space; the file is then picked up automatically.`;

const advice: Record<string, (folder: string) => string> = {
  EACCES: denied,
  EPERM: denied,
  ENOSPC: full,
  EDQUOT: full,
  EROFS: (folder) =>
    `The file system of ${folder} is read-only. Mount it writable, because files are moved out of inbox when they are picked up.`,
  EMFILE: () => 'This process has too many files open. Raise its limit (ulimit -n) and restart it.',
  ENFILE: () =>
    'The machine has too many files open. Stop other programs, or raise the system limit (fs.file-max).',
};

/** An error with a file, as a problem for a person. */
export const fileProblemOf = (fileName: string, folder: string, thrown: unknown): FileProblem => {
  const code = (thrown as { code?: unknown }).code;
  const known = typeof code === 'string' ? code : 'failed';
  const message = messageOf(thrown);
  if (thrown instanceof UserError) return { fileName, code: known, message };
  const sentence = advice[known]?.(folder);
  return {
    fileName,
    code: known,
    message:
      sentence === undefined
        ? `${message}. Cartwright tries again automatically.`
        : `${sentence} (${message})`,
  };
};

export type FileProblemReport = (problems: readonly FileProblem[]) => Promise<void>;

/**
 * Keeps the ledger's list of file problems at one place up to date, and logs each problem once, when it begins, no
 * matter which process finds it. While the ledger is unreachable, each process logs what it has not logged. Never throws.
 */
export const createFileProblemReport = (deps: {
  account: string;
  place: FileProblemPlace;
  register: FileProblemRegister;
  logger: Logger;
}): FileProblemReport => {
  const { account, place, register, logger } = deps;
  const keyOf = (problems: readonly FileProblem[]) => JSON.stringify(problems);
  let reported: string | undefined;
  let logged = new Set<string>();
  const isNew = ({ fileName, code }: FileProblem) => !logged.has(`${code} ${fileName}`);

  return async (problems) => {
    if (keyOf(problems) === reported) return;
    let fresh = problems;
    try {
      fresh = await register.replace(account, place, problems);
      reported = keyOf(problems);
    } catch {
      // The next report writes the list again.
      reported = undefined;
    }
    for (const { fileName, code, message } of fresh.filter(isNew)) {
      logger.error({ account, file: fileName, code, reason: message }, 'a file needs attention');
    }
    logged = new Set(problems.map(({ fileName, code }) => `${code} ${fileName}`));
  };
};
