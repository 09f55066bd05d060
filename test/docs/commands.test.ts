import { readdir, readFile, stat } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { buildProgram } from '../../src/cli/build-program.ts';
import { changed, listPages, notRun, project, readPage, readSteps, untilStopped } from './pages.ts';

const pages = await Promise.all(
  (await listPages()).map(async (page) => ({ page, text: await readPage(page) })),
);
const commands = pages.flatMap(({ text }) =>
  readSteps(text).flatMap((step) => (step.kind === 'command' ? [step.command] : [])),
);

test('every exception from running a command as written belongs to a command of a page', () => {
  expect(commands.length).toBeGreaterThan(8);
  for (const command of [...Object.keys(changed), ...Object.keys(notRun), ...untilStopped]) {
    expect(commands).toContain(command);
  }
});

test.each(pages)('$page has its commands in shell blocks, where a test runs them', ({ text }) => {
  const outside = text.replace(/^```sh\n[\s\S]*?^```$/gm, '');
  const typed = /^\s*(?:\$ )?(?:cartwright|npm|npx|node|bash|docker|export|curl|git) .*$/gm;
  expect(outside.match(typed) ?? []).toEqual([]);
});

const program = await buildProgram();

/** The flags of a command, including its parents'. */
const flagsOf = (name: string): string[] => {
  const command = program.commands.find((one) => one.name() === name);
  expect(command, `cartwright ${name}`).toBeDefined();
  const own = [command!, ...command!.commands].flatMap(({ options }) => options);
  return [...own, ...program.options].map(({ long }) => long!).concat('--help');
};

test.each(pages)('$page names commands and options that exist', ({ text }) => {
  for (const [, name, rest] of text.matchAll(/(?:^|`)cartwright ([a-z][a-z-]+)([^`\n]*)/gm)) {
    const flags = flagsOf(name!);
    for (const [flag] of rest!.matchAll(/--[a-z-]+/g)) expect(flags, `cartwright ${name}`).toContain(flag);
  }
});

test.each(pages)('$page names npm scripts that exist', async ({ text }) => {
  const { scripts } = JSON.parse(await readFile(`${project}/package.json`, 'utf8'));
  for (const [, name] of text.matchAll(/npm run ([a-z:-]+)/g)) expect(Object.keys(scripts)).toContain(name);
});

test.each(pages)('the links of $page lead to files', async ({ page, text }) => {
  for (const [, target] of text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
    await stat(new URL(target!, `file://${project}/${page}`));
  }
});

test('nothing suggests npx cartwright: the package is not published, and anybody could take its name', async () => {
  const sources = (await readdir(`${project}/src`, { recursive: true })).filter((name) =>
    name.endsWith('.ts'),
  );
  const files = [
    ...pages.map(({ page }) => page),
    'docs/service.md',
    'docs/api.md',
    'cartwright.example.yaml',
    'docker-compose.yml',
    ...sources.map((name) => `src/${name}`),
  ];
  for (const file of files) expect(await readPage(file), file).not.toContain('npx cartwright');
});
