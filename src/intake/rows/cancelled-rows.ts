import { headerKey } from '../columns/fields.ts';
import type { Meaning } from '../columns/header-words.ts';
import { readHeader } from '../columns/read-header.ts';
import type { IntakeOptions } from '../options.ts';
import type { DetectedColumn, RawRow } from '../types.ts';

/** A status of the line or of its order, and not of a payment or a delivery. */
const ofLine: ReadonlySet<Meaning> = new Set([
  'status',
  'line',
  'item',
  'order',
  'po',
  'purchase',
  'sale',
  'document',
  'name',
  'code',
] satisfies Meaning[]);

/** Whether a header names the status of a line or of its order. Pure. */
export const isStatus = (header: string): boolean => {
  const { meanings, unknown } = readHeader(header);
  return unknown === 0 && meanings.has('status') && [...meanings].every((one) => ofLine.has(one));
};

/** A text that says the opposite: `Not cancelled`. */
export const not = /(?:^|[^\p{L}])(?:not|no|never|nicht|non|nie)(?:$|[^\p{L}])/iu;

/**
 * Finds rows whose status says that they were cancelled, returned or rejected, in a column that the account does not map.
 *
 * @returns the column and what it says; undefined for any other row
 */
export const createStatusWatch = (
  columns: readonly DetectedColumn[],
  options: Pick<IntakeOptions, 'columns' | 'header'>,
): ((row: RawRow) => { header: string; text: string } | undefined) => {
  const mapped = new Set(Object.keys(options.columns).map(headerKey));
  const watched = columns.flatMap(({ header, field }, at) =>
    field === null && options.header !== 'none' && !mapped.has(headerKey(header)) && isStatus(header)
      ? [{ header, at }]
      : [],
  );
  const known = new Map<string, boolean>();
  const isGone = (text: string): boolean => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const gone = text.length <= 60 && readHeader(text).meanings.has('gone') && !not.test(text);
    // The values of a status are few. A column of other texts must not fill the memory.
    if (known.size < 1000) known.set(text, gone);
    return gone;
  };
  return ({ cells }) => {
    for (const { header, at } of watched) {
      const text = (cells[at] ?? '').trim();
      if (text !== '' && isGone(text)) return { header, text };
    }
    return undefined;
  };
};
