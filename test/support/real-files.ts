/** The folder beside the repository; the compiled file is one folder deeper. */
const beside = new URL(
  import.meta.url.includes('/dist/test/') ? '../../../../shared/fixtures/' : '../../../shared/fixtures/',
  import.meta.url,
);

/**
 * Purchase files of real dealers, beside the repository, because they may be read but not copied into it. Tests that need
 * them are skipped if they are missing, except in CI.
 */
export const realFiles = new URL('real/', beside);

/** Labelled order exports; only those with invented rows are in the repository. */
export const realOrderExports = new URL('order-exports/', beside);
