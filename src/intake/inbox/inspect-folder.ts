import { isUtf8 } from 'node:buffer';
import { access, constants, readdir, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '../../errors.ts';
import { explainFileError } from '../../file-access.ts';
import { accountFolders, renamedBetween } from './account-folders.ts';
import { readFolderIdentity } from './folder-identity.ts';

/** Facts about an account's folder for a person. */
export interface FolderFacts {
  /** The identity under which the ledger knows it; undefined: none. */
  identity: string | undefined;
  /** Folders that the account does not have yet. */
  missing: string[];
  /** Why folders cannot be used, in sentences without a full stop. */
  unusable: string[];
  /** Folders on another file system than the inbox, although files are moved between them. */
  otherFileSystem: string[];
  /** Owner ids of folders that do not belong to this process's user. */
  foreignOwners: number[];
  /** Folders readable by everybody, or by their group. */
  readableBy: { everybody: string[]; group: string[] };
  /** Names that differ only in case are one file; undefined: unknown. */
  ignoresCase: boolean | undefined;
  /** File names in inbox and done that are not UTF-8. */
  namesNotUtf8: number;
  freeBytes: number;
  totalBytes: number;
}

const notFound = (error: NodeJS.ErrnoException) => {
  if (error.code === 'ENOENT') return undefined;
  throw error;
};

const looksUpInAnyCase = async (root: string, identity: string | undefined): Promise<boolean | undefined> =>
  identity === undefined
    ? undefined
    : (await stat(join(root, '.CARTWRIGHT-FOLDER')).catch(notFound)) !== undefined;

/**
 * Inspects an account's folder without changing anything. Undefined if it does not exist.
 * @throws UserError `folder_identity_damaged`; errors of the file system that concern the folder itself
 */
export const inspectFolder = async (root: string): Promise<FolderFacts | undefined> => {
  if (!(await stat(root).catch(notFound))) return undefined;
  const identity = await readFolderIdentity(root);
  const facts: FolderFacts = {
    identity,
    missing: [],
    unusable: [],
    otherFileSystem: [],
    foreignOwners: [],
    readableBy: { everybody: [], group: [] },
    ignoresCase: await looksUpInAnyCase(root, identity),
    namesNotUtf8: 0,
    freeBytes: 0,
    totalBytes: 0,
  };
  const { bavail, blocks, bsize } = await statfs(root);
  Object.assign(facts, { freeBytes: bavail * bsize, totalBytes: blocks * bsize });

  const own = process.getuid?.();
  const owners = new Set<number>();
  let inboxDevice: number | undefined;
  for (const name of accountFolders) {
    const path = join(root, name);
    try {
      const found = await stat(path).catch(notFound);
      if (!found) {
        facts.missing.push(name);
        continue;
      }
      if (!found.isDirectory()) {
        facts.unusable.push(`${path} is not a folder`);
        continue;
      }
      await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
      inboxDevice ??= found.dev;
      if (renamedBetween.includes(name) && found.dev !== inboxDevice) facts.otherFileSystem.push(name);
      if (own !== undefined && found.uid !== own) owners.add(found.uid);
      if ((found.mode & 0o004) !== 0) facts.readableBy.everybody.push(name);
      else if ((found.mode & 0o040) !== 0) facts.readableBy.group.push(name);
      if (name === 'inbox' || name === 'done') {
        const names = await readdir(path, { encoding: 'buffer' });
        facts.namesNotUtf8 += names.filter((one) => !isUtf8(one)).length;
      }
    } catch (thrown) {
      facts.unusable.push(explainFileError(thrown) ?? messageOf(thrown));
    }
  }
  facts.foreignOwners.push(...owners);
  return facts;
};
