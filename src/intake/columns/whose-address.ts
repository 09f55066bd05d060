import type { FieldName } from './fields.ts';
import type { Meaning } from './header-words.ts';
import { rankOthers } from './name-ranks.ts';
import { isOnly, readHeader } from './read-header.ts';

const places: readonly Meaning[] = ['address', 'city', 'state', 'zip'];
const besides: readonly Meaning[] = ['country', 'phone', 'email', 'one', 'two', 'three', 'code', 'number'];
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

/** The owner of the address that starts with a column of this name. */
const ownerOf = (meanings: ReadonlySet<Meaning>): 'other' | 'ship' | undefined => {
  if (meanings.has('ship') || meanings.has('recipient')) return 'ship';
  const isOther = meanings.has('vendor') || meanings.has('bill') || meanings.has('remit');
  return isOther && !ofNumbers.some((one) => meanings.has(one)) ? 'other' : undefined;
};

/**
 * Columns of an address that may be the vendor's or the payer's: `Address` and `City` after `Vendor` or `Bill To Name`; each with the
 * header that indicates it. Pure.
 */
export const addressesOfOthers = (headers: readonly string[]): Map<number, string> => {
  const others = new Map<number, string>();
  let owner: { header: string; at: number } | undefined;
  for (const [at, header] of headers.entries()) {
    const words = readHeader(header);
    const { meanings } = words;
    const whose = ownerOf(meanings);
    if (whose === 'ship') owner = undefined;
    else if (whose === 'other') owner = { header, at };
    else if (owner && isOnly(words, ...places, ...besides)) {
      if (places.some((one) => meanings.has(one))) others.set(at, owner.header);
    } else if (owner && others.size > 0) owner = undefined;
  }
  return others;
};

/** Whether a field is a part of the address to which an order is sent. Pure. */
export const isOfAddress = (field: FieldName | null): boolean =>
  field !== null && /^ship_(?:address|city|state|zip)/.test(field);

/** Rank of a name for the destination of goods. */
const explicit = 5;

/** The part of the address to ship to that a header names; undefined if it names none. Pure. */
export const addressPartOf = (header: string): FieldName | undefined =>
  rankOthers(header).find(
    ({ field, rank }) => rank >= explicit && /^ship_(?:name|address[12]|city|state|zip)$/.test(field),
  )?.field;
