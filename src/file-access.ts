/** Who may read what Cartwright writes: permission bits of files and of folders. */
export interface FileAccess {
  file: number;
  folder: number;
  /** Of folders into which others put files. */
  inbox: number;
}

/** Purchase files hold prices and customers' addresses: others read them only where the account says so. */
export const fileAccess = {
  owner: { file: 0o600, folder: 0o700, inbox: 0o700 },
  group: { file: 0o640, folder: 0o750, inbox: 0o770 },
} as const satisfies Record<string, FileAccess>;
