import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { useCliFolder } from './use-cli-folder.ts';

const cli = useCliFolder();
const lines = 'SKU,Qty\nA-1,2\nA-2,3\nB-7,1\n';
const configuration = () => readFile(join(cli.folder, 'cartwright.yaml'), 'utf8');

beforeAll(() =>
  cli
    .write('cartwright.yaml', 'accounts:\n  north:\n    baseUrl: http://127.0.0.1:9 # sandbox\n')
    .then(() => {}),
);

test('a PO number in a labelled cell is written as a setting, and the file can then be imported', async () => {
  const file = await cli.write('march.csv', `PO Number,4711\n\n${lines}`);
  const shown = await cli.run('map', file, '--write', '--yes');
  expect(shown.out).toContain('The PO number of the whole file is 4711, in cell B1, beside "PO Number".');
  expect(shown).toMatchObject({ exitCode: 0 });
  expect(await configuration()).toMatch(/# sandbox[\s\S]*poNumberFrom:\s+cell: PO Number/);
  const tried = await cli.run('import', file, '--dry-run', '--json');
  expect(tried).toMatchObject({ exitCode: 0 });
  expect(JSON.stringify(JSON.parse(tried.out))).toContain('"4711"');
});

test('one in the name of the file is proposed, and not written without a person who confirms it', async () => {
  await cli.write('cartwright.yaml', 'accounts:\n  north:\n    baseUrl: http://127.0.0.1:9\n');
  const file = await cli.write('Purchase Order 88213.csv', lines);
  const { exitCode, out, err } = await cli.run('map', file, '--write', '--yes');
  expect(exitCode).toBe(2);
  expect(out).toMatch(/whole file is 88213, in the file's name[\s\S]*please\s+check/);
  expect(err).toMatch(
    /the PO number is only probably in the file's name.*intake\.poNumberFrom: \{"fileName":"Purchase Order \{po\}"\}/s,
  );
  expect(await configuration()).not.toContain('poNumberFrom');
});

test('the encoding in which the file was read is shown, and why', async () => {
  const file = join(cli.folder, 'umlauts.csv');
  await writeFile(file, Buffer.from('PO;SKU;Menge;Name\nA-1;S-1;2;M\xfcller\n', 'latin1'));
  const { out } = await cli.run('map', file);
  expect(out).toMatch(
    /^The header is in row 1\.\nIt was read as windows-1252: line 2 has bytes that are not UTF-8/,
  );
});
