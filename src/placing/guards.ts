import { fromCents, toCents } from './money.ts';
import type { Guards } from './options.ts';
import type { Approvals, Line } from './types.ts';

export interface GuardHold {
  code: 'backorder' | 'price_above' | 'order_total' | 'unknown_price';
  text: string;
}

const nameOf = (line: Line): string =>
  line.answer?.sku ?? line.itemSku ?? line.itemId ?? `row ${line.rowNumber}`;

const totalCents = (lines: readonly Line[]): bigint =>
  lines.reduce(
    (sum, line) => sum + (toCents(line.answer?.dealerPrice ?? '0') ?? 0n) * BigInt(line.quantity),
    0n,
  );

/** What a person approves by releasing a PO that a guard holds: the numbers as they stand. */
export const approvalsOf = (lines: readonly Line[]): Approvals => ({
  backorderQuantity: lines.reduce((sum, line) => sum + (line.answer?.backorderQuantity ?? 0), 0),
  orderTotalCents: Number(totalCents(lines)),
  prices: true,
  unknownPrice: true,
});

/** The price that a file expects at most, in thousandths of a cent so that percentages stay exact. */
const limitOf = (expected: bigint, abovePercent: number): bigint =>
  (expected * (100_000n + BigInt(Math.round(abovePercent * 1000)))) / 100n;

/**
 * Rule 5: the first guard that holds this PO before submission, with its numbers, or undefined. A file's
 * own `expected_price` is a guard by itself (at 0 %) even where the account sets none. What a person
 * released holds again only when it has become worse.
 */
export const findGuardHold = (
  lines: readonly Line[],
  guards: Guards,
  approvals: Approvals,
): GuardHold | undefined => {
  if (guards.unknownPrice && !approvals.unknownPrice) {
    const line = lines.find((candidate) => candidate.answer?.dealerPrice === undefined);
    if (line) {
      return {
        code: 'unknown_price',
        text: `The service answered no readable price for ${nameOf(line)} (row ${line.rowNumber}).`,
      };
    }
  }
  if (guards.backorder) {
    const short = lines.filter((line) => (line.answer?.backorderQuantity ?? 0) > 0);
    const units = short.reduce((sum, line) => sum + line.answer!.backorderQuantity!, 0);
    if (units > (approvals.backorderQuantity ?? 0)) {
      const parts = short.map(
        (line) => `${line.answer!.backorderQuantity} of ${line.quantity} ${nameOf(line)}`,
      );
      return { code: 'backorder', text: `Would be back-ordered: ${parts.slice(0, 10).join(', ')}.` };
    }
  }
  const pricesApproved =
    approvals.prices === true && totalCents(lines) <= BigInt(approvals.orderTotalCents ?? 0);
  if (!pricesApproved) {
    for (const line of lines) {
      const expected = toCents(line.expectedPrice ?? '');
      const price = toCents(line.answer?.dealerPrice ?? '');
      if (expected === undefined || price === undefined) continue;
      if (price * 1000n > limitOf(expected, guards.abovePercent ?? 0)) {
        return {
          code: 'price_above',
          text: `${nameOf(line)} (row ${line.rowNumber}) costs ${line.answer!.dealerPrice}, the file expects ${line.expectedPrice}${guards.abovePercent ? ` with up to ${guards.abovePercent} % more` : ''}.`,
        };
      }
    }
  }
  if (guards.orderTotal !== undefined) {
    const total = totalCents(lines);
    const limit = BigInt(Math.round(guards.orderTotal * 100));
    const approved = approvals.orderTotalCents;
    if (total > limit && (approved === undefined || total > BigInt(approved))) {
      return {
        code: 'order_total',
        text: `The lines sum up to ${fromCents(total)}, above the limit of ${fromCents(limit)}.`,
      };
    }
  }
  return undefined;
};
