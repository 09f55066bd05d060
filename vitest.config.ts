import { configDefaults, defineConfig } from 'vitest/config';

/** Complete systems under faults, kills and suspensions, thousands of simulated systems, and fuzz tests. */
const proof = [
  ...['chaos', 'crash', 'faults', 'queue-loss', 'real-file', 'restore', 'simulation'].map(
    (folder) => `test/${folder}/**/*.test.ts`,
  ),
  'test/**/fuzz.test.ts',
  // Runs the commands of the pages in its own checkout.
  'test/docs/run-commands.test.ts',
  // Each starts, kills and awaits several processes.
  ...[
    'cli/uncaught-errors',
    'cli/queue-holds',
    'cli/results-up-to-date',
    'cli/servers-that-go',
    'cli/service-secrets',
    'cli/stopping',
    'cli/wait-again',
    'dispatch/served-accounts',
    'embedded/shared-server',
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
      // `npm run proof`: longer.
      { extends: true, test: { name: 'proof', include: proof } },
    ],
  },
});
