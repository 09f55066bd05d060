import { sayField } from '../columns/field-words.ts';
import type { FieldName } from '../columns/fields.ts';
import { isPlain } from './clean-cell.ts';
import { type Refusal, refuse } from './compile-rules.ts';

/** All characters that are invisible and do not separate anything. Control characters are refused in every field. */
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cf}\u2800\u{1d159}]/u;
const everyUnseen = new RegExp(unseen.source, 'gu');

const names: Record<string, string> = {
  '00AD': 'soft hyphen',
  '061C': 'Arabic letter mark',
  '180E': 'Mongolian vowel separator',
  '200B': 'zero-width space',
  '200C': 'zero-width non-joiner',
  '200D': 'zero-width joiner',
  '200E': 'left-to-right mark',
  '200F': 'right-to-left mark',
  '202A': 'left-to-right embedding',
  '202B': 'right-to-left embedding',
  '202C': 'pop directional formatting',
  '202D': 'left-to-right override',
  '202E': 'right-to-left override',
  '2060': 'word joiner',
  '2066': 'left-to-right isolate',
  '2067': 'right-to-left isolate',
  '2068': 'first strong isolate',
  '2069': 'pop directional isolate',
  '2800': 'blank Braille pattern',
  '3164': 'Hangul filler',
  FEFF: 'byte order mark',
};

const nameOf = (character: string): string => {
  const code = character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
  return names[code] ? `U+${code} (${names[code]})` : `U+${code}`;
};

/** Fields by which a supplier finds an order and its items; they must be sent exactly as in the file. */
const sentAsWritten: ReadonlySet<FieldName> = new Set(['po_number', 'item_sku', 'item_id']);

/**
 * Why a PO or item number with invisible characters is refused; undefined: it has none. Without them it would differ from the file's
 * number; with them, nobody who types it would find it. A cell with nothing else is blank. Pure.
 */
export const whyUnseen = (raw: string, field: FieldName): Refusal | undefined => {
  if (!sentAsWritten.has(field) || isPlain(raw)) return undefined;
  const at = raw.search(unseen);
  const seen = raw.replace(everyUnseen, '').trim();
  if (at === -1 || seen === '') return undefined;
  const before = raw.slice(0, at).trim();
  const place = before === '' ? 'at its beginning' : `after ${JSON.stringify(before.slice(-20))}`;
  const what = sayField(field);
  const message = `The ${what} has a character that cannot be seen, ${nameOf(String.fromCodePoint(raw.codePointAt(at)!))}, ${place}. Delete the cell, type the ${what} again, and send the file again.`;
  return refuse('unseen_character', message, 'only characters that can be seen');
};
