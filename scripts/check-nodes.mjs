// Runs the tests under other versions of Node: `npm run check:nodes [-- [--node 22] [test files]]`.
// npx fetches each Node as the registry's `node` package.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  options: { node: { type: 'string', multiple: true, default: ['22', '24'] } },
  allowPositionals: true,
});
const tests = ['node_modules/vitest/vitest.mjs', 'run', '--project', 'tests', ...positionals];

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

/** Runs this version of Node with these arguments and says whether it exited with 0. */
const succeeds = (version, args) =>
  spawnSync('npx', ['--yes', '--package', `node@${version}`, '--', 'node', ...args], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  }).status === 0;

const failed = values.node.filter(
  (version) => !succeeds(version, ['--version']) || !succeeds(version, tests),
);
if (failed.length > 0) {
  process.stderr.write(`\nThe tests failed under Node ${failed.join(' and ')}.\n`);
  process.exitCode = 1;
}
