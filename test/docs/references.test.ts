import { readdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { anchorsOf, findBrokenReferences, type TextFile } from './references.ts';

const root = new URL('../../', import.meta.url);

const listFiles = async (folder: string): Promise<string[]> => {
  const entries = await readdir(new URL(`${folder}/`, root), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.pathname.length).replaceAll('//', '/'));
};

const top = (await readdir(root, { withFileTypes: true })).filter((entry) => entry.isFile());
const folders = await Promise.all(
  ['src', 'jobs', 'test', 'bench', 'docs', 'samples', 'scripts'].map(listFiles),
);
const all = [...top.map(({ name }) => name), ...folders.flat()];
/** Files and their folders. */
const paths = new Set(all.flatMap((file) => [file, ...parents(file)]));

function parents(file: string): string[] {
  const folder = dirname(file);
  return folder === '.' ? [] : [folder, ...parents(folder)];
}

const files = new Map<string, string>();
for (const file of all.filter((name) => /\.(ts|mjs|sql|md|ya?ml)$/.test(name))) {
  files.set(file, await readFile(new URL(file, root), 'utf8'));
}
const repository = { paths, anchorsOf: (page: string) => anchorsOf(files.get(page)!) };

/** This file plants broken references; test/support/real-files.ts names a folder that not every checkout has. */
const exempt = new Set([
  'test/docs/references.ts',
  'test/docs/references.test.ts',
  'test/support/real-files.ts',
]);

/** Applied migrations are never edited, so their comments, which schema.sql repeats, may name a decision whose page was removed. */
const isUnchangeable = (message: string) =>
  /^src\/\w+\/(?:migrations\/|schema\.sql:).+: there is no docs\/decisions\/\d{3}$/.test(message);

test('every reference in code and docs leads to a file and a heading', () => {
  const judged = [...files].map(([path, text]): TextFile => ({ path, text }));
  expect(
    findBrokenReferences(
      judged.filter(({ path }) => !exempt.has(path)),
      repository,
    ).filter((message) => !isUnchangeable(message)),
  ).toEqual([]);
});

describe('what the test above finds', () => {
  const broken = (path: string, text: string) => findBrokenReferences([{ path, text }], repository);

  test.each([
    ['an unknown rule', 'src/a.ts', '/** Rule 99 decides. */', 'docs/rules.md has no heading #rule-99'],
    ['the end of a range of rules', 'src/a.ts', '// rules 12 to 14', 'docs/rules.md has no heading #rule-14'],
    ['one rule of a list', 'src/a.ts', '// rules 2, 77 and 3', 'docs/rules.md has no heading #rule-77'],
    [
      'a rule over two lines',
      'src/a.ts',
      '/**\n * See rule\n * 98.\n */',
      'src/a.ts:2: "rule 98": docs/rules.md',
    ],
    [
      'an unknown section',
      'test/a.ts',
      "describe('spec 2.99: fields')",
      'docs/service.md has no heading #spec-2.99',
    ],
    ['a missing page', 'src/a.ts', '// See docs/no-such-page.md.', 'there is no docs/no-such-page.md'],
    ['a missing heading', 'src/a.ts', '// docs/rules.md#no-such', 'docs/rules.md has no heading #no-such'],
    ['a missing decision', 'src/a.ts', '// why: decisions/777', 'there is no docs/decisions/777'],
    ['a broken link', 'docs/a.md', '[x](nowhere.md)', 'there is no docs/nowhere.md'],
    [
      'a link to a missing heading',
      'docs/a.md',
      '[x](rules.md#nowhere)',
      'docs/rules.md has no heading #nowhere',
    ],
    ['a file that has moved', 'docs/a.md', 'in `src/placing/gone.ts`', 'there is no src/placing/gone.ts'],
    ['what is outside: open-points', 'src/a.ts', '// (open-points.md)', 'is not in the repository'],
    ['what is outside: ../shared', 'src/a.ts', "'../../shared/x'", 'is not in the repository'],
    ["what is outside: the design's", 'src/a.ts', "// the design's table", 'is not in the repository'],
  ])('%s', (_, path, text, message) => {
    expect(broken(path, text)).toEqual([expect.stringContaining(message)]);
  });

  test('but nothing that leads somewhere', () => {
    const text = `// rules 1 to 3 and 13, spec 2.1 and 4.7, docs/operating.md, docs/decisions/004, decisions/001
      // docs/rules.md#rule-3, docs/decisions/020-folders.md, docs/decisions/, GET /docs/`;
    expect(broken('src/a.ts', text)).toEqual([]);
    expect(broken('docs/a.md', '[a](rules.md#rule-3) [b](../src/) [c](https://example.com/x#y)')).toEqual([]);
  });
});
