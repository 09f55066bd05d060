import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestDatabase } from '../support/database.ts';
import { layoutsFile as file } from './layouts-file.ts';
import { useCliFolder } from './use-cli-folder.ts';

const cli = useCliFolder();
let other: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  other = await createTestDatabase();
  await cli.write(
    'cartwright.yaml',
    'accounts:\n  north: { baseUrl: "http://127.0.0.1:9" }\n  south: { intake: { constants: { po_number: S-1 } } }\n',
  );
});
afterAll(() => other.drop());

type Applied = { name: string; account: string; change: string; differs: string[]; version?: number };
const apply = async (name: string, ...more: string[]): Promise<Applied[]> => {
  const { exitCode, out, err } = await cli.run('layouts', 'apply', name, '--json', ...more);
  expect(exitCode, err).toBe(0);
  return JSON.parse(out).layouts;
};
const list = async (...more: string[]) =>
  JSON.parse((await cli.run('layouts', '--json', ...more)).out).layouts;

describe('layouts in a file', () => {
  test('are put into the ledger once: applied again, nothing changes', async () => {
    await cli.write('layouts.yaml', file);
    expect((await apply('layouts.yaml')).map(({ change, version }) => [change, version])).toEqual([
      ['new', 1],
      ['new', 1],
      ['new', 1],
      ['new', 1],
    ]);
    expect(new Set((await apply('layouts.yaml')).map(({ change }) => change))).toEqual(new Set(['same']));
    expect(await list('--all')).toHaveLength(4);
    expect(await list('--account', 'south')).toMatchObject([
      { account: 'south', name: 'Weekly orders', via: 'command line', files: 0 },
    ]);
  });

  test('that were exported are the same again, also in another ledger', async () => {
    const exported = await cli.run('layouts', 'export', '--out', 'exported.yaml');
    expect(exported).toMatchObject({ exitCode: 0, out: 'Wrote 4 layouts into exported.yaml.\n' });
    expect(new Set((await apply('exported.yaml')).map(({ change }) => change))).toEqual(new Set(['same']));
    expect(await list('--all')).toHaveLength(4);

    const elsewhere = { DATABASE_URL: other.url };
    const first = await cli.start(['layouts', 'apply', 'exported.yaml'], elsewhere).ended;
    expect(first.out).toContain('4 new, 0 changed, 0 the same.');
    const { out } = await cli.start(['layouts', 'export'], elsewhere).ended;
    expect(out).toBe(await readFile(join(cli.folder, 'exported.yaml'), 'utf8'));
  });

  test('never overwrite a file', async () => {
    await cli.write('kept.yaml', 'mine\n');
    const { exitCode, err } = await cli.run('layouts', 'export', '--out', 'kept.yaml');
    expect([exitCode, err]).toEqual([2, expect.stringContaining('kept.yaml already exists')]);
    expect(await readFile(join(cli.folder, 'kept.yaml'), 'utf8')).toBe('mine\n');
  });

  test('that differ become new versions, and a dry run only says so', async () => {
    await cli.write(
      'changed.yaml',
      file.replace('decimal: comma', 'decimal: point').replace('Bare', 'No header'),
    );
    const would = await apply('changed.yaml', '--dry-run');
    expect(would).toMatchObject([
      { change: 'changed', differs: ['decimal'] },
      { change: 'changed', differs: ['name'] },
      { change: 'same' },
      { change: 'same' },
    ]);
    expect(await list('--all')).toHaveLength(4);
    expect((await apply('changed.yaml')).map(({ version }) => version)).toEqual([2, 2, 1, 1]);
    expect(await list('--all')).toHaveLength(6);
    const { out } = await cli.run('layouts', 'show', 'weekly orders', '--account', 'north');
    expect(out).toMatch(
      /Layout "Weekly orders" of north, version 2[\s\S]*Beleg +po_number[\s\S]*2024 +not read/,
    );
    expect(out).toMatch(/Other settings: decimal: point\n\nEarlier versions:\n {2}version 1 \(ID \d+\)/);
  });
});

test('a file with a mistake changes nothing, and the place is named', async () => {
  const before = await list('--all');
  await cli.write('wrong.yaml', file.replace('Anz: quantity', 'Anz: quantities'));
  const { exitCode, err } = await cli.run('layouts', 'apply', 'wrong.yaml');
  expect(err).toBe(
    'cartwright: wrong.yaml is not valid, so nothing was changed:\n  line 5, layout 1 ("Weekly orders" of north): settings.columns.Anz must be the name of a field, such as quantity, or ignore\n',
  );
  expect(exitCode).toBe(2);
  expect(await list('--all')).toEqual(before);
});

test('a word that is no command is named, with the commands that there are', async () => {
  const { exitCode, err } = await cli.run('layouts', 'lst', '--all');
  expect(err).toContain(
    "error: 'layouts' has no command 'lst'. Its commands are list, show, export, apply, remove.",
  );
  expect(exitCode).toBe(2);
  const apply = await cli.run('layouts', 'apply', 'layouts.yaml', '--account', 'north');
  expect([apply.exitCode, apply.err]).toEqual([2, expect.stringContaining("unknown option '--account'")]);
});

describe('one layout', () => {
  test('is named by its ID where several have its name', async () => {
    const { exitCode, err } = await cli.run('layouts', 'show', 'Weekly orders');
    expect([exitCode, err]).toEqual([2, expect.stringMatching(/ID \d+ of north, ID \d+ of south/)]);
    const unknown = await cli.run('layouts', 'show', 'Nothing');
    expect([unknown.exitCode, unknown.err]).toEqual([
      2,
      expect.stringContaining('There is no layout Nothing.'),
    ]);
  });

  test('is removed once, and its versions stay', async () => {
    const all = await list('--all');
    const { exitCode, out } = await cli.run('layouts', 'remove', 'price list');
    expect(exitCode).toBe(0);
    expect(out).toMatch(/Removed the layout "Price list" of north\. .*the next file with this header waits/);
    expect(await list('--all')).toHaveLength(all.length);
    const { id } = all.find(({ name }: Applied) => name === 'Price list');
    const again = await cli.run('layouts', 'remove', id);
    expect([again.exitCode, again.err]).toEqual([1, expect.stringContaining('does not count any more')]);
  });

  test('with everything else is listed in 80 columns’ worth of facts', async () => {
    const { out } = await cli.run('layouts');
    expect(out).toMatch(/ID +Account +Layout +Version +Files +Agreed, and its header/);
    expect(out).toMatch(
      /north +Weekly orders +2 +0 +agreed by \S+ on \d{4}-\d\d-\d\d\n +Beleg, Ware, Anz, 2024/,
    );
    expect(out).toMatch(/north +No header +2 +0 .*\n +files without a header/);
  });
});
