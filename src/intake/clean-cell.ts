import type { FieldKind } from './fields.ts';

/** Printable ASCII that neither begins nor ends with a space, and begins with neither ' nor =: nothing to clean. */
const plain = /^[!-&(-<>-~](?:[ -~]*[!-~])?$/;
/** Our own neutralised formula start, exactly as the result file writes it. */
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
  /** What was cleaned, in words; undefined when nothing but spaces at the ends was. */
  note: string | undefined;
}

/**
 * The text of a cell as its field takes it. Text for people keeps its characters; an identifier loses those that
 * nobody can see or type, and says so.
 */
const cleanSlowly = (raw: string, kind: FieldKind): Cleaned => {
  let text = neutralised.test(raw) ? raw.slice(1) : raw;
  const notes: string[] = [];
  const change = (to: string, note: string) => {
    if (to !== text) notes.push(note);
    text = to;
  };
  // \s covers NBSP and the byte order mark, so a person's text loses them at its ends too.
  if (exact.has(kind)) {
    change(text.replace(invisible, ''), 'invisible characters were removed');
    change(text.replace(oddSpace, ' '), 'unusual spaces were taken as plain ones');
    change(
      text.replace(fullWidth, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0)),
      'full-width characters were taken as plain ones',
    );
  }
  text = text.trim();
  const wrapped = excelText.exec(text);
  if (wrapped)
    change(wrapped[1]!.replaceAll('""', '"').trim(), 'the spreadsheet formula ="…" was taken as its text');
  if (exact.has(kind) && text.startsWith("'") && text.length > 1) {
    change(text.slice(1).trim(), "the leading ' that marks text in a spreadsheet was removed");
  }
  return { text, note: notes.length > 0 ? notes.join('; ') : undefined };
};

/** True when `cleanCell` would change nothing: one test decides nearly every cell. */
export const isPlain = (raw: string): boolean => plain.test(raw);

/** @see cleanSlowly Pure. */
export const cleanCell = (raw: string, kind: FieldKind): Cleaned =>
  isPlain(raw) ? { text: raw, note: undefined } : cleanSlowly(raw, kind);
