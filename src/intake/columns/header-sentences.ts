import type { IntakeOptions } from '../options.ts';
import { listed, quoted } from '../quoted.ts';
import type { Decision, RawRow } from '../types.ts';
import { sayField } from './field-words.ts';
import type { FieldName } from './fields.ts';
import { likelyPoColumn } from './find-doubts.ts';

/** Enough to recognise a row; 40 columns would drown the sentence. */
const mostShown = 8;
/** The cells of a row in quotes. */
export const show = (cells: readonly string[]) => {
  const texts = cells.map((cell) => cell.trim()).filter((text) => text !== '');
  return listed(texts.map(quoted), mostShown);
};

/** The missing fields of a header, as a clause. */
export const listMissing = (missing: readonly FieldName[][]): string => {
  const fields = missing.map(([field]) => `the ${sayField(field!)}`);
  const last = fields.length > 1 ? ` and ${fields.at(-1)}` : '';
  return `no column is recognised for ${last === '' ? fields.join('') : fields.slice(0, -1).join(', ') + last}`;
};

/** The account's mapping of missing fields: their headers are not in the file or were renamed. */
export const currentMap = (missing: readonly FieldName[][], { columns }: IntakeOptions): string => {
  const names = new Set<string>(missing.flat());
  const entries = Object.entries(columns).filter(([, field]) => names.has(field));
  if (entries.length === 0) return '';
  const shown = entries.map(([header, field]) => `${field} to ${show([header])}`);
  return ` (it currently maps ${listed(shown, 3)})`;
};

/** The one command that accepts the proposal. @param file as the command line names it */
export const accept = (file: string, proposal: string): string =>
  `Run \`cartwright map ${file} --write\` to ${proposal === '' ? 'map its columns' : `accept ${proposal}, or to choose other columns`}.`;

/** The interactive command for the same, for the end of a sentence. */
export const choose = (file: string): string => `run \`cartwright map ${file} --write\` to choose.`;

/** How to map columns by number, with an example that fits this file and the cells of its first row. */
export const howToNumber = (rows: readonly RawRow[]): string => {
  const [first] = rows;
  const at = likelyPoColumn(rows);
  const cells = (first?.cells ?? []).map((cell, column) => `${column + 1} ${show([cell]) || '(blank)'}`);
  return `${at === undefined ? '' : `, for example ${at + 1}: po_number`}. Row ${first?.rowNumber ?? 1} has ${listed(cells, 2 * mostShown)}.`;
};

/** Columns that the account maps but this file lacks. */
export const notInFile = (unused: readonly string[]): Decision[] =>
  unused.length === 0
    ? []
    : [
        {
          what: 'columns',
          decided: `not in this file: ${show(unused)}`,
          why: 'intake.columns of the account maps them',
          override: 'intake.columns',
        },
      ];
