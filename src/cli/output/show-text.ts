const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

/**
 * Text out of a file or from a service, safe on a terminal: control characters, which could move the cursor
 * or hide text, are shown as their code points.
 */
export const showText = (text: string): string =>
  text.replace(invisible, (found) => `\\u{${found.codePointAt(0)!.toString(16)}}`);

/** Cut to so many characters, with … where something is missing. */
export const shorten = (text: string, most: number): string => {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
};

const longestFileName = 32;

/** A file's name in a table: a long one keeps its beginning and its end, where names mostly differ. */
export const showFileName = (name: string): string => {
  const characters = [...showText(name)];
  if (characters.length <= longestFileName) return characters.join('');
  const end = 12;
  return `${characters.slice(0, longestFileName - end - 1).join('')}…${characters.slice(-end).join('')}`;
};

/** `1 file`, `2 files`. */
export const count = (n: number, one: string, many = `${one}s`): string =>
  `${n.toLocaleString('en-US')} ${n === 1 ? one : many}`;

/** A moment as a person reads it, in this machine's time zone. */
export const showTime = (at: Date): string =>
  at.toLocaleString('sv-SE', { dateStyle: 'short', timeStyle: 'short' });
