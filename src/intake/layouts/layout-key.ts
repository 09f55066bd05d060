import { createHash } from 'node:crypto';
import { headerKey } from '../columns/fields.ts';
import { isAnswerHeader } from '../own-columns.ts';

/** A name of signs only, such as `#`, is compared as it is. */
const nameKey = (name: string): string => {
  const key = headerKey(name);
  return key === '' ? name.normalize('NFKC').trim() : key;
};

/** The names of a header in the form in which headers are compared: without case, blanks and signs, in any order. Our own answers are not counted. */
export const headerNames = (headers: readonly string[]): string[] =>
  headers
    .filter((name) => name.trim() !== '' && !isAnswerHeader(name))
    .map(nameKey)
    .filter((name) => name !== '')
    .sort();

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/**
 * What the files of one layout have in common: the names of their header, in any order; of files without a header the number of
 * their columns. Pure.
 */
export const layoutKey = (headers: readonly string[]): string => hash(JSON.stringify(headerNames(headers)));

/** @see layoutKey */
export const keyWithoutHeader = (width: number): string => hash(`${width} columns`);
