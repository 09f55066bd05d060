import { execFileSync, spawnSync } from 'node:child_process';
import { cp, mkdir, symlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** A released version whose workers may run beside those of this one. It predates questions about first files, to test the first night after an upgrade. */
const landed = 'd1bfad8';

const root = fileURLToPath(new URL('../..', import.meta.url));
const parts = ['src', 'jobs', 'test/support', 'package.json', 'tsconfig.json'];

const gitStatus = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });

/**
 * Why that version cannot be built; undefined if the repository has its history. In CI, a complete history without that commit is
 * an error of this file, but a shallow clone cannot have it.
 */
export const whyNotBuilt = (): { reason: string; isShallow: boolean } | undefined => {
  if (gitStatus('cat-file', '-e', `${landed}^{commit}`).status === 0) return undefined;
  return {
    reason: `the repository has no commit ${landed}: clone it with its history (fetch-depth: 0 in CI)`,
    isShallow: gitStatus('rev-parse', '--is-shallow-repository').stdout.trim() === 'true',
  };
};

/** The number of the last migration that workers of the landed version know. */
export const lastLandedMigration = (): string | undefined =>
  gitStatus('ls-tree', '--name-only', landed, 'src/ledger/migrations/')
    .stdout.trim()
    .split('\n')
    .map((file) => basename(file).slice(0, 3))
    .toSorted()
    .at(-1);

/**
 * Builds the last landed version into a folder, with the packages of this one.
 *
 * @returns a function from a source's name to the path of the built program
 */
export const buildLanded = async (folder: string): Promise<(source: string) => string> => {
  await mkdir(folder, { recursive: true });
  const archive = execFileSync('git', ['archive', landed, ...parts], { cwd: root, maxBuffer: 1e9 });
  execFileSync('tar', ['-x'], { cwd: folder, input: archive });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  // Emits code despite type errors, because this version's packages have other types.
  spawnSync(process.execPath, [compiler, '--noEmit', 'false', '--declaration', 'false'], { cwd: folder });
  for (const migrations of ['src/ledger/migrations', 'src/service/migrations'])
    await cp(join(folder, migrations), join(folder, 'dist', migrations), { recursive: true });
  return (source) => join(folder, 'dist', source.replace(/\.ts$/, '.js'));
};
