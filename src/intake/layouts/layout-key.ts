import { createHash } from 'node:crypto';
import { headerKey } from '../columns/fields.ts';
import { isAnswerHeader } from '../own-columns.ts';

/** A name of only punctuation, such as `#`, is compared unchanged. */
const nameKey = (name: string): string => {
  const key = headerKey(name);
  return key === '' ? name.normalize('NFKC').trim() : key;
};

/** The normalized names of a header for comparison: without case, blanks and punctuation, sorted, without our own columns. */
export const headerNames = (headers: readonly string[]): string[] =>
  headers
    .filter((name) => name.trim() !== '' && !isAnswerHeader(name))
    .map(nameKey)
    .filter((name) => name !== '')
    .sort();

const hash = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 32);

/** The key shared by the files of one layout: the names of their header in any order, or the number of columns if there is no header. Pure. */
export const layoutKey = (headers: readonly string[]): string => hash(JSON.stringify(headerNames(headers)));

/** @see layoutKey */
export const keyWithoutHeader = (width: number): string => hash(`${width} columns`);
