import { execFile } from 'node:child_process';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const project = fileURLToPath(new URL('../..', import.meta.url));
/** The user nobody, because an installed program is used by other users than the one who installed it. */
const other = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

let folder: string;
let prefix: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cartwright package '));
  await chmod(folder, 0o755);
  prefix = join(folder, 'prefix');
  await mkdir(join(folder, 'home'));
  if (other.uid !== undefined) await chown(join(folder, 'home'), other.uid, other.gid);
  // The run's setup has built it; installing builds nothing.
  await run('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], { cwd: project });
  const [packed] = (await readdir(folder)).filter((name) => name.endsWith('.tgz'));
  const args = ['install', '--global', '--ignore-scripts', '--no-audit', '--no-fund', '--prefix', prefix];
  await run('npm', [...args, `./${packed}`], { cwd: folder });
}, 300_000);
afterAll(() => rm(folder, { recursive: true, force: true }));

const cartwright = (...args: string[]) =>
  run(join(prefix, 'bin', 'cartwright'), args, {
    ...other,
    cwd: join(folder, 'home'),
    env: { PATH: process.env.PATH, HOME: join(folder, 'home') },
    timeout: 120_000,
  });

test('the package has the program, its pages and samples, and nothing of its tests', async () => {
  const root = join(prefix, 'lib', 'node_modules', 'cartwright');
  expect((await readdir(join(root, 'dist'))).sort()).toEqual([
    ...[
      'cartwright.schema.json',
      'console',
      'console-view',
      'console.sha256',
      'jobs',
      'openapi.json',
      'program',
      'program.sha256',
      'src',
    ],
  ]);
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  expect((await cartwright('--version')).stdout).toBe(`${version}\n`);
});

test('installed without a build and without install scripts, another user runs the main job', async () => {
  const { stdout } = await cartwright('demo');
  expect(stdout).toMatch(/northside-restock\.xlsx +3 +3 +0 +0/);
  expect(stdout).toContain('held  NS-1004');
}, 180_000);
