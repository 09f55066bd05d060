import { once } from '../../once.ts';
import { isHarmlessLabel } from './other-documents.ts';
import { textKey } from './telling-values.ts';

/** A text above the table, or its label and value. */
export interface Title {
  text: string;
  /** Raises a question even in the first file of a header: a short text, or one with a number. */
  countsAtFirst?: boolean;
  /** The comparison key; default: its text. */
  key?: string;
}

const languages = ['en', 'de', 'fr', 'es', 'it', 'nl'];
/** The names of months and days, which occur in dates. */
const ofDates = once(() => {
  const names = languages.flatMap((language) =>
    (['long', 'short'] as const).flatMap((width) => {
      const month = new Intl.DateTimeFormat(language, { month: width, timeZone: 'UTC' });
      const day = new Intl.DateTimeFormat(language, { weekday: width, timeZone: 'UTC' });
      const all = Array.from({ length: 12 }, (_, at) => new Date(Date.UTC(2026, at, 1 + at)));
      return all.flatMap((one) => [month.format(one), day.format(one)]);
    }),
  );
  return new Set(names.map((name) => name.toLowerCase().replace('.', '')));
});

/** The comparison key of a text; equal for texts that differ only in numbers and dates. Pure. */
export const otherKey = (text: string): string =>
  textKey(
    text
      .split(/[\s\p{P}\d]+/u)
      .filter((word) => !ofDates().has(word.toLowerCase()))
      .join(' '),
  );

const shortest = 3;
const isShort = (text: string): boolean => text.split(/\s+/).length <= shortest && otherKey(text) !== '';

const dates = /\b\d{1,4}[./-]\d{1,2}(?:[./-]\d{2,4})?\b|\b(?:19|20)\d\d\b|\b\d{1,2}:\d{2}\b/g;
/** Whether a title has a number that is no part of a date: `All items in cases of 12`, but not `Sent by Dana, 16 November 2026`. */
const hasNumber = (text: string): boolean => {
  const words = text.replace(dates, ' ').split(/[\s\p{P}]+/u);
  const isOfDate = (word: string | undefined) => word !== undefined && ofDates().has(word.toLowerCase());
  return words.some((word, at) => /\d/.test(word) && !isOfDate(words[at - 1]) && !isOfDate(words[at + 1]));
};

const colon = /[:=\uff1a\u2236]/;
const isBox = (text: string): boolean => /\[.?\]|_{2}/.test(text);

/** The texts of a row above the table, often several: a label with its value, in one cell or two adjacent ones, or a single text. */
export const partsOf = (filled: readonly string[]): (readonly [string, string?])[] => {
  const parts: (readonly [string, string?])[] = [];
  for (let at = 0; at < filled.length; at += 1) {
    const cell = filled[at]!;
    const sign = cell.search(colon);
    const next = filled[at + 1];
    const isOpen = sign < 0 || sign === cell.length - 1;
    if (sign > 0 && !isOpen) parts.push([cell.slice(0, sign).trim(), cell.slice(sign + 1).trim()]);
    else if (next !== undefined && isOpen && !colon.test(next) && otherKey(cell) !== '') {
      parts.push([cell.replace(/[\s:=\uff1a\u2236]+$/, ''), next]);
      at += 1;
    } else parts.push([cell]);
  }
  return parts;
};

/**
 * The comparison form of a part of a title. If the value may affect the order (`Order type: RUSH`), label and value count. Names, numbers,
 * longer texts and form boxes differ in each file, so only their label counts.
 */
export const titleOf = ([text, value]: readonly [string, string?]): Title => {
  if (value === undefined)
    return isBox(text) ? { text } : { text, countsAtFirst: isShort(text) || hasNumber(text) };
  const whole = `${text}: ${value}`;
  if (isShort(value) && !isBox(whole) && !isHarmlessLabel(text, value))
    return { text: whole, countsAtFirst: true };
  // Not the key of the label alone: its next value may be a short text that matters.
  const key = otherKey(text);
  return { text: whole, key: key && `${key} …` };
};

/** Earlier versions kept only the first label of a row. */
export const earlierKey = ([first = '', ...others]: readonly string[]): string =>
  otherKey(others.length > 0 || /[:=]/.test(first) || isBox(first) ? first.split(/[:=]/)[0]! : first);
