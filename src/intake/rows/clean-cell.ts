import type { FieldKind } from '../columns/fields.ts';

/** Printable ASCII without a space at either end and without ' or = at the beginning: nothing to clean. */
const plain = /^[!-&(-<>-~](?:[ -~]*[!-~])?$/;
/** A formula start that a result file of ours has neutralised with a leading '. */
const neutralised = /^'+[=+\-@\t\r]/;
const invisible = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g;
const oddSpace = /[\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]/g;
const fullWidth = /[\uff01-\uff5e]/g;
const excelText = /^="((?:[^"]|"")*)"$/;
const exact: ReadonlySet<FieldKind> = new Set([
  'identifier',
  'code',
  'quantity',
  'price',
  'last_four',
  'flag',
]);

export interface Cleaned {
  text: string;
  /** What was cleaned, for a message; undefined if only spaces at the ends. */
  note: string | undefined;
}

/**
 * The text of a cell as its field needs it. Text for people keeps its characters. Invisible and unusual characters are removed from
 * identifiers, with a `note`.
 */
const cleanSlowly = (raw: string, kind: FieldKind): Cleaned => {
  let text = neutralised.test(raw) ? raw.slice(1) : raw;
  const notes: string[] = [];
  const change = (to: string, note: string) => {
    if (to !== text) notes.push(note);
    text = to;
  };
  // trim() also removes NBSP and the byte order mark from the ends of text for people.
  if (exact.has(kind)) {
    change(text.replace(invisible, ''), 'invisible characters were removed');
    change(text.replace(oddSpace, ' '), 'unusual spaces were replaced by plain spaces');
    change(
      text.replace(fullWidth, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0)),
      'full-width characters were replaced by plain ones',
    );
  }
  text = text.trim();
  const wrapped = excelText.exec(text);
  if (wrapped)
    change(wrapped[1]!.replaceAll('""', '"').trim(), 'the spreadsheet formula ="…" was replaced by its text');
  if (exact.has(kind) && text.startsWith("'") && text.length > 1) {
    change(text.slice(1).trim(), "the leading ' that marks text in a spreadsheet was removed");
  }
  return { text, note: notes.length > 0 ? notes.join('; ') : undefined };
};

/**
 * An identifier as written, if it contains invisible or look-alike characters, so that cleaning may have made it equal to another;
 * undefined: it has none. Ignores blanks at the ends. Pure.
 */
export const writtenOddly = (raw: string): string | undefined => {
  if (isPlain(raw)) return undefined;
  const text = raw.trim();
  return [invisible, oddSpace, fullWidth].some((odd) => text.search(odd) !== -1) ? text : undefined;
};

/** Shortens a PO number that is too long to store. The result is longer than any valid one, so it never matches one. */
export const storablePo = (poNumber: string): string =>
  poNumber.length > 200 ? `${[...poNumber].slice(0, 200).join('')}…` : poNumber;

/** True when `cleanCell` would change nothing. This one test is enough for nearly every cell. */
export const isPlain = (raw: string): boolean => plain.test(raw);

/** @see cleanSlowly Pure. */
export const cleanCell = (raw: string, kind: FieldKind): Cleaned =>
  isPlain(raw) ? { text: raw, note: undefined } : cleanSlowly(raw, kind);
