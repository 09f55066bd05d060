import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exitCodeOf } from '../src/cli/exit-codes.ts';
import { explainFileError, makeFolder } from '../src/file-access.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cartwright-folders-'));
});
afterAll(() => rm(root, { recursive: true, force: true }));

describe('a folder', () => {
  test('is made with those above it, and says whether it is new', async () => {
    const folder = join(root, 'a', 'b', 'c');
    expect(await makeFolder(folder, 0o700)).toBe(true);
    expect((await stat(join(root, 'a'))).mode & 0o777).toBe(0o700);
    expect(await makeFolder(folder)).toBe(false);
  });

  test('is made once by several at the same time', async () => {
    const folder = join(root, 'd', 'e', 'f');
    const made = await Promise.all(Array.from({ length: 8 }, () => makeFolder(folder)));
    expect(made.filter(Boolean)).toHaveLength(1);
  });

  test('is refused where none can be, with a sentence', async () => {
    await writeFile(join(root, 'file'), '');
    const why = async (...parts: string[]) => {
      const thrown = await makeFolder(join(...parts)).catch((error: unknown) => error);
      return explainFileError(thrown);
    };
    expect(await why(root, 'file')).toMatch(/file: a file with this name already exists$/);
    expect(await why(root, 'file', 'below')).toMatch(/below: a part of this path is a file, not a folder$/);
    if (process.platform === 'linux')
      expect(await why('/proc', 'none', 'below')).toBe(
        'Cannot create /proc/none: no folder can be made there',
      );
  });
});

test.runIf(process.platform === 'linux')('a full disk is named, also where Node names no file', async () => {
  const thrown = await writeFile('/dev/full', 'more').catch((error: unknown) => error);
  expect(explainFileError(thrown)).toBe('No space is left on a disk');
  expect(exitCodeOf(thrown)).toBe('unreachable');
  const copied = Object.assign(new Error(), {
    code: 'ENOSPC',
    syscall: 'copyfile',
    path: 'a.csv',
    dest: '/srv/b',
  });
  expect(explainFileError(copied)).toBe('Cannot write /srv/b: no space is left on the disk');
});
