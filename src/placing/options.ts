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
    .optional()
    .describe(
      'Whether the service removes a cart when it is submitted; assumed if it is not set. Set to false if it does not: a PO whose submission result is unknown is then always held.',
    ),
  createRefusesExistingCart: z
    .boolean()
    .default(false)
    .describe(
      'Set to true if the service refuses (409 or another 4xx) to create a cart while one exists under the PO number. Saves one call per PO: the cart is then not looked up before its creation. If it is not true, a cart of somebody else can be replaced or filled. Leave it false where a cart does not show its items: a PO whose creation got no clear answer would be held as foreign_cart.',
    ),
  createRefusesOrderedPo: z
    .boolean()
    .default(false)
    .describe(
      'Set to true if the service refuses to create a cart for a PO number that has an order. Saves one call per PO where submissionConsumesCart is true in the configuration, and the service shows number and items of a cart: the untouched cart then proves that no order exists. If it is not true, a PO can be ordered twice.',
    ),
  readLag: duration
    .prefault('0s')
    .describe('How long it takes until the service shows what was written to it.'),
  linesInFlight: z
    .int()
    .min(1)
    .max(100)
    .default(1)
    .describe(
      'How many lines of one PO are added to its cart at the same time, within inFlight. With more than 1, the lines of an order can be in another order than in the file, and a service that cannot handle concurrent additions can lose lines: the comparison before submission notices that only if the service shows the items of carts.',
    ),
  guards: z
    .strictObject({
      backorder: z.boolean().default(false).describe('Hold a PO if any of its items would be back-ordered.'),
      abovePercent: z
        .number()
        .nonnegative()
        .optional()
        .describe(
          'Hold a PO if a price exceeds expected_price by more than this percentage. Without it, any excess holds the PO, as with 0: a column expected_price is a guard in any case, unless intake.columns maps it to ignore. If it is set, an import of a file without expected prices gets a warning.',
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
      unusualQuantity: z
        .number()
        .nonnegative()
        .default(10)
        .describe(
          'Hold a PO if a quantity is more than this many times the largest that the account has ordered of the item (or of any item, if it never ordered this one). Quantities up to 100 are never held; 0 switches this off.',
        ),
    })
    .prefault({})
    .describe('Reasons to hold a PO before it is submitted.'),
};

/** How often a cart is rebuilt before its PO is held as `service_unstable`. */
export const rebuildsAllowed = 10;

/** How long the service may be unreachable before a PO is held. */
export const unreachableAllowedMs = 24 * 3_600_000;

/** How long an account is paused after the service refused its credential. */
export const deniedPauseMs = 5 * 60_000;

export interface Guards {
  backorder: boolean;
  abovePercent?: number | undefined;
  orderTotal?: number | undefined;
  unknownPrice: boolean;
  /** 0 or undefined: off. */
  unusualQuantity?: number | undefined;
}

/** How one account's POs are placed, all times in milliseconds. */
export interface PlacingRules {
  poNumbersReused: boolean;
  submissionConsumesCart: boolean;
  createRefusesExistingCart: boolean;
  /** True only if the configuration also says explicitly that a submission consumes the cart. */
  createRefusesOrderedPo: boolean;
  requestTimeoutMs: number;
  /** How long a change takes to become readable. */
  readLagMs: number;
  /** Time from an unclear submission to the first lookup. */
  settleMs: number;
  unreachableAllowedMs: number;
  deniedPauseMs: number;
  /** Lines of one PO that are added at the same time. */
  linesInFlight: number;
  rebuildsAllowed: number;
  guards: Guards;
}

/**
 * Time after a call with an unclear outcome until it can no longer take effect and its effect can be read. The promise depends
 * on this bound (docs/promise.md#what-is-assumed-of-the-service).
 */
export const lateEffectsMs = ({
  requestTimeoutMs,
  readLagMs,
}: Pick<PlacingRules, 'requestTimeoutMs' | 'readLagMs'>): number => 2 * requestTimeoutMs + readLagMs;

/**
 * How much later than the present configuration allows an earlier call can take effect, because it was sent with a longer timeout:
 * a restart with a lower `requestTimeout` does not shorten calls that were sent before it.
 */
export const laterByMs = (
  { timeoutMs }: { timeoutMs?: number | undefined },
  { requestTimeoutMs }: Pick<PlacingRules, 'requestTimeoutMs'>,
): number => 2 * Math.max(0, (timeoutMs ?? requestTimeoutMs) - requestTimeoutMs);

/** Time between the lookups of rule 7, after the settle time: a service may answer from several stores. */
export const spacingMs = ({ settleMs }: Pick<PlacingRules, 'settleMs'>): number =>
  Math.max(1000, settleMs / 4);
