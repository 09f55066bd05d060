import { mkdir, stat } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';

/** Permission bits of the files and folders that Cartwright creates. */
export interface FileAccess {
  file: number;
  folder: number;
  /** Bits of folders into which others put files. */
  inbox: number;
}

/** Purchase files hold prices and customers' addresses, so only the owner can read them unless the account allows more. */
export const fileAccess = {
  owner: { file: 0o600, folder: 0o700, inbox: 0o700 },
  group: { file: 0o640, folder: 0o750, inbox: 0o770 },
} as const satisfies Record<string, FileAccess>;

/** The name of the user that this process runs as; in a container it may have none. */
export const userName = (): string => {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
};

const actions: Record<string, string> = {
  copyfile: 'write',
  mkdir: 'create',
  open: 'open',
  rename: 'rename',
  scandir: 'list',
  stat: 'read',
  unlink: 'delete',
};

const reasons: Record<string, () => string> = {
  EACCES: () => `permission denied for the user ${userName()}`,
  EPERM: () => `permission denied for the user ${userName()}`,
  EEXIST: () => 'a file with this name already exists',
  ENOTDIR: () => 'a part of this path is a file, not a folder',
  ENOSPC: () => 'no space is left on the disk',
  EDQUOT: () => 'the quota of this user is used up',
  EROFS: () => 'the file system is read-only',
};

const fullDisk = new Set(['ENOSPC', 'EDQUOT']);

/** `Cannot create /srv/orders: permission denied for the user nobody`; undefined for errors that are not about files. */
export const explainFileError = (thrown: unknown): string | undefined => {
  const { code, syscall, path: source, dest } = thrown as NodeJS.ErrnoException & { dest?: string };
  const path = syscall === 'copyfile' ? dest : source;
  if (path === undefined && fullDisk.has(code ?? '')) return 'No space is left on a disk';
  if (path === undefined || code === undefined) return undefined;
  const reason = code === 'ENOENT' && syscall === 'mkdir' ? 'no folder can be made there' : reasons[code]?.();
  return reason && `Cannot ${actions[syscall ?? ''] ?? 'use'} ${path}: ${reason}`;
};

const codeOf = (thrown: unknown) => (thrown as NodeJS.ErrnoException).code;

/**
 * Creates a folder and its missing parents. `mkdir` with `recursive` loops forever where nothing can be created, such as below
 * /proc.
 *
 * @param mode permission bits of each created folder
 * @returns whether the folder is new
 * @throws the file error of the folder that could not be created
 */
export const makeFolder = async (folder: string, mode = 0o777): Promise<boolean> => {
  const exists = async (thrown: unknown): Promise<boolean> => {
    if (codeOf(thrown) === 'EEXIST' && (await stat(folder)).isDirectory()) return false;
    throw thrown;
  };
  try {
    await mkdir(folder, { mode });
    return true;
  } catch (thrown) {
    const parent = dirname(folder);
    if (codeOf(thrown) !== 'ENOENT' || parent === folder) return exists(thrown);
    await makeFolder(parent, mode);
    // Another process may have created it meanwhile.
    return mkdir(folder, { mode }).then(() => true, exists);
  }
};
