import { execFileSync } from 'node:child_process';
import { chown, lchown, readdir } from 'node:fs/promises';
import { join } from 'node:path';

const isRoot = process.getuid?.() === 0;
const nobody = { uid: 65_534, gid: 65_534 };

/** Makes the user of `asNobody` own a folder and its content. */
export const giveToNobody = async (folder: string): Promise<void> => {
  if (!isRoot) return;
  await chown(folder, nobody.uid, nobody.gid);
  for (const entry of await readdir(folder, { withFileTypes: true, encoding: 'buffer' })) {
    const path = Buffer.concat([Buffer.from(`${folder}/`), entry.name]);
    if (entry.isDirectory()) await giveToNobody(join(folder, entry.name.toString()));
    else await lchown(path, nobody.uid, nobody.gid);
  }
};

/** Runs work as a user without root's rights: many tests run as root, for whom permissions do not apply. */
export const asNobody = async <T>(work: () => Promise<T>): Promise<T> => {
  if (!isRoot) return work();
  process.setegid!(nobody.gid);
  process.seteuid!(nobody.uid);
  try {
    return await work();
  } finally {
    process.seteuid!(0);
    process.setegid!(0);
  }
};

const mount = (...args: string[]): boolean => {
  try {
    execFileSync('mount', args, { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
};

/** Mounts a small file system at this folder; false if this user may not. */
export const mountSmall = (folder: string, size = '64k'): boolean =>
  isRoot && mount('-t', 'tmpfs', '-o', `size=${size}`, 'none', folder);
export const remount = (folder: string, mode: 'ro' | 'rw'): boolean => mount('-o', `remount,${mode}`, folder);
export const unmount = (folder: string): void => {
  execFileSync('umount', [folder], { stdio: 'ignore' });
};
