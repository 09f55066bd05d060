import { randomUUID } from 'node:crypto';
import { chmod, link, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { UserError } from '../../errors.ts';
import { type FileAccess, fileAccess } from '../../file-access.ts';
import { makeAccountFolders } from './account-folders.ts';

const nameOf = (root: string): string => join(root, '.cartwright-folder');

const note =
  'This is the identity of an account folder. The ledger knows it. Move it with the folder, and never into another one.';

/**
 * A mark that changes when the folder is replaced, when an entry is added, removed or renamed, or when its identity is written. Takes two
 * calls to a possibly remote disk instead of ten for reading everything. Undefined without an identity.
 */
export const folderMark = async (root: string): Promise<string | undefined> => {
  const marks: string[] = [];
  for (const path of [root, nameOf(root)]) {
    const seen = await stat(path).catch(() => undefined);
    if (seen === undefined) return undefined;
    marks.push(`${seen.dev} ${seen.ino} ${seen.ctimeMs} ${seen.size}`);
  }
  return marks.join(', ');
};

/**
 * The identity of an account's folder, a UUID; undefined if the folder or its identity does not exist.
 * @throws UserError `folder_identity_damaged`
 */
export const readFolderIdentity = async (root: string): Promise<string | undefined> => {
  const text = await readFile(nameOf(root), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const id = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?=\s|$)/.exec(text)?.[0];
  if (id !== undefined) return id;
  throw new UserError(
    'folder_identity_damaged',
    `The file ${nameOf(root)} does not hold an identity. Restore it from a backup of this folder, or delete it and run \`cartwright use-folder\`.`,
  );
};

/** Creates an account's folder and its identity. Concurrent processes all get the same identity. */
export const createFolderIdentity = async (
  root: string,
  access: FileAccess = fileAccess.owner,
): Promise<string> => {
  await makeAccountFolders(root, access);
  const id = randomUUID();
  const draft = `${nameOf(root)}.${id}`;
  try {
    await writeFile(draft, `${id}\n${note}\n`, { mode: access.file });
    await chmod(draft, access.file);
    // Atomic and never overwrites, even on network file systems.
    await link(draft, nameOf(root));
    return id;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return (await readFolderIdentity(root))!;
  } finally {
    await rm(draft, { force: true });
  }
};
