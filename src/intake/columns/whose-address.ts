import { type FieldName, fields } from './fields.ts';
import type { Meaning } from './header-words.ts';
import { rankOthers } from './name-ranks.ts';
import { readHeader } from './read-header.ts';

const ofAddress: ReadonlySet<Meaning> = new Set([
  'address',
  'city',
  'state',
  'zip',
  'country',
  'phone',
  'email',
  'one',
  'two',
  'three',
  'code',
  'number',
] satisfies Meaning[]);
const places: readonly Meaning[] = ['address', 'city', 'state', 'zip'];
const ofNumbers: readonly Meaning[] = [
  'item',
  'sku',
  'itemnumber',
  'number',
  'code',
  'id',
  'quantity',
  'price',
  'reference',
];

type Owner = 'other' | 'ship' | undefined;

/** Whose address begins with a column of this name. */
const ownerOf = (meanings: ReadonlySet<Meaning>): Owner => {
  if (meanings.has('ship') || meanings.has('recipient')) return 'ship';
  const isOther = meanings.has('vendor') || meanings.has('bill') || meanings.has('remit');
  return isOther && !ofNumbers.some((one) => meanings.has(one)) ? 'other' : undefined;
};

/**
 * Columns of an address that may be the vendor's or the payer's: `Address` and `City` after `Vendor` or `Bill To Name`. With each the
 * header of the column that says so. Pure.
 */
export const addressesOfOthers = (headers: readonly string[]): Map<number, string> => {
  const others = new Map<number, string>();
  let owner: { header: string; at: number } | undefined;
  for (const [at, header] of headers.entries()) {
    const { meanings, unknown } = readHeader(header);
    const whose = ownerOf(meanings);
    if (whose === 'ship') owner = undefined;
    else if (whose === 'other') owner = { header, at };
    else if (
      owner &&
      unknown === 0 &&
      meanings.size > 0 &&
      [...meanings].every((one) => ofAddress.has(one))
    ) {
      if (places.some((one) => meanings.has(one))) others.set(at, owner.header);
    } else if (owner && others.size > 0) owner = undefined;
  }
  return others;
};

/** Whether a field is a part of the address to which an order is sent. Pure. */
export const isOfAddress = (field: FieldName | null): boolean =>
  field !== null && field in fields && /^ship_(?:address|city|state|zip)/.test(field);

const addressFields: readonly FieldName[] = [
  'ship_name',
  'ship_address1',
  'ship_address2',
  'ship_city',
  'ship_state',
  'ship_zip',
];
/** Rank of a name that says nothing of a person or another place. */
const leastRank = 3;

/** The part of the address to ship to that a header seems to name; undefined if it names none. Pure. */
export const addressPartOf = (header: string, least: number = leastRank): FieldName | undefined =>
  rankOthers(header).find(({ field, rank }) => addressFields.includes(field) && rank >= least)?.field;
