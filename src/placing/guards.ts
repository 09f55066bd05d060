import { fromCents, showMoney, toCents, toMillionths } from './money.ts';
import type { Guards } from './options.ts';
import type { Approvals, Line } from './types.ts';

export const guardCodes = [
  'unusual_quantity',
  'unknown_price',
  'backorder',
  'price_above',
  'order_total',
] as const;
export type GuardCode = (typeof guardCodes)[number];

export interface GuardHold {
  code: GuardCode;
  text: string;
}

/** Maximum number of lines named in a text; the result file has all of them. */
const linesNamed = 10;

const nameOf = (line: Line): string =>
  line.answer?.sku ?? line.itemSku ?? line.itemId ?? `row ${line.rowNumber}`;

const backorderOf = (line: Line): number => line.answer?.backorderQuantity ?? 0;
const priceOf = (line: Line): bigint | undefined => toMillionths(line.answer?.dealerPrice ?? '');

/** The service's price or, if it cannot be read, the file's. */
const priceInTotal = (line: Line): bigint | undefined =>
  priceOf(line) ?? toMillionths(line.expectedPrice ?? '');

const totalCents = (lines: readonly Line[]): bigint =>
  toCents(lines.reduce((sum, line) => sum + (priceInTotal(line) ?? 0n) * BigInt(line.quantity), 0n));

/** Whether a price is more than `percent` above the expected one; exact to a thousandth of a percent. */
const isAbove = (price: bigint, expected: bigint, percent: number): boolean =>
  price * 100_000n > expected * (100_000n + BigInt(Math.round(percent * 1000)));

/** Quantities up to this are never unusual: a dealer who bought one may well need a box. */
const everydayQuantity = 100;

const isUnusual = ({ quantity, largestOrdered = {} }: Line, times: number): boolean => {
  const largest = largestOrdered.ofItem ?? largestOrdered.ofAny;
  return times > 0 && largest !== undefined && quantity > Math.max(everydayQuantity, times * largest);
};

/** The lines whose quantities a guard would hold. */
export const unusualLines = (lines: readonly Line[], guards: Guards): Line[] =>
  lines.filter((line) => isUnusual(line, guards.unusualQuantity ?? 0));

const describeUnusual = (line: Line): string => {
  const { ofItem, ofAny } = line.largestOrdered!;
  const most =
    ofItem === undefined
      ? `never ordered before, and never more than ${ofAny} of any item`
      : `so far ${ofItem} at most`;
  return `${line.quantity} ${nameOf(line)} (row ${line.rowNumber}; ${most})`;
};

const listLines = (lines: readonly Line[], describe: (line: Line) => string): string =>
  lines.slice(0, linesNamed).map(describe).join(', ') +
  (lines.length > linesNamed ? ` and ${lines.length - linesNamed} more` : '');

/**
 * What a person approves by releasing a PO that a guard holds: the numbers that this guard shows now. The other guards have
 * shown nothing yet and remain in force.
 */
export const approvalsOf = (code: GuardCode, lines: readonly Line[]): Approvals => {
  const byRow = <T>(approve: (line: Line) => T | undefined): Record<number, T> =>
    Object.fromEntries(
      lines.flatMap((line): [number, T][] => {
        const value = approve(line);
        return value === undefined ? [] : [[line.rowNumber, value]];
      }),
    );
  switch (code) {
    case 'unusual_quantity':
      return { unusualQuantity: byRow(() => true as const) };
    case 'unknown_price':
      return { unknownPrice: byRow((line) => (priceOf(line) === undefined ? true : undefined)) };
    case 'backorder':
      return { backorder: byRow((line) => backorderOf(line) || undefined) };
    case 'price_above':
      return {
        price: byRow((line) => (line.expectedPrice === undefined ? undefined : line.answer?.dealerPrice)),
      };
    case 'order_total':
      return {
        orderTotalCents: totalCents(lines).toString(),
        unpriced: byRow((line) => (priceInTotal(line) === undefined ? true : undefined)),
      };
  }
};

type Check = (lines: readonly Line[], guards: Guards, approvals: Approvals) => string | undefined;

const limitCents = (orderTotal: number): bigint => BigInt(Math.round(orderTotal * 100));

const totalAbove: Check = (lines, { orderTotal }, approvals) => {
  if (orderTotal === undefined) return undefined;
  const total = totalCents(lines);
  const limit = limitCents(orderTotal);
  if (total <= limit || total <= BigInt(approvals.orderTotalCents ?? -1)) return undefined;
  const byFile = lines.every((line) => priceOf(line) === undefined) ? ' at the prices of the file' : '';
  return `The lines add up to ${fromCents(total)}${byFile}, above the limit of ${fromCents(limit)}.`;
};

const totalUnknown: Check = (lines, { orderTotal }, approvals) => {
  if (orderTotal === undefined) return undefined;
  const unpriced = lines.filter(
    (line) => priceInTotal(line) === undefined && !approvals.unpriced?.[line.rowNumber],
  );
  return unpriced.length === 0
    ? undefined
    : `The total is not known, because neither the service nor the file has a price for ${listLines(unpriced, (line) => `${line.quantity} ${nameOf(line)} (row ${line.rowNumber})`)}. The other lines add up to ${fromCents(totalCents(lines))}; the limit is ${fromCents(limitCents(orderTotal))}.`;
};

const checks: Record<GuardCode, Check> = {
  unusual_quantity: (lines, guards, approvals) => {
    const unusual = unusualLines(lines, guards).filter(
      ({ rowNumber }) => !approvals.unusualQuantity?.[rowNumber],
    );
    return unusual.length === 0
      ? undefined
      : `Far more than this account has ordered before: ${listLines(unusual, describeUnusual)}.`;
  },
  unknown_price: (lines, guards, approvals) => {
    if (!guards.unknownPrice) return undefined;
    const unread = lines.filter(
      (line) => priceOf(line) === undefined && !approvals.unknownPrice?.[line.rowNumber],
    );
    return unread.length === 0
      ? undefined
      : `The service returned no readable price for ${listLines(unread, (line) => `${nameOf(line)} (row ${line.rowNumber})`)}.`;
  },
  backorder: (lines, guards, approvals) => {
    if (!guards.backorder) return undefined;
    const short = lines.filter((line) => backorderOf(line) > (approvals.backorder?.[line.rowNumber] ?? 0));
    return short.length === 0
      ? undefined
      : `Not in stock and would be back-ordered: ${listLines(short, (line) => `${backorderOf(line)} of ${line.quantity} ${nameOf(line)} (row ${line.rowNumber})`)}.`;
  },
  price_above: (lines, guards, approvals) => {
    const percent = guards.abovePercent ?? 0;
    const above = lines.filter((line) => {
      const expected = toMillionths(line.expectedPrice ?? '');
      const price = priceOf(line);
      if (expected === undefined || price === undefined || !isAbove(price, expected, percent)) return false;
      const approved = toMillionths(approvals.price?.[line.rowNumber] ?? '');
      return approved === undefined || price > approved;
    });
    const describe = (line: Line) =>
      `${nameOf(line)} (row ${line.rowNumber}) costs ${showMoney(line.answer!.dealerPrice!)}, the file expects ${showMoney(line.expectedPrice!)}`;
    return above.length === 0
      ? undefined
      : `${listLines(above, describe)}${percent > 0 ? `; the limit is ${percent} % above the expected price` : ''}.`;
  },
  order_total: (...known) => totalAbove(...known) ?? totalUnknown(...known),
};

/** The guards that can be checked before the service has answered: what is certain, or expected from the file's prices. */
const foreseen: Partial<Record<GuardCode, Check>> = {
  unusual_quantity: checks.unusual_quantity,
  order_total: totalAbove,
};

const firstHold = (
  these: Partial<Record<GuardCode, Check>>,
  lines: readonly Line[],
  guards: Guards,
  approvals: Approvals,
): GuardHold | undefined => {
  for (const code of guardCodes) {
    const text = these[code]?.(lines, guards, approvals);
    if (text !== undefined) return { code, text };
  }
  return undefined;
};

/**
 * Rule 5: the first guard that holds this PO before submission, with its numbers, or undefined. A file's own
 * `expected_price` is a guard (at 0 %) even where the account sets none. A guard that a person released holds the PO again
 * only when its numbers have become worse.
 */
export const findGuardHold = (
  lines: readonly Line[],
  guards: Guards,
  approvals: Approvals,
): GuardHold | undefined => firstHold(checks, lines, guards, approvals);

/** `findGuardHold` before anything was sent, from the file's lines alone: the first guard that is known to hold this PO. */
export const foreseeGuardHold = (lines: readonly Line[], guards: Guards): GuardHold | undefined =>
  firstHold(foreseen, lines, guards, {});

/**
 * The conditions under which a guard may hold a PO once the service has answered, worded to follow “if”.
 * @param pricesExpected the file has expected prices
 */
export const laterGuards = (guards: Guards, pricesExpected: boolean): string[] => {
  const { unknownPrice, backorder, abovePercent = 0, orderTotal } = guards;
  return [
    ...(unknownPrice ? ['a line has no readable price'] : []),
    ...(backorder ? ['items would be back-ordered'] : []),
    ...(pricesExpected
      ? [`a price is ${abovePercent > 0 ? `more than ${abovePercent} % ` : ''}above the price of the file`]
      : []),
    ...(orderTotal === undefined
      ? []
      : [`the lines add up to more than ${fromCents(limitCents(orderTotal))} at the prices of the service`]),
  ];
};
