import { chmod, mkdir } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { type FileAccess, fileAccess } from '../file-access.ts';

/** What stands under an account's folder. `files` holds the private copies; the rest is for the dealer. */
const accountFolders = ['inbox', 'working', 'done', 'quotes', 'failed', 'results', 'reports', 'files'];

/**
 * Makes the account's folders where they are missing; those that are there keep their permissions. Idempotent.
 * @param access who may use the folders that are made; the owner alone unless told
 */
export const makeAccountFolders = async (
  root: string,
  access: FileAccess = fileAccess.owner,
): Promise<void> => {
  const make = async (path: string, mode: number): Promise<void> => {
    // The process's umask may have taken away what the account allows.
    if (await mkdir(path, { recursive: true, mode })) await chmod(path, mode);
  };
  await make(root, access.folder);
  for (const folder of accountFolders) {
    await make(join(root, folder), folder === 'inbox' ? access.inbox : access.folder);
  }
};

const purchaseFileEndings = new Set(['.csv', '.txt', '.tsv', '.xlsx', '.xlsm', '.xlsb', '.xls', '.ods']);

/** The ending of a purchase file's name in small letters with its dot, or undefined when it is none of ours. */
export const purchaseFileEnding = (fileName: string): string | undefined => {
  const ending = extname(fileName).toLowerCase();
  return purchaseFileEndings.has(ending) ? ending : undefined;
};

/** Where the private copy of a claim lies, relative to the account's folder: under our own id, never the dealer's name. */
export const privateCopyPath = (claimId: string, fileName: string): string =>
  `files/${claimId}${purchaseFileEnding(fileName) ?? ''}`;

/** The claim that a private copy belongs to. */
export const claimIdOf = (filePath: string): string => basename(filePath, extname(filePath));
