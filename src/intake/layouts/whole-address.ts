import { headerKey } from '../columns/fields.ts';
import { isOfAddress } from '../columns/whose-address.ts';
import type { IntakeOptions } from '../options.ts';
import type { DetectedColumn } from '../types.ts';

/**
 * Why an address is incomplete: a file has a street and a city but no recognised recipient, only `Company`, `Attn` or `Consignee`. Columns
 * that the account maps are decided. Pure.
 *
 * @returns a sentence without its full stop; undefined if the address is complete, or there is none
 */
export const whyNotWhole = (
  columns: readonly DetectedColumn[],
  { columns: decided, constants }: Pick<IntakeOptions, 'columns' | 'constants'>,
): string | undefined => {
  const known = new Set(Object.keys(decided).map(headerKey));
  const parts = columns.filter(({ header, field }) => isOfAddress(field) && !known.has(headerKey(header)));
  const isWhole = constants.ship_name !== undefined || columns.some(({ field }) => field === 'ship_name');
  if (parts.length === 0 || isWhole) return undefined;
  const named = parts.slice(0, 3).map(({ header }) => JSON.stringify(header.slice(0, 40)));
  return `${named.join(', ')} ${parts.length === 1 ? 'says' : 'say'} where orders are sent, and no column says to whom`;
};
