import type { IntakeOptions } from '../options.ts';
import { sayField } from './field-words.ts';
import type { FieldName } from './fields.ts';

/** Enough to recognise a row by; a header of 40 columns would hide the sentence around it. */
export const mostShown = 8;
/** The cells of a row in quotes. */
export const show = (cells: readonly string[]) => {
  const texts = cells.map((cell) => cell.trim()).filter((text) => text !== '');
  const shown = texts.slice(0, mostShown).map((text) => `"${text.slice(0, 40)}"`);
  const more = texts.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

/** What a header lacks, as a clause. */
export const listMissing = (missing: readonly FieldName[][]): string => {
  const fields = missing.map(([field]) => `the ${sayField(field!)}`);
  const last = fields.length > 1 ? ` and ${fields.at(-1)}` : '';
  return `no column is recognised for ${last === '' ? fields.join('') : fields.slice(0, -1).join(', ') + last}`;
};

/** The account's entries for missing fields: their headers are not in the file, or they were renamed. */
export const currentMap = (missing: readonly FieldName[][], { columns }: IntakeOptions): string => {
  const names = new Set<string>(missing.flat());
  const entries = Object.entries(columns).filter(([, field]) => names.has(field));
  if (entries.length === 0) return '';
  const shown = entries.slice(0, 3).map(([header, field]) => `${field} to ${show([header])}`);
  return ` (it currently maps ${shown.join(', ')}${entries.length > 3 ? ` and ${entries.length - 3} more` : ''})`;
};

/** A file name as a shell reads it. */
export const inShell = (name: string): string =>
  /^[\p{L}\p{N}_./@+-]+$/u.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;

/** The one command that accepts the proposal. */
export const accept = (fileName: string, proposal: string): string =>
  `Run \`cartwright map ${inShell(fileName)} --write\` to ${proposal === '' ? 'map its columns' : `accept ${proposal}, or to choose other columns`}.`;

/** The command that does the same by questions, for the end of a sentence. */
export const choose = (fileName: string): string =>
  `run \`cartwright map ${inShell(fileName)} --write\` to choose.`;
