/**
 * `npm run proof:whole` adds variants to the tests of `npm run proof`: the other queue, other versions of Postgres, more moments, and longer
 * runs. It takes more time than CI has, so run it by hand after changes to the code that it covers.
 */
export const isWhole = process.env.MODE === 'whole';
