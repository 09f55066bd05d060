/**
 * `npm run proof:whole` also tests in further ways what `npm run proof` tests in one: with the other queue, on other versions of Postgres, at more moments,
 * and for longer. It takes more time than CI has, so it is run by hand after changes to what it concerns.
 */
export const isWhole = process.env.MODE === 'whole';
