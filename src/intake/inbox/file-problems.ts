import { userInfo } from 'node:os';
import { messageOf, UserError } from '../../errors.ts';
import type { Logger } from '../../logger.ts';

/** Why a file cannot be picked up, archived or checked, or needs a person. */
export interface FileProblem {
  /** The readable name of the file or folder. */
  fileName: string;
  code: string;
  /** The problem and what to do, in sentences. */
  message: string;
}

/**
 * Where it was found: by the inbox watcher, the sweep over working/ and done/, the watch over picked-up files, the connection to an SFTP
 * server, or fetching and delivering there.
 */
export type FileProblemPlace = 'inbox' | 'working' | 'watched' | 'server' | 'fetched' | 'delivered';

/**
 * The names of files not checked this time, because they may still be uploading or the work was interrupted; their recorded problems stay.
 * `all`: every file that has no problem in the list.
 */
export type Unchecked = readonly string[] | 'all';

/** The part of the ledger used to report file problems. */
export interface FileProblemRegister {
  /**
   * Replaces the problems of a place, except those of unchecked files. An unchanged problem keeps its first time.
   * @returns the new ones
   */
  replace(
    account: string,
    place: FileProblemPlace,
    problems: readonly FileProblem[],
    unchecked?: Unchecked,
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

/** Converts an error with a file into a problem for a person. */
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

export type FileProblemReport = (problems: readonly FileProblem[], unchecked?: Unchecked) => Promise<void>;

/**
 * Keeps the ledger's file problems of one place up to date, and logs each problem once, when it begins, no matter which process finds it.
 * While the ledger is unreachable, each process logs problems that it has not logged yet. Never throws.
 */
export const createFileProblemReport = (deps: {
  account: string;
  place: FileProblemPlace;
  register: FileProblemRegister;
  logger: Logger;
}): FileProblemReport => {
  const { account, place, register, logger } = deps;
  const keyOf = (problems: readonly FileProblem[], unchecked: Unchecked) =>
    JSON.stringify([problems, unchecked]);
  const nothing = keyOf([], []);
  let reported: string | undefined;
  let logged: readonly FileProblem[] = [];
  const isNew = ({ fileName, code }: FileProblem) =>
    !logged.some((one) => one.fileName === fileName && one.code === code);

  return async (problems, unchecked = []) => {
    // Without problems, the unchecked files do not matter.
    const key = reported === nothing && problems.length === 0 ? nothing : keyOf(problems, unchecked);
    if (key === reported) return;
    let fresh = problems;
    try {
      fresh = await register.replace(account, place, problems, unchecked);
      reported = key;
    } catch {
      // The next report writes the list again.
      reported = undefined;
    }
    for (const { fileName, code, message } of fresh.filter(isNew)) {
      logger.warn({ account, file: fileName, code, reason: message }, 'a file needs attention');
    }
    const found = new Set(problems.map(({ fileName }) => fileName));
    const kept = logged.filter(
      ({ fileName }) => !found.has(fileName) && (unchecked === 'all' || unchecked.includes(fileName)),
    );
    logged = [...problems, ...kept];
  };
};
