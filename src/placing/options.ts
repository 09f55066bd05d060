import { z } from 'zod';
import { duration } from '../config/duration.ts';

/** The part of an account that says how its POs are placed (rules 2, 5, 7 and 13). */
export const placingOptionsShape = {
  poNumbersReused: z
    .boolean()
    .default(false)
    .describe(
      'Set to true if the service accepts a second order with the same PO number; existing orders are then ignored.',
    ),
  submissionConsumesCart: z
    .boolean()
    .default(true)
    .describe(
      'Whether the service removes a cart when it is submitted. Set to false if it does not: a PO whose submission result is unknown is then always held.',
    ),
  readLag: duration
    .prefault('0s')
    .describe('How long it takes until the service shows what was written to it.'),
  settle: duration
    .optional()
    .describe(
      'How long to wait after a submission with an unknown result before looking the order up. Default: twice requestTimeout, plus readLag, plus 1s.',
    ),
  unreachableAllowed: duration
    .prefault('24h')
    .describe('How long the service may be unreachable before a PO is held.'),
  deniedPause: duration
    .prefault('5m')
    .describe('How long an account is paused after the service refused its credential.'),
  rebuildsAllowed: z
    .int()
    .min(1)
    .max(50)
    .default(5)
    .describe('How often a cart is rebuilt before its PO is held as service_unstable.'),
  guards: z
    .strictObject({
      backorder: z.boolean().default(false).describe('Hold a PO if any of its items would be back-ordered.'),
      abovePercent: z
        .number()
        .nonnegative()
        .optional()
        .describe(
          'Hold a PO if a price exceeds expected_price by more than this percentage (0: any excess).',
        ),
      orderTotal: z
        .number()
        .positive()
        .optional()
        .describe('Hold a PO if its lines add up to more than this amount.'),
      unknownPrice: z
        .boolean()
        .default(true)
        .describe('Hold a PO if the service returned no readable price for a line.'),
    })
    .prefault({})
    .describe('Reasons to hold a PO before it is submitted.'),
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
  /** How long a change takes to become readable. */
  readLagMs: number;
  /** From an unclear submission to the first lookup, and between lookups. */
  settleMs: number;
  unreachableAllowedMs: number;
  deniedPauseMs: number;
  rebuildsAllowed: number;
  guards: Guards;
}

/**
 * From a call with an unclear outcome until it can no longer take effect and its effect can be read. The promise depends on
 * this bound (docs/promise.md#what-is-assumed-of-the-service).
 */
export const lateEffectsMs = ({
  requestTimeoutMs,
  readLagMs,
}: Pick<PlacingRules, 'requestTimeoutMs' | 'readLagMs'>): number => 2 * requestTimeoutMs + readLagMs;
