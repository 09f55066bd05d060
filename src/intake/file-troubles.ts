import { userInfo } from 'node:os';
import { messageOf, UserError } from '../errors.ts';
import type { Logger } from '../logger.ts';

/** What keeps a file from being picked up, archived or checked; or a file that a person has to look at. */
export interface FileTrouble {
  /** The file's readable name; or a folder's. */
  fileName: string;
  code: string;
  /** What happened and what to do, in sentences. */
  message: string;
}

/** Who noticed: the watcher of the inbox, the sweep in working/ and done/, or the watch over files that were picked up. */
export type TroublePlace = 'inbox' | 'working' | 'watched';

/** What reporting troubles needs of the ledger. */
export interface TroubleRegister {
  /**
   * From now on these are the troubles of a place, and no others.
   * @returns those that were not known before
   */
  replace(
    account: string,
    place: TroublePlace,
    troubles: readonly FileTrouble[],
  ): Promise<readonly FileTrouble[]>;
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
  `There is no space left on the disk of ${folder}. Free some; the file is then picked up automatically.`;

const advice: Record<string, (folder: string) => string> = {
  EACCES: denied,
  EPERM: denied,
  ENOSPC: full,
  EDQUOT: full,
  EROFS: (folder) =>
    `The file system of ${folder} is read-only. Mount it writable: a file is moved out of inbox when it is picked up.`,
  EMFILE: () => 'This process has too many files open. Raise its limit (ulimit -n) and restart it.',
  ENFILE: () => 'The machine has too many files open.',
};

/** A failure at a file as a person is told of it. */
export const troubleOf = (fileName: string, folder: string, thrown: unknown): FileTrouble => {
  const code = (thrown as { code?: unknown }).code;
  const known = typeof code === 'string' ? code : 'failed';
  const told = messageOf(thrown);
  if (thrown instanceof UserError) return { fileName, code: known, message: told };
  const sentence = advice[known]?.(folder);
  return {
    fileName,
    code: known,
    message: sentence === undefined ? `${told}. It is tried again automatically.` : `${sentence} (${told})`,
  };
};

export type TroubleReport = (troubles: readonly FileTrouble[]) => Promise<void>;

/**
 * Keeps the ledger's list of what is wrong at one place up to date, and logs a trouble once, when it begins, whichever
 * process sees it. While the ledger cannot be reached each process logs what it has not logged itself. Never throws.
 */
export const createTroubleReport = (deps: {
  account: string;
  place: TroublePlace;
  register: TroubleRegister;
  logger: Logger;
}): TroubleReport => {
  const { account, place, register, logger } = deps;
  const keyOf = (troubles: readonly FileTrouble[]) => JSON.stringify(troubles);
  let reported: string | undefined;
  let logged = new Set<string>();
  const isNew = ({ fileName, code }: FileTrouble) => !logged.has(`${code} ${fileName}`);

  return async (troubles) => {
    if (keyOf(troubles) === reported) return;
    let fresh = troubles;
    try {
      fresh = await register.replace(account, place, troubles);
      reported = keyOf(troubles);
    } catch {
      // The ledger is told at the next look.
      reported = undefined;
    }
    for (const { fileName, code, message } of fresh.filter(isNew)) {
      logger.error({ account, file: fileName, code, reason: message }, 'a file needs attention');
    }
    logged = new Set(troubles.map(({ fileName, code }) => `${code} ${fileName}`));
  };
};
