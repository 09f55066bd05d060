import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { project } from '../docs/pages.ts';

const page = await readFile(path.join(project, 'docs/mock.md'), 'utf8');
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'cartwright-mock-page-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The code blocks of the page's section, in TypeScript. */
const codeOf = (heading: string): string =>
  /```ts\n([\s\S]*?)```/.exec(page.split(`\n## ${heading}\n`)[1] ?? '')?.[1] ?? '';

test('the example for Vitest passes and compiles under strict in a project of its own', async () => {
  const modules = path.join(folder, 'node_modules');
  await mkdir(modules);
  // Like `npm install --save-dev ../cartwright`.
  await symlink(project, path.join(modules, 'cartwright'));
  for (const name of ['vitest', '@types'])
    await symlink(path.join(project, 'node_modules', name), path.join(modules, name));
  await writeFile(path.join(folder, 'package.json'), '{"type":"module"}');
  const code = codeOf('From Vitest or Jest');
  expect(code).toContain('startService');
  await writeFile(path.join(folder, 'orders.test.ts'), code);
  const run = (program: string, ...args: string[]) =>
    promisify(execFile)(process.execPath, [path.join(project, 'node_modules', program), ...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, CI: '1', NO_COLOR: '1' },
    }).catch((thrown: { stdout: string; stderr: string }) => ({ ...thrown, failed: true }));
  const strict = ['--noEmit', '--strict', '--skipLibCheck', '--module', 'nodenext', '--target', 'es2023'];
  expect(await run('typescript/bin/tsc', ...strict, '--types', 'node', 'orders.test.ts')).not.toHaveProperty(
    'failed',
  );
  const { stdout } = await run('vitest/vitest.mjs', 'run');
  expect(stdout).toMatch(/Tests {2}2 passed/);
});
