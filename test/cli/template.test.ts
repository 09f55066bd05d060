import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { haveLibreOffice } from '../reports/support/libre-office.ts';
import { fillIn } from '../template/support/fill-in.ts';
import { runCli } from './run-cli.ts';
import { useCliFolder } from './use-cli-folder.ts';

const configuration = `accounts:
  north:
    baseUrl: http://127.0.0.1:9
    guards: { abovePercent: 5 }
  south:
    baseUrl: http://127.0.0.1:19
    intake: { header: none }
`;
const withDatabase = useCliFolder();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright-template-'));
  await writeFile(join(folder, 'cartwright.yaml'), configuration);
});
afterAll(() => rm(folder, { recursive: true, force: true }));
// A database that nobody can reach: the command must not need one.
const run = (...args: string[]) =>
  runCli(args, { cwd: folder, env: { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' } });

test('a template is written without a database and without a data folder, and never over a file', async () => {
  const written = await run('template', '--account', 'north');
  expect(written).toMatchObject({ exitCode: 0, err: '' });
  expect(written.out).toMatch(
    /^Wrote north-template\.xlsx: 15 columns for account north, template version 1-[0-9a-f]{8}\.\n$/,
  );
  expect((await readdir(folder)).sort()).toEqual(['cartwright.yaml', 'north-template.xlsx']);
  await writeFile(join(folder, 'north-template.xlsx'), 'my orders');
  const again = await run('template', '--account', 'north');
  expect(again.exitCode).toBe(2);
  expect(again.err).toContain(
    'north-template.xlsx already exists, and may hold orders, so it was not overwritten. Choose another name with --out.',
  );
  expect(await readFile(join(folder, 'north-template.xlsx'), 'utf8')).toBe('my orders');
});

test('as CSV it is a header, by --csv or by the name of the file', async () => {
  const { out } = await run('template', '--account', 'north', '--out', 'a.csv', '--json');
  const { columns, format, version } = JSON.parse(out);
  expect({ format, version }).toEqual({ format: 'csv', version: expect.stringMatching(/^1-/) });
  const text = await readFile(join(folder, 'a.csv'), 'utf8');
  expect(text).toBe(`\ufeff${columns.join(',')}\r\n`);
  expect(text).toMatch(/^\ufeffpo_number,item_sku,quantity,note,expected_price,ship_name,/);
  await run('template', '--account', 'north', '--csv');
  expect(await readFile(join(folder, 'north-template.csv'), 'utf8')).toBe(text);
});

test.each([
  [['--out', 'a.xlsx', '--csv'], 'The name a.xlsx does not fit a template in the format csv.'],
  [['--out', 'a.ods'], 'The name a.ods does not fit a template in the format xlsx.'],
  [['--out', 'nowhere/a.xlsx'], 'nowhere/a.xlsx cannot be written, because its folder does not exist.'],
  [[], 'Several accounts are configured (north, south).'],
  [['--account', 'south'], 'Account south reads files without a header (intake.header: none)'],
])('what cannot be written says why: %j', async (args, why) => {
  const account = args.length > 0 && !args.includes('--account') ? ['--account', 'north'] : [];
  const { exitCode, err } = await run('template', ...account, ...args);
  expect(exitCode).toBe(2);
  expect(err.replace(/\s+/g, ' ')).toContain(why);
});

test.runIf(haveLibreOffice())(
  'a template of the command, filled in with LibreOffice, is what the command would order',
  async () => {
    await withDatabase.write('cartwright.yaml', configuration);
    expect(await withDatabase.run('template', '--account', 'north')).toMatchObject({ exitCode: 0 });
    const { folder: saved, pathOf } = await fillIn(
      join(withDatabase.folder, 'north-template.xlsx'),
      'Orders',
      [
        ['A2', '004711'],
        ['B2', '00520'],
        ['C2', '3'],
        ['E2', '12.5'],
      ],
    );
    try {
      const { exitCode, out } = await withDatabase.run(
        'import',
        '--dry-run',
        '--account',
        'north',
        pathOf('ods'),
        '--json',
      );
      expect(exitCode).toBe(0);
      const [file] = JSON.parse(out).dryRun;
      expect(file.staged).toMatchObject({
        preview: {
          issues: [],
          purchaseOrders: [{ poNumber: '004711', outcome: 'ready', pieces: 3, goods: '37.5' }],
        },
      });
    } finally {
      await rm(saved, { recursive: true, force: true });
    }
    const unfilled = await withDatabase.run(
      'import',
      '--dry-run',
      '--account',
      'north',
      'north-template.xlsx',
    );
    expect(unfilled.exitCode).not.toBe(0);
    expect(unfilled.out + unfilled.err).toContain('There are no rows below the header.');
  },
  120_000,
);
