import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { useCliFolder } from './use-cli-folder.ts';

const cli = useCliFolder();
const lines = 'SKU,Qty\nA-1,2\nA-2,3\nB-7,1\n';
const settings = 'accounts:\n  north:\n    baseUrl: http://127.0.0.1:9 # sandbox\n';

beforeAll(() => cli.write('cartwright.yaml', settings).then(() => {}));
// `map` must not change the account's settings.
afterEach(async () => expect(await readFile(join(cli.folder, 'cartwright.yaml'), 'utf8')).toBe(settings));

const layouts = async () => {
  const { exitCode, out } = await cli.run('layouts', '--json');
  return exitCode === 0 ? JSON.parse(out).layouts : [];
};

/** Reads the picked-up files like a worker, until this text is in its log. */
const readUntil = async (words: string) => {
  const worker = cli.start(['watch']);
  await worker.printed(words);
  worker.child.kill('SIGTERM');
  await worker.ended;
};

test('a PO number in a labelled cell is a setting of the layout, and the file can then be imported', async () => {
  const file = await cli.write('march.csv', `PO Number,4711\n\n${lines}`);
  const shown = await cli.run('map', file, '--write', '--yes');
  expect(shown.out).toContain('The PO number of the whole file is 4711, in cell B1, beside "PO Number".');
  expect(shown).toMatchObject({ exitCode: 0 });
  expect(await layouts()).toMatchObject([
    {
      name: 'march',
      account: 'north',
      via: 'command line',
      settings: { poNumberFrom: { cell: 'PO Number' } },
    },
  ]);
  const tried = await cli.run('import', file, '--dry-run', '--json');
  expect(tried).toMatchObject({ exitCode: 0 });
  expect(JSON.stringify(JSON.parse(tried.out))).toContain('"4711"');
});

test('one in the name of the file is proposed, and not written without a person who confirms it', async () => {
  const before = await layouts();
  const file = await cli.write('Purchase Order 88213.csv', lines);
  const { exitCode, out, err } = await cli.run('map', file, '--write', '--yes');
  expect(exitCode).toBe(2);
  expect(out).toMatch(/whole file is 88213, in the file's name[\s\S]*please\s+check/);
  expect(err).toMatch(
    /the PO number is only probably in the file's name.*intake\.poNumberFrom: \{"fileName":"Purchase Order \{po\}"\}/s,
  );
  expect(await layouts()).toEqual(before);
});

test('the encoding in which the file was read is shown, and why', async () => {
  const file = join(cli.folder, 'umlauts.csv');
  await writeFile(file, Buffer.from('PO;SKU;Menge;Name\nA-1;S-1;2;M\xfcller\n', 'latin1'));
  const { out } = await cli.run('map', file);
  expect(out).toMatch(
    /^The header is in row 1\.\nIt was read as windows-1252: line 2 has bytes that are not UTF-8/,
  );
});

test('one decision reads the file that waits and all that wait with its header; those with another one wait on', async () => {
  const header = 'PO Number,SKU,Qty,Ship Name,City\n';
  for (const [name, text] of [
    ['monday.csv', `${header}M-1,A-1,2,Ann,Rome\n`],
    ['tuesday.csv', `${header}T-1,A-1,3,Bob,Bonn\n`],
    ['other.csv', 'PO Number,SKU,Qty,Hold\nO-1,A-1,2,yes\n'],
  ] as const)
    await cli.run('import', await cli.write(name, text));
  await readUntil('other.csv');
  const waiting = JSON.parse((await cli.run('layouts', '--json')).out).waiting.sort(
    (one: { fileName: string }, other: { fileName: string }) => one.fileName.localeCompare(other.fileName),
  );
  // Workers read them concurrently, so the order is undefined.
  expect(waiting).toMatchObject([
    { fileName: 'monday.csv', files: 2 },
    { fileName: 'other.csv', files: 1 },
  ]);
  const { importId } = waiting[0];
  const { exitCode, out } = await cli.run('map', '--import', importId, '--write', '--yes', '--name', 'Days');
  expect(exitCode).toBe(0);
  expect(out).toContain(
    'Recorded the layout "Days" of north (version 1): files with this header are read like this from now on. 2 files that waited are read by a running worker within half a minute.',
  );
  await readUntil('tuesday.csv');
  const after = JSON.parse((await cli.run('layouts', '--json')).out);
  expect(after.waiting).toMatchObject([{ fileName: 'other.csv', files: 1 }]);
  expect(after.layouts).toContainEqual(expect.objectContaining({ name: 'Days', files: 2 }));
  const again = await cli.run('map', '--import', importId);
  expect(again.exitCode).toBe(2);
  expect(again.err).toContain(`Import ${importId} (monday.csv) does not wait for its meaning: it is read.`);
});

test('with --yes a bare name that is not certain is not passed over', async () => {
  const bare = await cli.write(
    'bare.csv',
    'PO Number,SKU,Qty,Ship Name,City,Hold,Remarks\nP-1,A-1,3,Ann,Rome,yes,x\nP-2,A-2,4,Bob,Bonn,no,y\n',
  );
  const { exitCode, err } = await cli.run('map', bare, '--write', '--yes');
  expect(exitCode).toBe(2);
  expect(err).toMatch(/Nothing was written, because .*"Hold" .*on a terminal, without --yes, to be asked\./s);
});

test.each([
  [
    'an address without a name',
    'City',
    'Rome',
    /"City" says where orders are sent, and no column says to whom/,
  ],
  ['a bare name that no value explains', 'Hold', '', /"Hold" \(hold order\?\)/],
])('with --yes %s is neither agreed to nor clear', async (_, header, value, sentence) => {
  const before = await layouts();
  const file = await cli.write('alone.csv', `PO Number,SKU,Qty,${header}\nP-1,A-1,3,${value}\n`);
  const { exitCode, out, err } = await cli.run('map', file, '--write', '--yes');
  expect(err).toMatch(sentence);
  expect(out).not.toContain('no layout is needed');
  expect(exitCode).toBe(2);
  expect(await layouts()).toEqual(before);
});

test('a file with standard names needs no layout', async () => {
  const before = await layouts();
  const file = await cli.write('plain.csv', 'PO Number,SKU,Qty\nP-1,A-1,3\n');
  const { exitCode, out } = await cli.run('map', file, '--write', '--yes');
  expect(out).toContain('The headers are clear: no layout is needed.');
  expect(exitCode).toBe(0);
  expect(await layouts()).toEqual(before);
});

test('without a ledger a mapping is proposed all the same, and --write says that nothing was written', async () => {
  const down = { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' };
  const file = await cli.write('city.csv', 'PO Number,SKU,Qty,Ship Name,City\nP-1,A-1,3,Ann,Rome\n');
  const proposed = await cli.start(['map', file], down).ended;
  expect(proposed).toMatchObject({ exitCode: 0, err: '' });
  expect(proposed.out).toMatch(/City +ship_city/);
  const { exitCode, out, err } = await cli.start(['map', file, '--write', '--yes'], down).ended;
  expect(out).toMatch(/City +ship_city/);
  expect(err).toMatch(/Nothing was written, because layouts are kept in the ledger, which cannot be used\./);
  expect(exitCode).toBe(3);
});

test.each([
  ['neither a file nor an import', [], /Name a purchase file, or with --import/],
  ['both', ['plain.csv', '--import', '1'], /Name either a purchase file, or with --import/],
  ['no number', ['--import', 'x'], /--import must be the number of an import/],
  ['an import that is not there', ['--import', '99999'], /There is no import 99999\./],
  [
    'a name that nobody can see',
    ['plain.csv', '--write', '--name', '  '],
    /--name must have 1 to 60 characters/,
  ],
])('%s is a mistake of the command line', async (_, args, sentence) => {
  const { exitCode, err } = await cli.run('map', ...args);
  expect(err).toMatch(sentence);
  expect(exitCode).toBe(2);
});
