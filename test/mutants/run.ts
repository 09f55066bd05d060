// Removes each safeguard from a copy of the tree and runs the tests that must fail without it. Exits with 1 when a
// mutant survives, or when the source no longer contains a text to replace. `npm run mutants [-- PART_OF_A_NAME]`;
// `--tests-passed` skips the run without mutants, for tests that have just passed; `--share=1/2` takes every second mutant, for two
// parallel runs.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { applyEdits } from './apply-edits.ts';
import { type Mutant, mutants } from './mutants.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const testsPassed = process.argv.includes('--tests-passed');
const part = process.argv.slice(2).find((argument) => !argument.startsWith('--')) ?? '';
const share = /^--share=(\d+)\/(\d+)$/.exec(
  process.argv.find((argument) => argument.startsWith('--share=')) ?? '--share=1/1',
);
if (!share) throw new Error('--share needs two numbers, such as --share=1/2');
const wanted = mutants
  .filter(({ safeguard }) => safeguard.includes(part))
  .filter((_, at) => at % Number(share[2]) === Number(share[1]) - 1);
const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

const runSlice = async (
  folder: string,
  { tests, named, seeds }: Mutant,
): Promise<{ passed: boolean; ran: number; output: string }> => {
  const child = spawn(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      ...tests,
      ...(named ? ['-t', named] : []),
      '--bail',
      '1',
      '--reporter',
      'json',
    ],
    {
      cwd: folder,
      env: { ...process.env, ...(seeds ? { SIMULATION_SEEDS: String(seeds) } : {}) },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  let errors = '';
  child.stderr.on('data', (chunk) => {
    errors += chunk;
  });
  const [code] = await once(child, 'close');
  const found = /\{"numTotalTestSuites".*\}/s.exec(output);
  const report = found ? JSON.parse(found[0]) : { numPassedTests: 0, numFailedTests: 0 };
  return { passed: code === 0, ran: report.numPassedTests + report.numFailedTests, output: output + errors };
};

const scratch = await mkdtemp(path.join(tmpdir(), 'cartwright-mutants-'));
let survivors = 0;
try {
  for (const name of [
    'src',
    'jobs',
    'scripts',
    'test',
    'package.json',
    'tsconfig.json',
    'vitest.config.ts',
  ]) {
    await cp(path.join(root, name), path.join(scratch, name), { recursive: true });
  }
  await symlink(path.join(root, 'node_modules'), path.join(scratch, 'node_modules'));
  // Only tests that pass with all safeguards can show that one is missing.
  const slices = new Map(wanted.map((each) => [JSON.stringify([each.tests, each.named, each.seeds]), each]));
  for (const slice of testsPassed ? [] : slices.values()) {
    const { passed, ran, output } = await runSlice(scratch, slice);
    if (!passed || ran === 0) {
      throw new Error(
        `these tests fail, or there are none, without any mutant: ${slice.tests.join(' ')}\n${output}`,
      );
    }
  }
  if (!testsPassed) print(`${slices.size} slices pass with every safeguard in place`);
  for (const mutant of wanted) {
    const file = path.join(scratch, mutant.file);
    const original = await readFile(file, 'utf8');
    await writeFile(file, applyEdits(original, mutant));
    const began = performance.now();
    const { passed, ran, output } = await runSlice(scratch, mutant);
    await writeFile(file, original);
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    // A run that executes no test has not caught the mutant.
    const caught = !passed && ran > 0;
    if (!caught) survivors += 1;
    print(`${caught ? 'caught  ' : 'SURVIVED'} ${seconds.padStart(5)} s  ${mutant.safeguard}`);
    if (!caught && ran === 0) print(output);
  }
} finally {
  await rm(scratch, { recursive: true, force: true });
}
print(`${wanted.length - survivors} of ${wanted.length} mutants caught`);
process.exitCode = survivors > 0 ? 1 : 0;
