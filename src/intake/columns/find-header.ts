import { FileRefused } from '../../errors.ts';
import type { IntakeOptions } from '../options.ts';
import { looksMisread } from '../rows/odd-characters.ts';
import type { Decision, DetectedColumn, RawRow, Table } from '../types.ts';
import type { FieldName } from './fields.ts';
import { proposeInWords, whyDoubtful } from './find-doubts.ts';
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
  | { kind: 'not_found'; code: string; message: string; matched: number };

const override = 'intake.header';
/** Enough to recognise a row by; a header of 40 columns would hide the sentence around it. */
const mostShown = 8;
const show = (cells: readonly string[]) => {
  const texts = cells.map((cell) => cell.trim()).filter((text) => text !== '');
  const shown = texts.slice(0, mostShown).map((text) => `"${text.slice(0, 40)}"`);
  const more = texts.length - shown.length;
  return `${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
};

const listMissing = (missing: readonly FieldName[][]): string =>
  `these required fields are not mapped: ${missing.map((names) => names.join(' or ')).join(', ')}`;

/** The account's entries for missing fields: their headers are not in the file, or they were renamed. */
const currentMap = (missing: readonly FieldName[][], { columns }: IntakeOptions): string => {
  const names = new Set<string>(missing.flat());
  const entries = Object.entries(columns).filter(([, field]) => names.has(field));
  if (entries.length === 0) return '';
  return ` (it currently maps ${entries.map(([header, field]) => `${field} to ${show([header])}`).join(', ')})`;
};

/** The one command that accepts the proposal. */
const accept = (proposal: string): string =>
  `Run \`cartwright map FILE --write\` to ${proposal === '' ? 'map its columns' : `accept ${proposal}, or to choose other columns`}.`;

const explainMiss = (
  best: { row: RawRow; match: HeaderMatch } | undefined,
  rows: readonly RawRow[],
  options: IntakeOptions,
): string => {
  if (!best) return 'There are no rows.';
  const [guess] = best.match.matched < 2 ? guessHeaders(rows) : [];
  const row = guess?.row ?? best.row;
  const match = guess ? matchHeader(headerTexts(rows, row, options), options) : best.match;
  if (match.kind === 'ambiguous')
    return `Row ${row.rowNumber} looks like the header, but it is not clear: ${match.message}`;
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
  return `${found}${encoding} ${accept(proposeInWords(rows, options))} Or rename the columns, or edit intake.columns of the account${currentMap(missing, options)}.`;
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

/** The cells of a row with their columns' numbers, so that a person can map them. */
export const numbered = (row: RawRow | undefined): string =>
  (row?.cells ?? [])
    .slice(0, 20)
    .map((cell, at) => `${at + 1} ${show([cell])}`)
    .join(', ');

const withoutHeader = (rows: RawRow[], options: IntakeOptions): HeaderSearch => {
  const width = Math.max(0, ...rows.map((row) => row.cells.length));
  const match = columnsByPosition(width, options);
  if (match.kind !== 'complete') {
    const why = match.kind === 'ambiguous' ? match.message : `But ${listMissing(match.missing)}.`;
    const message = `The account's files have no header (intake.header: none), so columns are mapped by position. ${why} The file has ${width} columns; its first row has ${numbered(rows[0])}. Map them by number or letter in intake.columns of the account, for example 1: po_number.`;
    return { kind: 'not_found', code: 'columns_missing', message, matched: match.matched };
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
        const message = `Row ${row.rowNumber} has columns for PO number, item and quantity, but not without doubt: ${doubt.why}. ${accept(doubt.proposal)}`;
        return { kind: 'not_found', code: 'columns_uncertain', message, matched: match.matched };
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
      const message = `Row ${row.rowNumber}: ${match.message}`;
      return { kind: 'not_found', code: 'columns_ambiguous', message, matched: match.matched };
    }
    if (!best || match.matched > best.match.matched) best = { row, match };
  }
  return {
    kind: 'not_found',
    code: rows.length === 0 ? 'no_rows' : 'columns_missing',
    message:
      asked && !best
        ? `The account says that the header is in row ${options.header} (intake.header), but that row was not found or is blank.`
        : explainMiss(best, rows, options),
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
