import { mkdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { silentLogger } from '../../src/logger.ts';
import { deliverFiles } from '../../src/sources/deliver-files.ts';
import { type FilePlace, PlaceError, temporaryName } from '../../src/sources/file-place.ts';
import { createLocalPlace } from '../../src/sources/local-place.ts';
import { useTransfers } from './use-transfers.ts';

const transfers = useTransfers();
const { account, names } = transfers;

const folders = [
  { from: 'results', to: 'out/results' },
  { from: 'reports', to: 'out/reports' },
];
const deliver = (to: FilePlace = transfers.place, checkpoint?: () => Promise<void>) => {
  let opened = 0;
  const options = {
    account: account.name,
    from: createLocalPlace(account.root),
    folders,
    register: transfers.register(),
    logger: silentLogger,
    checkpoint,
  };
  return deliverFiles(options, async () => {
    opened += 1;
    return to;
  }).then((problems) => ({ problems, opened }));
};
/** File times increase like with a real writer. */
let clock = Date.now() / 1000 + 10;
const write = async (path: string, text: string) => {
  await writeFile(join(account.root, path), text);
  clock += 10;
  await utimes(join(account.root, path), clock, clock);
};
const delivered = (path: string) => readFile(transfers.at(path), 'utf8');

test('results and reports are delivered when they are new and again when they change, and not in between', async () => {
  expect(await deliver()).toEqual({ problems: [], opened: 0 });
  await write('results/orders.csv', 'one');
  await write('reports/status.xlsx', 'report');
  await write('results/.orders.csv.tmp', 'unfinished');
  expect((await deliver()).problems).toEqual([]);
  expect(await names('out/results')).toEqual(['orders.csv']);
  expect(await delivered('out/reports/status.xlsx')).toBe('report');
  expect((await deliver()).opened).toBe(0);
  await write('results/orders.csv', 'two');
  await deliver();
  expect(await delivered('out/results/orders.csv')).toBe('two');
});

test('what was written before the first delivery is not delivered', async () => {
  await mkdir(join(account.root, 'results'), { recursive: true });
  await writeFile(join(account.root, 'results/old.csv'), 'old');
  await utimes(join(account.root, 'results/old.csv'), 1_700_000_000, 1_700_000_000);
  await deliver();
  await write('results/new.csv', 'new');
  await deliver();
  expect(await names('out/results')).toEqual(['new.csv']);
});

test('a file that both sides have removed can come again', async () => {
  await deliver();
  await write('results/orders.csv', 'one');
  await deliver();
  await rm(join(account.root, 'results/orders.csv'));
  await rm(transfers.at('out/results/orders.csv'));
  await deliver();
  await write('results/orders.csv', 'one');
  await deliver();
  expect(await delivered('out/results/orders.csv')).toBe('one');
});

test('a process that ends after the rename delivers again; what it left under a temporary name is removed', async () => {
  await deliver();
  await write('results/orders.csv', 'one');
  await deliver(transfers.place, async () => {
    throw new Error('the process ended here');
  });
  const left = temporaryName('orders.csv', '00000000-0000-4000-8000-000000000000');
  await writeFile(transfers.at(join('out/results', left)), 'half');
  await write('results/orders.csv', 'two');
  await deliver();
  expect(await names('out/results')).toEqual(['orders.csv']);
  expect(await delivered('out/results/orders.csv')).toBe('two');
  expect((await deliver()).opened).toBe(0);
});

test('a full folder is one problem that says how many files wait; the other folder is delivered', async () => {
  await deliver();
  for (let count = 0; count < 9; count += 1) await write(`results/${count}.csv`, 'x');
  await write('reports/status.csv', 'report');
  let tries = 0;
  const full: FilePlace = {
    ...transfers.place,
    write: async (path, content) => {
      if (!path.startsWith('out/results')) return transfers.place.write(path, content);
      tries += 1;
      content.destroy();
      throw new PlaceError('failed', `Cannot write ${path}: its disk may be full.`);
    },
  };
  const { problems } = await deliver(full);
  expect(problems).toEqual([
    {
      fileName: 'out/results',
      code: 'place_failed',
      message: 'Cannot write out/results/0.csv: its disk may be full. 9 files wait to be delivered.',
    },
  ]);
  expect(tries).toBe(3);
  expect(await names('out/reports')).toEqual(['status.csv']);
  expect((await deliver()).problems).toEqual([]);
  expect(await names('out/results')).toHaveLength(9);
});

test('one file that the server does not take keeps no other one', async () => {
  await deliver();
  for (const name of ['a.csv', 'what?.csv', 'z.csv']) await write(`results/${name}`, 'x');
  const picky: FilePlace = {
    ...transfers.place,
    write: async (path, content) => {
      if (!path.includes('?')) return transfers.place.write(path, content);
      content.destroy();
      throw new PlaceError('failed', `Cannot write ${path}: the server answered “Bad name”.`);
    },
  };
  const { problems } = await deliver(picky);
  expect(problems[0]?.message).toContain('1 file waits to be delivered.');
  expect(await names('out/results')).toEqual(['a.csv', 'z.csv']);
});

test('a lost connection ends the round', async () => {
  await deliver();
  await write('results/orders.csv', 'x');
  const gone: FilePlace = {
    ...transfers.place,
    list: async () => {
      throw new PlaceError('lost', 'The server is gone.', { code: 'sftp_unreachable' });
    },
  };
  await expect(deliver(gone)).rejects.toMatchObject({ code: 'sftp_unreachable' });
});
