import { laterGuards } from './guards.ts';
import type { Guards } from './options.ts';

const mayRefuse =
  'The service has not been asked: when a PO is placed, it decides about its items, stock, prices and the account, and may still refuse or change it.';

/** `a, b or c`. */
const either = (parts: readonly string[]): string =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} or ${parts.at(-1)}`;

/**
 * Sentences about what is unknown before a file's POs are placed: what the service may refuse, and why the account's guards may hold a
 * PO.
 * @param pricesExpected the file has expected prices
 */
export const notYetKnown = (guards: Guards, pricesExpected: boolean): string => {
  const possibleHolds = laterGuards(guards, pricesExpected);
  return possibleHolds.length === 0
    ? mayRefuse
    : `${mayRefuse} After its answer, a guard of the account holds a PO if ${either(possibleHolds)}.`;
};
