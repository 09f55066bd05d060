import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { useCliFolder } from './use-cli-folder.ts';

const cli = useCliFolder();
const inbox = (account: string) => join(cli.folder, 'cartwright-data', 'accounts', account, 'inbox');
let elsewhere: string;

beforeAll(async () => {
  elsewhere = await mkdtemp(join(tmpdir(), 'cartwright-elsewhere-'));
  await cli.write(
    'cartwright.yaml',
    JSON.stringify({
      accounts: {
        north: { baseUrl: 'http://127.0.0.1:1' },
        south: { baseUrl: 'http://127.0.0.1:2', schedule: { takeFiles: '0 3 * * *' } },
      },
    }),
  );
  const known = await cli.write('known.csv', 'po_number,item_sku,quantity\nMB-2203,A-1,1\nPO-04711,A-1,1\n');
  expect((await cli.run('import', known, '--account', 'north')).err).toBe('');
  const unknown = await cli.write('unknown.csv', 'Vorgang;Teil;Stk\nW-77;A-1;1\nW-78;A-1;2\n');
  await cli.run('import', unknown, '--account', 'north');
  const refused = await cli.write('refused.csv', '{"po":"R-1"}\n');
  await cli.run('import', refused, '--account', 'north');
  const leftOut = await cli.write('left-out.csv', 'po_number,item_sku,quantity\nL-1,A-1,1\nL-2,,\n');
  await cli.run('import', leftOut, '--account', 'north');
  const watch = cli.start(['watch']);
  const unread = async () => (await cli.run('status')).out.includes('waiting for a worker to read it');
  await vi.waitUntil(async () => !(await unread()), { timeout: 30_000 });
  watch.child.kill('SIGTERM');
  await watch.ended;
  for (const account of ['north', 'south']) await mkdir(join(inbox(account), 'dropped'), { recursive: true });
  await writeFile(join(inbox('north'), 'new.csv'), 'po_number,item_sku,quantity\nN-1,A-1,1\nI-1,A-1,1');
  await writeFile(join(inbox('south'), 'tonight.csv'), 'po_number,item_sku,quantity\nI-2,A-1,1\n');
  await writeFile(join(inbox('south'), 'dropped', 'inside.csv'), 'po_number,item_sku,quantity\nI-3,A-1,1\n');
  await writeFile(join(inbox('south'), 'PO I-4.pdf'), '%PDF');
});
afterAll(() => rm(elsewhere, { recursive: true, force: true }));

const status = async (...args: string[]) => {
  const { exitCode, out, err } = await cli.run('status', ...args);
  return { exitCode, out: out.replace(/\s+/g, ' '), err: err.replace(/\s+/g, ' ') };
};

describe('status of a number that is no PO says where it is', () => {
  test.each([
    [
      'in a file that waits for somebody',
      'W-78',
      /north: unknown\.csv, row 3 \(import \d+\): the file waits for somebody to say what it means/,
    ],
    ['in another case', 'w-77', /north: unknown\.csv, row 2/],
    [
      'in a file in an inbox that nobody picks up',
      'I-1',
      /north: new\.csv, row 3: the file is in the inbox, and no running worker picks up files of north\. Start/,
    ],
    ['in a file of another account', 'I-2', /south: tonight\.csv, row 2: the file is in the inbox/],
    [
      'in a folder that somebody put into an inbox',
      'I-3',
      /south: dropped\/inside\.csv, row 2: the file is in a folder of the inbox, and those are not read/,
    ],
    [
      'in the name of a file that cannot be read',
      'I-4',
      /south: PO I-4\.pdf, in its name: .*does not end in/,
    ],
  ])('%s', async (_, number, shows) => {
    const { exitCode, out, err } = await status(number);
    expect(err).toBe('');
    expect(out).toMatch(/is no purchase order yet\./);
    expect(out).toMatch(shows);
    expect(exitCode).toBe(0);
  });

  test('as JSON, and only of the account that was asked for', async () => {
    const { out } = await cli.run('status', 'I-2', '--json');
    expect(JSON.parse(out)).toMatchObject({
      purchaseOrders: [],
      files: { found: [{ account: 'south', fileName: 'tonight.csv', importId: null, rows: [2] }] },
    });
    expect((await status('I-2', '--account', 'north')).exitCode).toBe(2);
  });

  test('nowhere: what was looked through and since when, and numbers that are like it', async () => {
    const { exitCode, err } = await status('4711');
    expect(exitCode).toBe(2);
    expect(err).toMatch(
      /No PO 4711 was found\. Looked through: the ledger and \d+ files since .* UTC\. 2 files could not be looked into\. Similar: PO-04711 \(north, ready\)\. Check the PO number/,
    );
    expect((await status('mb-2203')).err).toContain('Similar: MB-2203 (north, ready)');
    expect((await status('MB-2204')).err).not.toContain('Similar');
  });

  test('a link out of the inbox is not followed', async () => {
    await writeFile(join(elsewhere, 'secret.csv'), 'po_number,item_sku,quantity\nX-9,A-1,1\n');
    await symlink(join(elsewhere, 'secret.csv'), join(inbox('north'), 'link.csv'));
    expect((await status('X-9')).exitCode).toBe(2);
  });
});
