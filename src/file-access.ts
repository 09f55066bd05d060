import { userInfo } from 'node:os';

/** Who may read what Cartwright writes: permission bits of files and of folders. */
export interface FileAccess {
  file: number;
  folder: number;
  /** Of folders that others put files into. */
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
  EROFS: () => 'the file system is read-only',
};

/** `Cannot create /srv/orders: permission denied for the user nobody`; undefined for other than file errors. */
export const explainFileError = (thrown: unknown): string | undefined => {
  const { code, syscall, path } = thrown as NodeJS.ErrnoException;
  const reason = code !== undefined && path !== undefined ? reasons[code]?.() : undefined;
  return reason && `Cannot ${actions[syscall ?? ''] ?? 'use'} ${path}: ${reason}`;
};
