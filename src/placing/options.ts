import { z } from 'zod';
import { duration } from '../dealer-api/options.ts';

/** The part of an account that says how its POs are placed (design: rules 2, 5, 7 and 13). */
export const placingOptionsShape = {
  poNumbersReused: z
    .boolean()
    .default(false)
    .describe(
      'The service takes a second order under a PO number; what stood there before is then not ours.',
    ),
  submissionConsumesCart: z
    .boolean()
    .default(true)
    .describe('Submitting a cart removes it. Where it does not, an unknown submission is always held.'),
  readLag: duration.prefault('0s').describe('How far what can be read lags behind what was written.'),
  settle: duration
    .optional()
    .describe(
      'How long to wait after an unknown submission before looking; by default twice requestTimeout, plus readLag, plus 1s.',
    ),
  unreachableAllowed: duration
    .prefault('24h')
    .describe('How long the service may be out of reach before a PO is held.'),
  deniedPause: duration.prefault('5m').describe('How long an account pauses when its credential is refused.'),
  rebuildsAllowed: z
    .int()
    .min(1)
    .max(50)
    .default(5)
    .describe('Rebuilt carts before a PO is held as service_unstable.'),
  guards: z
    .strictObject({
      backorder: z.boolean().default(false).describe('Hold a PO of which something would be back-ordered.'),
      abovePercent: z
        .number()
        .nonnegative()
        .optional()
        .describe(
          'Hold when a price is above expected_price by more than this percentage (0: above at all).',
        ),
      orderTotal: z.number().positive().optional().describe('Hold when the lines sum up to more than this.'),
      unknownPrice: z.boolean().default(true).describe('Hold when the service answered no readable price.'),
    })
    .prefault({})
    .describe('What is held before submission, with the numbers.'),
};

export interface Guards {
  backorder: boolean;
  abovePercent?: number | undefined;
  orderTotal?: number | undefined;
  unknownPrice: boolean;
}

/** How one account's POs are placed, all times in milliseconds. */
export interface PlacingRules {
  poNumbersReused: boolean;
  submissionConsumesCart: boolean;
  requestTimeoutMs: number;
  /** How far what can be read lags behind what was written. */
  readLagMs: number;
  /** From an unknown submission to the first look, and between looks. */
  settleMs: number;
  unreachableAllowedMs: number;
  deniedPauseMs: number;
  rebuildsAllowed: number;
  guards: Guards;
}

/**
 * From a call with an unclear outcome until it can no longer take effect and whatever it did can be read: the bound
 * on which the promise rests (docs/promise.md, "What is assumed of the service").
 */
export const lateEffectsMs = ({
  requestTimeoutMs,
  readLagMs,
}: Pick<PlacingRules, 'requestTimeoutMs' | 'readLagMs'>): number => 2 * requestTimeoutMs + readLagMs;
