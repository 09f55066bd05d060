import { headerKey } from '../columns/fields.ts';
import { rankOthers } from '../columns/name-ranks.ts';
import type { IntakeOptions } from '../options.ts';
import type { DetectedColumn } from '../types.ts';

/** Ignored columns that could hold prices, clearest name first. */
const unreadPrices = (
  columns: readonly DetectedColumn[],
  options: Pick<IntakeOptions, 'columns'>,
): string[] => {
  const mapped = new Set(Object.keys(options.columns).map(headerKey));
  return columns
    .filter(({ header, field }) => field === null && !mapped.has(headerKey(header)))
    .flatMap(({ header }) => {
      const price = rankOthers(header).find(({ field }) => field === 'expected_price');
      return price ? [{ header, rank: price.rank }] : [];
    })
    .sort((a, b) => b.rank - a.rank)
    .map(({ header }) => header);
};

/**
 * Why the price guard has no effect on a file, and what to do. Pure.
 *
 * @param column the dealer's header of the expected price
 */
export const idleGuard = (
  columns: readonly DetectedColumn[],
  column: string,
  options: Pick<IntakeOptions, 'columns'>,
): string => {
  const mapped = columns.some(({ field }) => field === 'expected_price');
  const unread = unreadPrices(columns, options);
  const named = unread.slice(0, 3).map((header) => `"${header}"`);
  const advice = mapped
    ? `Fill in the column ${column}.`
    : named.length > 0
      ? `${named.join(', ')} ${named.length === 1 ? 'is a column' : 'are columns'} that the account does not read: map the one with the price of one piece to expected_price in intake.columns of the account.`
      : 'Add a column expected_price, or map one of its columns to expected_price in intake.columns of the account.';
  return `No expected prices were read from this file, so the price guard (guards.abovePercent) cannot hold any of its POs. ${advice}`;
};
