import { configDefaults, defineConfig } from 'vitest/config';

/** Whole systems under faults, kills and standstills, and thousands of simulated ones. */
const proof = ['chaos', 'crash', 'faults', 'queue-lost', 'restore', 'simulation'].map(
  (folder) => `test/${folder}/**/*.test.ts`,
);

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
