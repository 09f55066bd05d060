import type { PlacingRules } from '../../src/placing/options.ts';

/** The rules of an ordinary account. */
export const rules: PlacingRules = {
  poNumbersReused: false,
  submissionConsumesCart: true,
  createRefusesExistingCart: false,
  createRefusesOrderedPo: false,
  requestTimeoutMs: 30_000,
  readLagMs: 0,
  settleMs: 61_000,
  unreachableAllowedMs: 86_400_000,
  deniedPauseMs: 300_000,
  linesInFlight: 1,
  rebuildsAllowed: 5,
  guards: { backorder: false, unknownPrice: true, unusualQuantity: 10 },
};
