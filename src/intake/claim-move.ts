import { open, rename, rm } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { flushToDisk } from '../place-file.ts';

/** `orders.csv`, then `orders.7.csv`, then `orders.7-2.csv` …: the dealer's name, made unique. */
const candidateNames = function* (fileName: string, mark: string): Generator<string> {
  yield fileName;
  const ending = extname(fileName);
  const stem = fileName.slice(0, fileName.length - ending.length);
  yield `${stem}.${mark}${ending}`;
  for (let count = 2; ; count += 1) yield `${stem}.${mark}-${count}${ending}`;
};

/**
 * Moves a file into a folder of the same file system without ever replacing one that is there.
 * @param mark what makes the name unique where it is taken
 * @returns the path it has now
 * @throws ENOENT when somebody else has moved it
 */
export const moveInto = async (
  source: string,
  folder: string,
  fileName: string,
  mark: string,
): Promise<string> => {
  for (const name of candidateNames(fileName, mark)) {
    const target = join(folder, name);
    // rename() replaces silently, so the name is reserved first; unlike link() this works on every file system.
    const reserved = await open(target, 'wx').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      return undefined;
    });
    if (!reserved) continue;
    await reserved.close();
    try {
      await rename(source, target);
    } catch (error) {
      await rm(target, { force: true });
      throw error;
    }
    await flushToDisk(folder);
    return target;
  }
  throw new Error('unreachable: names never run out');
};
