/** The folder beside the repository: compiled, this file is a folder deeper. */
const beside = new URL(
  import.meta.url.includes('/dist/test/') ? '../../../../shared/fixtures/' : '../../../shared/fixtures/',
  import.meta.url,
);

/**
 * Purchase files of real dealers, beside the repository: they may be read and not copied into it. Tests that need them
 * are skipped where they are absent, except in CI.
 */
export const realFiles = new URL('real/', beside);

/** Labelled order exports, of which only those with invented rows are in the repository. */
export const realOrderExports = new URL('order-exports/', beside);
