import { randomUUID } from 'node:crypto';
import { chmod, open, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileAccess, makeFolder } from './file-access.ts';

/** After this time an unchanged temporary file counts as left by a killed writer. */
const abandonedMs = 60 * 60 * 1000;

/**
 * Flushes a file or folder to disk, so that it survives a power cut. Some network mounts cannot flush a folder and fail
 * with these codes; a rename is the best that is possible there.
 */
export const flushToDisk = async (path: string): Promise<void> => {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code !== 'EINVAL' && code !== 'EPERM' && code !== 'ENOTSUP') throw error;
  } finally {
    await handle.close();
  }
};

const removeAbandoned = async (folder: string, prefix: string): Promise<void> => {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(prefix) || !name.endsWith('.tmp')) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > abandonedMs) await rm(path, { force: true });
  }
};

/**
 * Lets `write` fill a temporary file beside `path`, flushes it and renames it into place, so that readers of `path` see
 * either the old content or the complete new one. Creates the folder if it is missing. If `write` throws, `path` does
 * not change and the temporary file is removed.
 * @param mode permissions of the file; default: only the owner may read and write it
 */
export const placeFile = async <T>(
  path: string,
  write: (temporaryPath: string) => Promise<T>,
  mode: number = fileAccess.owner.file,
): Promise<T> => {
  const folder = dirname(path);
  const prefix = `.${basename(path).slice(0, 100)}.`;
  await makeFolder(folder);
  await removeAbandoned(folder, prefix);
  const temporaryPath = join(folder, `${prefix}${randomUUID()}.tmp`);
  try {
    // Create it with these permissions first, so that no other user can open it while it is written.
    await (await open(temporaryPath, 'wx', fileAccess.owner.file)).close();
    const result = await write(temporaryPath);
    await chmod(temporaryPath, mode);
    await flushToDisk(temporaryPath);
    await rename(temporaryPath, path);
    await flushToDisk(folder);
    return result;
  } catch (error) {
    await rm(temporaryPath, { force: true }).catch(() => {});
    throw error;
  }
};
