import { FileRefused } from '../../errors.ts';
import type { IntakeOptions } from '../options.ts';
import { looksMisread } from '../rows/odd-characters.ts';
import type { Decision, DetectedColumn, RawRow, Table } from '../types.ts';
import { sayField } from './field-words.ts';
import type { FieldName } from './fields.ts';
import { likelyPoColumn, proposeInWords, whyDoubtful } from './find-doubts.ts';
import { guessHeaders } from './guess-header.ts';
import { headerTexts } from './header-rows.ts';
import { columnsByPosition, explainColumns, type HeaderMatch, matchHeader } from './match-header.ts';

export interface FoundHeader {
  headerRow: number | null;
  columns: DetectedColumn[];
  /** Rows above the header. */
  titleRows: RawRow[];
  /** Number of recognised fields. */
  matched: number;
  decisions: Decision[];
}

export type HeaderSearch =
  | { kind: 'found'; header: FoundHeader }
  | {
      kind: 'not_found';
      code: string;
      /** The reason and what to do, for the file of this name. */
      explain: (fileName: string) => string;
      matched: number;
    };

const override = 'intake.header';
/** Enough to recognise a row by; a header of 40 columns would hide the sentence around it. */
const mostShown = 8;
const show = (cells: readonly string[]) => {
  const texts = cells.map((cell) => cell.trim()).filter((text) => text !== '');
  const shown = texts.slice(0, mostShown).map((text) => `"${text.slice(0, 40)}"`);
  const more = texts.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

const listMissing = (missing: readonly FieldName[][]): string => {
  const fields = missing.map(([field]) => `the ${sayField(field!)}`);
  const last = fields.length > 1 ? ` and ${fields.at(-1)}` : '';
  return `no column is recognised for ${last === '' ? fields.join('') : fields.slice(0, -1).join(', ') + last}`;
};

/** The account's entries for missing fields: their headers are not in the file, or they were renamed. */
const currentMap = (missing: readonly FieldName[][], { columns }: IntakeOptions): string => {
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
const accept = (fileName: string, proposal: string): string =>
  `Run \`cartwright map ${inShell(fileName)} --write\` to ${proposal === '' ? 'map its columns' : `accept ${proposal}, or to choose other columns`}.`;

/** The command that does the same by questions. */
const choose = (fileName: string): string =>
  ` Or run \`cartwright map ${inShell(fileName)} --write\` to choose.`;

const explainMiss = (
  best: { row: RawRow; match: HeaderMatch } | undefined,
  rows: readonly RawRow[],
  options: IntakeOptions,
  fileName: string,
): string => {
  if (!best) return 'There are no rows.';
  const [guess] = best.match.matched < 2 ? guessHeaders(rows) : [];
  const row = guess?.row ?? best.row;
  const match = guess ? matchHeader(headerTexts(rows, row, options), options) : best.match;
  if (match.kind === 'ambiguous')
    return `Row ${row.rowNumber} looks like the header, but it is not clear: ${match.message}${match.choosable ? choose(fileName) : ''}`;
  const missing = match.kind === 'incomplete' ? match.missing : [];
  const found =
    match.matched === 0 && !guess
      ? `No header was found in the first ${rows.length === 1 ? 'row' : `${rows.length} rows`}, because ${listMissing(missing)}. The first row has ${show(row.cells)}.`
      : `Row ${row.rowNumber} looks like the header, but ${listMissing(missing)}. It has ${show(row.cells)}.`;
  const odd = row.cells.find(looksMisread);
  const encoding =
    odd === undefined
      ? ''
      : ` Characters in ${show([odd])} look wrong: if they are, set intake.encoding of the account, for example windows-1250.`;
  return `${found}${encoding} ${accept(fileName, proposeInWords(rows, options))} Or rename the columns, or edit intake.columns of the account${currentMap(missing, options)}.`;
};

const decisionsOf = (
  row: RawRow,
  match: Extract<HeaderMatch, { kind: 'complete' }>,
  asked: boolean,
  headerRows: number,
): Decision[] => [
  {
    what: 'header',
    decided: headerRows === 2 ? `rows ${row.rowNumber - 1} and ${row.rowNumber}` : `row ${row.rowNumber}`,
    why: asked ? 'set by the account' : 'the first row with columns for PO number, item and quantity',
    override,
  },
  {
    what: 'columns',
    decided: explainColumns(match.columns),
    why: 'by header text, ignoring case, spaces and punctuation',
    override: 'intake.columns',
  },
  ...(match.unused.length > 0
    ? [
        {
          what: 'columns' as const,
          decided: `not in this file: ${show(match.unused)}`,
          why: 'intake.columns of the account maps them',
          override: 'intake.columns',
        },
      ]
    : []),
];

/** How to map columns by number: with an example that the values of this file allow, and the cells of its first row. */
export const howToNumber = (rows: readonly RawRow[]): string => {
  const [first] = rows;
  const at = likelyPoColumn(rows);
  const cells = (first?.cells ?? []).map((cell, column) => `${column + 1} ${show([cell]) || '(blank)'}`);
  const shown = cells.slice(0, 2 * mostShown).join(', ');
  const more = cells.length > 2 * mostShown ? ` and ${cells.length - 2 * mostShown} more` : '';
  return `${at === undefined ? '' : `, for example ${at + 1}: po_number`}. Row ${first?.rowNumber ?? 1} has ${shown}${more}.`;
};

const withoutHeader = (rows: RawRow[], options: IntakeOptions): HeaderSearch => {
  const width = Math.max(0, ...rows.map((row) => row.cells.length));
  const match = columnsByPosition(width, options);
  if (match.kind !== 'complete') {
    const why = match.kind === 'ambiguous' ? match.message : `But ${listMissing(match.missing)}.`;
    const message = `The account's files have no header (intake.header: none), so columns are mapped by position. ${why} Map the ${width} columns of the file by number or letter in intake.columns of the account${howToNumber(rows)}`;
    return { kind: 'not_found', code: 'columns_missing', explain: () => message, matched: match.matched };
  }
  const decisions: Decision[] = [
    { what: 'header', decided: 'none', why: 'set by the account', override },
    {
      what: 'columns',
      decided: explainColumns(match.columns),
      why: 'by position',
      override: 'intake.columns',
    },
  ];
  return {
    kind: 'found',
    header: { headerRow: null, columns: match.columns, titleRows: [], matched: match.matched, decisions },
  };
};

/**
 * Finds the header among a table's first rows: the first row that has all required fields. Pure.
 * A row in which two columns are the same field is refused, since choosing one of them would be a guess.
 */
export const findHeader = (table: Pick<Table, 'head'>, options: IntakeOptions): HeaderSearch => {
  const rows = table.head.filter((row) => row.rowNumber > options.skipRows);
  if (options.header === 'none') return withoutHeader(rows, options);
  const asked = typeof options.header === 'number';
  const candidates = asked ? rows.filter((row) => row.rowNumber === options.header) : rows;
  let best: { row: RawRow; match: HeaderMatch } | undefined;
  for (const row of candidates) {
    const match = matchHeader(headerTexts(table.head, row, options), options);
    if (match.kind === 'complete') {
      const below = rows.filter((other) => other.rowNumber > row.rowNumber);
      const doubt = whyDoubtful(match.columns, below, options);
      if (doubt) {
        const why = `Row ${row.rowNumber} has columns for PO number, item and quantity, but not without doubt: ${doubt.why}.`;
        return {
          kind: 'not_found',
          code: 'columns_uncertain',
          explain: (fileName) => `${why} ${accept(fileName, doubt.proposal)}`,
          matched: match.matched,
        };
      }
      const titleRows = table.head.filter((other) => other.rowNumber < row.rowNumber);
      const decisions = decisionsOf(row, match, asked, options.headerRows);
      return {
        kind: 'found',
        header: {
          headerRow: row.rowNumber,
          columns: match.columns,
          titleRows,
          matched: match.matched,
          decisions,
        },
      };
    }
    if (match.kind === 'ambiguous' && match.matched >= 2) {
      const explain = (fileName: string) =>
        `Row ${row.rowNumber}: ${match.message}${match.choosable ? choose(fileName) : ''}`;
      return { kind: 'not_found', code: 'columns_ambiguous', explain, matched: match.matched };
    }
    if (!best || match.matched > best.match.matched) best = { row, match };
  }
  return {
    kind: 'not_found',
    code: rows.length === 0 ? 'no_rows' : 'columns_missing',
    explain: (fileName) =>
      asked && !best
        ? `The account says that the header is in row ${options.header} (intake.header), but that row was not found or is blank.`
        : explainMiss(best, rows, options, fileName),
    matched: best?.match.matched ?? 0,
  };
};

/**
 * Refuses a table in which half of the rows have another width than the header: then the header or the separator is
 * wrong, not the rows.
 */
export const refuseOtherWidths = (table: Table, header: FoundHeader): void => {
  if (!table.fixedWidth || header.headerRow === null) return;
  const width = header.columns.length;
  const rows = table.head.filter((row) => row.rowNumber > header.headerRow!);
  const others = rows.filter((row) => row.cells.length !== width);
  if (rows.length < 4 || others.length * 2 < rows.length) return;
  throw new FileRefused(
    'widths_differ',
    `The header in row ${header.headerRow} has ${width} columns, but ${others.length} of the first ${rows.length} rows below it have a different number (row ${others[0]!.rowNumber} has ${others[0]!.cells.length}). Check the separator (intake.delimiter) and the header row (intake.header), and put quotes around values that contain the separator.`,
  );
};
