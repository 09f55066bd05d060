import { chmod, mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type FilePlace, isTemporaryName, PlaceError } from '../../src/sources/file-place.ts';

/** A place whose folder the test can access directly. */
export interface PlaceUnderTest {
  place: FilePlace;
  root: string;
  /** Runs work as the place's user. */
  asUser<T>(work: () => Promise<T>): Promise<T>;
  /** Gives the user a file or folder below the root. */
  give(path: string): void;
  stop(): Promise<void>;
}

const stream = (...parts: (string | Buffer)[]) =>
  Readable.from(
    parts.map((part) => Buffer.from(part)),
    { objectMode: false },
  );

/** The contract of every place. */
export const filePlaceContract = (name: string, open: () => Promise<PlaceUnderTest>): void => {
  describe(`a place: ${name}`, () => {
    let current: PlaceUnderTest;
    beforeEach(async () => {
      current = await open();
    });
    afterEach(() => current.stop());

    const at = (path: string) => join(current.root, path);
    const put = async (path: string, text: string) => {
      await writeFile(at(path), text);
      current.give(path);
    };
    const putFolder = async (path: string) => {
      await mkdir(at(path));
      current.give(path);
    };
    const reasonOf = async (work: Promise<unknown>): Promise<string> => {
      const thrown = await work.then(
        () => undefined,
        (error: unknown) => error,
      );
      expect(thrown).toBeInstanceOf(PlaceError);
      const { message, reason } = thrown as PlaceError;
      expect(message).toMatch(/\.$/);
      expect(message).not.toContain('\n');
      return reason;
    };

    test('lists files, folders and links of a folder, with size and time', async () => {
      await putFolder('orders');
      await put('orders/a.csv', 'twelve bytes');
      await utimes(at('orders/a.csv'), 1_700_000_000, 1_700_000_000);
      await putFolder('orders/done');
      await symlink('a.csv', at('orders/link.csv'));
      const { place } = current;
      const listed = (await place.list('orders')).sort((one, other) => one.name.localeCompare(other.name));
      expect(listed.map(({ name, kind }) => [name, kind])).toEqual([
        ['a.csv', 'file'],
        ['done', 'folder'],
        ['link.csv', 'other'],
      ]);
      const file = { name: 'a.csv', kind: 'file', sizeBytes: 12, modifiedMs: 1_700_000_000_000 };
      expect(listed[0]).toEqual(file);
      expect(await place.find('orders/a.csv')).toEqual(file);
      expect(await place.find('orders/link.csv')).toMatchObject({ kind: 'other' });
      expect(await place.find('orders/b.csv')).toBeUndefined();
      expect(await place.find('nowhere/b.csv')).toBeUndefined();
    });

    test('gives back every byte that it was given, under names of all kinds', async () => {
      const { place } = current;
      const content = Buffer.from(Array.from({ length: 300_001 }, (_, index) => (index * 7919) % 251));
      for (const name of [
        'Bestellung März.csv',
        "o'brien & co; $(x).csv",
        `${'x'.repeat(240)}.csv`,
        '-rf',
        '注文.csv',
      ]) {
        await place.write(`out/${name}`, stream(content.subarray(0, 100_000), content.subarray(100_000)));
        expect((await buffer(await place.read(`out/${name}`))).equals(content)).toBe(true);
        expect((await place.list('out')).map((entry) => entry.name)).toContain(name);
      }
      await place.write('out/empty.csv', stream());
      expect((await place.find('out/empty.csv'))?.sizeBytes).toBe(0);
      expect((await buffer(await place.read('out/empty.csv'))).length).toBe(0);
    });

    test('a file is written beside, then replaces the old one; nothing else stays', async () => {
      const { place } = current;
      await place.write('deep/out/a.csv', stream('old'));
      const seen: string[][] = [];
      const content = async function* () {
        yield Buffer.from('new ');
        await expect.poll(async () => (await readdir(at('deep/out'))).length).toBe(2);
        seen.push(await readdir(at('deep/out')), [await readFile(at('deep/out/a.csv'), 'utf8')]);
        yield Buffer.from('content');
      };
      await place.write('deep/out/a.csv', Readable.from(content(), { objectMode: false }));
      const [names, [before]] = seen as [string[], [string]];
      expect(names.filter((one) => one.startsWith('.') && one !== 'a.csv')).toHaveLength(1);
      expect(before).toBe('old');
      expect(await readFile(at('deep/out/a.csv'), 'utf8')).toBe('new content');
      expect(await readdir(at('deep/out'))).toEqual(['a.csv']);
    });

    test('content that fails leaves the old file, and no part of the new one', async () => {
      const { place } = current;
      await place.write('out/a.csv', stream('old'));
      const failing = async function* () {
        yield Buffer.from('half');
        throw new Error('the source is gone');
      };
      await expect(place.write('out/a.csv', Readable.from(failing(), { objectMode: false }))).rejects.toThrow(
        'the source is gone',
      );
      expect(await readFile(at('out/a.csv'), 'utf8')).toBe('old');
      expect(await readdir(at('out'))).toEqual(['a.csv']);
    });

    test('a file is moved with its content and time, into a folder that may not exist yet', async () => {
      await putFolder('orders');
      await put('orders/a.csv', 'rows');
      await utimes(at('orders/a.csv'), 1_700_000_000, 1_700_000_000);
      const { place } = current;
      expect(await place.move('orders/a.csv', 'orders/done/a.1.csv')).toBe(true);
      expect(await readdir(at('orders'))).toEqual(['done']);
      expect(await readFile(at('orders/done/a.1.csv'), 'utf8')).toBe('rows');
      expect((await place.find('orders/done/a.1.csv'))?.modifiedMs).toBe(1_700_000_000_000);
    });

    test('a move never replaces a file, and moves nothing where there is none', async () => {
      await putFolder('orders');
      await put('orders/a.csv', 'new');
      await put('orders/b.csv', 'old');
      const { place } = current;
      expect(await reasonOf(place.move('orders/a.csv', 'orders/b.csv'))).toBe('exists');
      expect(await readFile(at('orders/b.csv'), 'utf8')).toBe('old');
      expect(await readFile(at('orders/a.csv'), 'utf8')).toBe('new');
      expect(await place.move('orders/none.csv', 'orders/c.csv')).toBe(false);
      expect((await readdir(at('orders'))).sort()).toEqual(['a.csv', 'b.csv']);
    });

    test('of two moves of one file to different names one happens', async () => {
      await putFolder('orders');
      await put('orders/a.csv', 'rows');
      const { place } = current;
      const moved = await Promise.all(
        ['one.csv', 'two.csv'].map((to) => place.move('orders/a.csv', `orders/done/${to}`)),
      );
      expect(moved.filter(Boolean)).toHaveLength(1);
      expect(await readdir(at('orders/done'))).toHaveLength(1);
    });

    test('removing a file that is gone is nothing', async () => {
      await put('a.done', '');
      const { place } = current;
      await place.remove('a.done');
      await place.remove('a.done');
      expect(await readdir(current.root)).toEqual([]);
    });

    test('says what is missing, and what is not allowed', async () => {
      await putFolder('locked');
      await put('locked/a.csv', 'rows');
      const { place } = current;
      expect(await reasonOf(place.list('nowhere'))).toBe('missing');
      expect(await reasonOf(place.read('nowhere/a.csv'))).toBe('missing');
      await current.asUser(async () => {
        await chmod(at('locked'), 0o500);
        expect(await reasonOf(place.write('locked/b.csv', stream('x')))).toBe('denied');
        expect(await reasonOf(place.move('locked/a.csv', 'done/a.csv'))).toBe('denied');
        expect(await reasonOf(place.remove('locked/a.csv'))).toBe('denied');
        await chmod(at('locked'), 0o700);
        await chmod(at('locked/a.csv'), 0o000);
        expect(await reasonOf(place.read('locked/a.csv'))).toBe('denied');
      });
      expect((await stat(at('locked/a.csv'))).size).toBe(4);
      expect((await readdir(at('locked'))).filter((one) => isTemporaryName(one))).toEqual([]);
    });

    test('closing twice is nothing', async () => {
      await current.place.close();
      await current.place.close();
    });
  });
};
