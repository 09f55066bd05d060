/**
 * Purchase files of real dealers, beside the repository: they may be read and not copied into it. Tests that need them
 * are skipped where they are absent, except in CI.
 */
export const realFiles = new URL('../../../shared/fixtures/real/', import.meta.url);

/** Labelled order exports, of which only those with invented rows are in the repository. */
export const realOrderExports = new URL('../../../shared/fixtures/order-exports/', import.meta.url);
