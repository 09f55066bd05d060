import { configDefaults, defineConfig } from 'vitest/config';

/** Whole systems under faults, kills and standstills, and thousands of simulated ones: `npm run proof`. */
export const proofFolders = ['chaos', 'crash', 'faults', 'queue-lost', 'restore', 'simulation'].map(
  (folder) => `test/${folder}/**/*.test.ts`,
);

/** What `npm test` and `npm run proof` have in common. */
export const common = {
  globalSetup: ['test/support/global-setup.ts'],
  // Real servers start and stop in these; two cores are what the slowest supported machine has.
  maxWorkers: 2,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  reporters: ['default'],
};

export default defineConfig({
  test: { ...common, include: ['test/**/*.test.ts'], exclude: [...configDefaults.exclude, ...proofFolders] },
});
