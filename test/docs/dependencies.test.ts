import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

type Packages = Record<string, string | boolean>;
// Not imported: the build would write a package.json into dist.
const manifest: Record<'dependencies' | 'devDependencies' | 'overrides' | 'allowScripts', Packages> =
  JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8'));
const page = await readFile(new URL('../../docs/dependencies.md', import.meta.url), 'utf8');

/** The rows of a section's table: their cells. */
const rowsOf = (heading: string): string[][] => {
  const section = page.split(`\n## ${heading}\n`)[1]!.split('\n## ')[0]!;
  const rows = section.split('\n').filter((line) => line.startsWith('| `'));
  return rows.map((row) => row.slice(2, -2).split(' | '));
};

test.each([
  ['At run time', manifest.dependencies],
  ['For development', manifest.devDependencies],
  ['Overrides', manifest.overrides],
  ['Install scripts', manifest.allowScripts],
])('docs/dependencies.md, %s: lists exactly what package.json has', (heading, packages) => {
  const listed = rowsOf(heading).map(([name]) => name);
  expect(listed).toEqual(Object.keys(packages).map((name) => `\`${name}\``));
});

test('every entry gives a reason', () => {
  const rows = ['At run time', 'For development', 'Overrides', 'Install scripts'].flatMap(rowsOf);
  expect(rows.filter((cells) => cells.length !== 3 || cells.some((cell) => cell.trim() === ''))).toEqual([]);
});

test('the install scripts run that the page says', () => {
  expect(rowsOf('Install scripts').map(([, runs]) => runs === 'yes')).toEqual(
    Object.values(manifest.allowScripts),
  );
});
