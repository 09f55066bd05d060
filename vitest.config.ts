import { configDefaults, defineConfig } from 'vitest/config';

/** Whole systems under faults, kills and standstills, thousands of simulated ones, and all that is generated. */
const proof = [
  ...['chaos', 'crash', 'faults', 'queue-lost', 'real', 'restore', 'simulation'].map(
    (folder) => `test/${folder}/**/*.test.ts`,
  ),
  'test/**/fuzz.test.ts',
  // Several processes of the command line each, started, killed and waited for.
  ...[
    'cli/last-resort',
    'cli/queue-holds',
    'cli/results-up-to-date',
    'cli/service-secrets',
    'cli/wait-again',
    'embedded/two-hosts',
  ].map((name) => `test/${name}.test.ts`),
];

export default defineConfig({
  test: {
    globalSetup: ['test/support/global-setup.ts'],
    // Real servers start and stop in these; two cores are what the slowest supported machine has.
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default'],
    projects: [
      // `npm test`: minutes.
      {
        extends: true,
        test: {
          name: 'tests',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...proof],
        },
      },
      // `npm run proof`: as long as it takes.
      { extends: true, test: { name: 'proof', include: proof } },
    ],
  },
});
