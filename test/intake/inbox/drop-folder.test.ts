import { mkdir, mkdtemp, readdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { utils, write } from 'xlsx';
import {
  createDropFolder,
  type DropFolder,
  type DropFolderOptions,
} from '../../../src/intake/inbox/drop-folder.ts';
import { readableBasename } from '../../../src/intake/inbox/file-names.ts';
import { silentLogger } from '../../../src/logger.ts';

let root: string;
let inbox: string;
const open: DropFolder[] = [];

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cartwright drop '));
  inbox = join(root, 'inbox');
  await mkdir(inbox);
});

afterEach(async () => {
  for (const folder of open.splice(0)) await folder.stop();
  await rm(root, { recursive: true, force: true });
});

/** A drop folder that takes ready files from the inbox and records them. */
const dropFolder = (options: Partial<DropFolderOptions> = {}) => {
  const taken: string[] = [];
  const troubles: string[] = [];
  const waiting: (() => void)[] = [];
  const folder = createDropFolder({
    root,
    accountName: 'default',
    logger: silentLogger,
    settleMs: 0,
    onReady: async (path) => {
      await rm(path);
      taken.push(readableBasename(path));
      for (const wake of waiting.splice(0)) wake();
    },
    report: async (found) => {
      troubles.splice(0, troubles.length, ...found.map(({ fileName, message }) => `${fileName}: ${message}`));
    },
    ...options,
  });
  open.push(folder);
  const nextTaken = () => new Promise<void>((resolve) => waiting.push(resolve));
  return { folder, taken, troubles, nextTaken };
};

const drop = (name: string, text: string | Buffer = 'PO,SKU,Qty\n1,A,1\n') =>
  writeFile(join(inbox, name), text);
const workbook = (): Buffer => {
  const book = utils.book_new(utils.aoa_to_sheet([['PO'], ['1']]));
  return write(book, { type: 'buffer', bookType: 'xlsx' });
};

test('a file that has not changed is picked up; one that has just arrived waits', async () => {
  const eager = dropFolder();
  const patient = dropFolder({ settleMs: 3_600_000 });
  await drop('orders.csv');
  await patient.folder.scanNow();
  await patient.folder.scanNow();
  expect(patient.taken).toEqual([]);
  await eager.folder.scanNow();
  expect(eager.taken).toEqual(['orders.csv']);
});

test('a file that appears while the folder is watched is picked up', async () => {
  const { folder, taken, nextTaken } = dropFolder({ settleMs: 20, scanEveryMs: 50 });
  await folder.start();
  const soon = nextTaken();
  await drop('orders.tsv');
  await soon;
  expect(taken).toEqual(['orders.tsv']);
});

test('a watcher without events picks the file up at its next scan', async () => {
  const { folder, taken, nextTaken } = dropFolder({ scanEveryMs: 20, settleMs: 10 });
  const soon = nextTaken();
  await folder.start();
  await rm(inbox, { recursive: true });
  await mkdir(inbox);
  await drop('after the folder was replaced.csv');
  await soon;
  expect(taken).toEqual(['after the folder was replaced.csv']);
});

test.each(['orders.csv.done', 'orders.csv.ok', 'orders.done', 'orders.ok'])(
  'the marker %s makes a file ready at once, and is removed with it',
  async (marker) => {
    const { folder, taken } = dropFolder({ settleMs: 3_600_000 });
    await drop('orders.csv');
    await folder.scanNow();
    expect(taken).toEqual([]);
    await drop(marker, '');
    await folder.scanNow();
    expect(taken).toEqual(['orders.csv']);
    expect(await readdir(inbox)).toEqual([]);
  },
);

test('no marker of a file that was taken is left behind, however old it is or late it comes', async () => {
  const { folder, taken } = dropFolder();
  await drop('orders.csv.ok', '');
  await utimes(join(inbox, 'orders.csv.ok'), 1000, 1000);
  await drop('orders.csv');
  await folder.scanNow();
  await folder.scanNow();
  expect(taken).toEqual(['orders.csv']);
  expect(await readdir(inbox)).toEqual([]);
  await drop('orders.csv.done', '');
  await drop('orders.done', '');
  await drop('never.csv.done', '');
  await folder.scanNow();
  expect(await readdir(inbox)).toEqual(['never.csv.done']);
  // Another file with the same name: the marker may belong to it.
  const slow = dropFolder({ settleMs: 3_600_000 });
  await drop('orders.xlsx', 'a workbook that is still uploading');
  await drop('orders.done', '');
  await utimes(join(inbox, 'orders.done'), 1000, 1000);
  await folder.scanNow();
  await slow.folder.scanNow();
  expect(await readdir(inbox)).toContain('orders.done');
});

test('a marker older than the file does not make it ready', async () => {
  const { folder, taken } = dropFolder({ settleMs: 3_600_000 });
  await drop('orders.csv.done', '');
  await utimes(join(inbox, 'orders.csv.done'), 1000, 1000);
  await drop('orders.csv');
  await folder.scanNow();
  expect(taken).toEqual([]);
});

test('names of unfinished and hidden files are never touched', async () => {
  const names = [
    'a.csv.tmp',
    'b.csv.part',
    'c.filepart',
    'd.xlsx.crdownload',
    '.e.csv',
    '~$f.xlsx',
    'g.csv.done',
  ];
  const { folder, taken } = dropFolder({ giveUpMs: 0 });
  for (const name of names) await drop(name);
  await folder.scanNow();
  expect(taken).toEqual([]);
  expect((await readdir(inbox)).sort()).toEqual([...names].sort());
});

test('symbolic links and folders are left alone, and are named with what to do', async () => {
  const { folder, taken, troubles } = dropFolder({ giveUpMs: 0 });
  await writeFile(join(root, 'secret.csv'), 'not for you');
  await symlink(join(root, 'secret.csv'), join(inbox, 'link.csv'));
  await mkdir(join(inbox, 'folder.csv'));
  await mkdir(join(inbox, '.hidden'));
  await folder.scanNow();
  expect(taken).toEqual([]);
  expect((await readdir(inbox)).sort()).toEqual(['.hidden', 'folder.csv', 'link.csv']);
  expect(troubles).toEqual([
    'folder.csv: folder.csv is a folder, and files in folders of the inbox are not read. Put its files into the inbox itself, or move it elsewhere.',
    'link.csv: link.csv is a symbolic link, which is not read. Copy the file itself into the inbox.',
  ]);
});

test('a file with another ending is picked up, to be refused, once its name has stayed for a while', async () => {
  const patient = dropFolder({ giveUpMs: 3_600_000 });
  await drop('letter.pdf', '%PDF without an end of line');
  await patient.folder.scanNow();
  expect(patient.taken).toEqual([]);
  const { folder, taken } = dropFolder({ giveUpMs: 0, incompleteMs: 3_600_000 });
  await folder.scanNow();
  expect(taken).toEqual(['letter.pdf']);
});

test('half a workbook waits for its other half', async () => {
  const whole = workbook();
  const { folder, taken } = dropFolder();
  await drop('orders.xlsx', whole.subarray(0, whole.length - 30));
  await folder.scanNow();
  expect(taken).toEqual([]);
  await drop('orders.xlsx', whole);
  await folder.scanNow();
  expect(taken).toEqual(['orders.xlsx']);
});

test('half a workbook that never changes is eventually picked up, so that the failure is reported', async () => {
  const whole = workbook();
  const { folder, taken } = dropFolder({ incompleteMs: 0 });
  await drop('orders.xlsx', whole.subarray(0, whole.length / 2));
  await folder.scanNow();
  expect(taken).toEqual(['orders.xlsx']);
});

test('a broken workbook is eventually picked up, even by watchers that each scan once', async () => {
  const whole = workbook();
  await drop('orders.xlsx', whole.subarray(0, whole.length / 2));
  for (;;) {
    const { folder, taken } = dropFolder({ incompleteMs: 50 });
    await folder.scanNow();
    if (taken.length > 0) break;
  }
  expect(await readdir(inbox)).toEqual([]);
});

test('an upload that pauses in the middle of a cell is not picked up, no matter how long the pause is', async () => {
  const { folder, taken } = dropFolder();
  await drop('orders.csv', 'PO,SKU,Qty\n1,A,1');
  await folder.scanNow();
  await folder.scanNow();
  expect(taken).toEqual([]);
  await drop('orders.csv', 'PO,SKU,Qty\n1,A,120\n2,A,1\n');
  await folder.scanNow();
  expect(taken).toEqual(['orders.csv']);
});

test('a file without a final line end is picked up at once with a marker, and eventually without one', async () => {
  const marked = dropFolder();
  await drop('orders.csv', 'PO,SKU,Qty\n1,A,1');
  await drop('orders.csv.done', '');
  await marked.folder.scanNow();
  expect(marked.taken).toEqual(['orders.csv']);
  const patient = dropFolder({ incompleteMs: 0 });
  await drop('orders.csv', 'PO,SKU,Qty\n1,A,1');
  await patient.folder.scanNow();
  expect(patient.taken).toEqual(['orders.csv']);
});

const named = (text: string) => Buffer.concat([Buffer.from(`${inbox}/`), Buffer.from(text, 'latin1')]);

test.each([
  ['Bestellung_M\xfcnchen.csv', 'Bestellung_München.csv'],
  ['\x80uro.csv', '€uro.csv'],
  ['\xe9t\xe9 \xc3.txt', 'été Ã.txt'],
])('a file name that is not UTF-8 is picked up and shown readably: %j', async (bytes, shown) => {
  const { folder, taken } = dropFolder();
  await writeFile(named(bytes), 'PO,SKU,Qty\n');
  await folder.scanNow();
  expect(taken).toEqual([shown]);
  expect(await readdir(inbox)).toEqual([]);
});

test('a marker whose name is not UTF-8 makes its file ready, and is removed with it', async () => {
  const { folder, taken } = dropFolder({ settleMs: 3_600_000 });
  await writeFile(named('M\xfcnchen.csv'), 'PO,SKU,Qty\n');
  await writeFile(named('M\xfcnchen.ok'), '');
  await folder.scanNow();
  expect(taken).toEqual(['München.csv']);
  expect(await readdir(inbox)).toEqual([]);
});

test('a file that cannot be picked up stays in place, is reported, and is tried again', async () => {
  let full = true;
  const offered: string[] = [];
  const { folder, troubles } = dropFolder({
    onReady: async (path) => {
      offered.push(readableBasename(path));
      if (full) throw new Error('no space left on device');
      await rename(path, join(root, 'taken.csv'));
    },
  });
  await drop('orders.csv');
  await drop('second.csv');
  await folder.scanNow();
  expect(await readdir(inbox)).toEqual(['orders.csv', 'second.csv']);
  expect(troubles).toEqual([
    'orders.csv: no space left on device. Cartwright tries again automatically.',
    'second.csv: no space left on device. Cartwright tries again automatically.',
  ]);
  full = false;
  await folder.scanNow();
  expect(offered).toHaveLength(4);
  expect(troubles).toEqual([]);
  expect(await readdir(inbox)).toEqual([]);
});

test('stop is idempotent, and nothing is picked up after it', async () => {
  const { folder, taken } = dropFolder({ scanEveryMs: 5 });
  await folder.start();
  await folder.stop();
  await folder.stop();
  await drop('late.csv');
  expect(taken).toEqual([]);
});
