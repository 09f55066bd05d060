import { stripVTControlCharacters } from 'node:util';
import { showMoney as asMoney } from '../../placing/money.ts';

const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Text from a file or a service, safe on a terminal: control characters could move the cursor or hide text, and are
 * shown as their code points.
 */
export const showText = (text: string): string =>
  text.replace(invisible, (found) => `\\u{${found.codePointAt(0)!.toString(16)}}`);

/** Text cut to at most this many characters, with … at the end if it was cut. */
export const shorten = (text: string, most: number): string => {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
};

/** A name from a file for a table; truncated on a narrow terminal, so that the table fits. */
export const showName = ({ columns }: { columns: number }, name: string): string =>
  shorten(showText(name), columns < 120 ? 16 : 60);

const longestFileName = 32;

/** A file name for a table. A long one keeps its beginning and its end, where names usually differ. */
export const showFileName = (name: string): string => {
  const characters = [...showText(name)];
  if (characters.length <= longestFileName) return characters.join('');
  const end = 12;
  return `${characters.slice(0, longestFileName - end - 1).join('')}…${characters.slice(-end).join('')}`;
};

/** `1 file`, `2 files`. */
export const count = (n: number, one: string, many = `${one}s`): string =>
  `${n.toLocaleString('en-US')} ${n === 1 ? one : many}`;

/** A decimal as money: `1,234.50`, with more than two decimals only if they are not zero. */
export const showMoney = (decimal: string): string => asMoney(decimal).replace(/\B(?=(?:\d{3})+\.)/g, ',');

/** The first few, and … if there are more: `G-1, G-2, …`. */
export const firstFew = (texts: readonly string[], most: number): string =>
  `${texts.slice(0, most).join(', ')}${texts.length > most ? ', …' : ''}`;

/** `2026-11-22 03:23`, in UTC, for a column whose heading says so. */
export const showUtc = (at: Date): string => at.toISOString().slice(0, 16).replace('T', ' ');

/** `2026-11-22 03:23 UTC`. */
export const showTime = (at: Date): string => `${showUtc(at)} UTC`;

/** When a paused account is retried; undefined: a person paused it. */
export const showRetry = (at: Date | undefined, now = new Date()): string => {
  if (at === undefined) return 'until a person resumes it';
  const seconds = Math.ceil((at.getTime() - now.getTime()) / 1000);
  if (seconds <= 0) return 'trying again now';
  return seconds < 120 ? `retrying in ${seconds} s` : `retrying at ${showTime(at)}`;
};

/** Text broken between words at this width; further lines are indented. Colours do not count. */
export const wrapWords = (text: string, columns: number, indent: number): string => {
  const lines: string[] = [];
  let line = /^ */.exec(text)![0];
  let isEmpty = true;
  for (const word of text.trimStart().split(' ')) {
    const longer = isEmpty ? line + word : `${line} ${word}`;
    if (isEmpty || [...stripVTControlCharacters(longer)].length <= columns) line = longer;
    else {
      lines.push(line);
      line = ' '.repeat(indent) + word;
    }
    isEmpty = false;
  }
  return [...lines, line].join('\n');
};
