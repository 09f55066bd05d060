import { FileRefused } from '../../errors.ts';
import type { IntakeOptions } from '../options.ts';
import { looksMisread } from '../rows/odd-characters.ts';
import type { Decision, DetectedColumn, RawRow, Table } from '../types.ts';
import { proposeInWords, whyDoubtful } from './find-doubts.ts';
import { findUnexpectedHeader } from './find-unexpected-header.ts';
import { guessHeaders } from './guess-header.ts';
import { headerTexts } from './header-rows.ts';
import { accept, choose, currentMap, howToNumber, listMissing, notInFile, show } from './header-sentences.ts';
import {
  columnsByPosition,
  explainColumns,
  type HeaderMatch,
  headersAmong,
  matchHeader,
} from './match-header.ts';
import { otherTableAbove } from './tables-above.ts';
import { namesBelow, otherQuantityAbove } from './two-row-header.ts';

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
      explain: (file: string) => string;
      matched: number;
    };

const override = 'intake.header';

const explainMiss = (
  best: { row: RawRow; match: HeaderMatch } | undefined,
  rows: readonly RawRow[],
  options: IntakeOptions,
  file: string,
): string => {
  if (!best) return 'There are no rows.';
  const [guess] = best.match.matched < 2 ? guessHeaders(rows) : [];
  const row = guess?.row ?? best.row;
  const match = guess ? matchHeader(headerTexts(rows, row, options), options) : best.match;
  if (match.kind === 'ambiguous')
    return `Row ${row.rowNumber} looks like the header, but it is not clear: ${match.message}${match.choosable ? ` Or ${choose(file)}` : ''}`;
  const missing = match.kind === 'incomplete' ? match.missing : [];
  const found =
    match.matched === 0 && !guess
      ? `No header was found in the first ${rows.length === 1 ? 'row' : `${rows.length} rows`}, because ${listMissing(missing)}. The first row has ${show(row.cells)}.`
      : `Row ${row.rowNumber} looks like the header, but ${listMissing(missing)}. It has ${show(headerTexts(rows, row, options))}.`;
  const odd = row.cells.find(looksMisread);
  const encoding =
    odd === undefined
      ? ''
      : ` Characters in ${show([odd])} look wrong: if they are, set intake.encoding of the account, for example windows-1250.`;
  return `${found}${encoding} ${accept(file, proposeInWords(rows, options))} Or rename the columns, or edit intake.columns of the account${currentMap(missing, options)}.`;
};

const decideColumns = (
  { columns, unused }: Extract<HeaderMatch, { kind: 'complete' }>,
  why: string,
): Decision[] => [
  { what: 'columns', decided: explainColumns(columns), why, override: 'intake.columns' },
  ...notInFile(unused),
];

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
  ...decideColumns(match, 'by header text, ignoring case, spaces and punctuation'),
];

const withoutHeader = (rows: RawRow[], options: IntakeOptions): HeaderSearch => {
  const width = Math.max(0, ...rows.map((row) => row.cells.length));
  const match = columnsByPosition(width, options);
  const refuse = (code: string, message: string): HeaderSearch => ({
    kind: 'not_found',
    code,
    explain: () => message,
    matched: match.matched,
  });
  const headers = rows.length === 0 ? [] : headersAmong(width, options);
  if (headers.length > 0) {
    const message = `The settings header: none and columns contradict each other (intake): without a header, columns are mapped by number (1) or letter (A), but ${show(headers)} ${headers.length === 1 ? 'is a header' : 'are headers'}. If the file has a header, remove header: none; otherwise write the numbers of the columns instead${howToNumber(rows)}`;
    return refuse('columns_contradict_header', message);
  }
  if (match.kind !== 'complete') {
    const why = match.kind === 'ambiguous' ? match.message : `But ${listMissing(match.missing)}.`;
    const message = `The account's files have no header (intake.header: none), so columns are mapped by position. ${why} Map the ${width} columns of the file by number or letter in intake.columns of the account${howToNumber(rows)}`;
    return refuse('columns_missing', message);
  }
  const surprise = findUnexpectedHeader(rows, match.columns);
  if (surprise?.kind === 'contradicts') return refuse('header_unexpected', surprise.message);
  const at = surprise?.row.rowNumber ?? null;
  const [decided, why] =
    at === null
      ? ['none', 'set by the account']
      : [`row ${at}`, 'it names the columns as the account numbers them'];
  const decisions: Decision[] = [
    { what: 'header', decided, why, override },
    ...decideColumns(match, 'by position'),
  ];
  return {
    kind: 'found',
    header: {
      headerRow: at,
      columns: match.columns,
      titleRows: at === null ? [] : rows.filter(({ rowNumber }) => rowNumber < at),
      matched: match.matched,
      decisions,
    },
  };
};

/** The result for a row that has all required fields, unless they are in doubt. */
const judgeComplete = (
  table: Pick<Table, 'head'>,
  row: RawRow,
  match: Extract<HeaderMatch, { kind: 'complete' }>,
  options: IntakeOptions,
): HeaderSearch => {
  const { matched, columns } = match;
  const below = table.head.filter(({ rowNumber }) => rowNumber > Math.max(row.rowNumber, options.skipRows));
  const doubt = whyDoubtful(columns, below, options);
  if (doubt) {
    const explain = (file: string) =>
      `Row ${row.rowNumber} has columns for PO number, item and quantity, but not without doubt: ${doubt.why}. ${accept(file, doubt.proposal)}`;
    return { kind: 'not_found', code: 'columns_uncertain', explain, matched };
  }
  const firstRow = row.rowNumber - (options.headerRows - 1);
  const titleRows = table.head.filter((other) => other.rowNumber < firstRow);
  const above = otherTableAbove(titleRows, row.rowNumber, options);
  if (above) return { kind: 'not_found', code: 'header_differs', explain: () => above, matched };
  const decisions = decisionsOf(row, match, typeof options.header === 'number', options.headerRows);
  return { kind: 'found', header: { headerRow: row.rowNumber, columns, titleRows, matched, decisions } };
};

/** The result for a row together with the row of names below it; never for the upper row alone. */
const readTwoRows = (
  table: Pick<Table, 'head'>,
  row: RawRow,
  lower: RawRow,
  options: IntakeOptions,
): HeaderSearch => {
  const both: IntakeOptions = { ...options, headerRows: 2 };
  const match = matchHeader(headerTexts(table.head, lower, both), both);
  const search = match.kind === 'complete' ? judgeComplete(table, lower, match, both) : undefined;
  if (search?.kind === 'found') return search;
  const rows = `Rows ${row.rowNumber} and ${lower.rowNumber} are a header of two rows: row ${lower.rowNumber} has only names below those of row ${row.rowNumber}. Together they are ${show(match.columns.map(({ header }) => header))}`;
  const why =
    match.kind === 'incomplete'
      ? `, but ${listMissing(match.missing)}.`
      : match.kind === 'ambiguous'
        ? `. ${match.message}`
        : ', but it is not certain which of them is which.';
  const asked = typeof options.header === 'number' ? ` and intake.header: ${lower.rowNumber}` : '';
  const explain = (file: string) =>
    `${rows}${why} Run \`cartwright map ${file} --write\` to choose the columns, or set intake.headerRows: 2${asked} of the account and map these names in intake.columns.`;
  return { kind: 'not_found', code: 'header_two_rows', explain, matched: match.matched };
};

/**
 * Finds the header among a table's first rows: the first row that has all required fields. A row in which two columns are the same field
 * is refused, since choosing one of them would be a guess. Pure.
 */
export const findHeader = (table: Pick<Table, 'head'>, options: IntakeOptions): HeaderSearch => {
  const rows = table.head.filter((row) => row.rowNumber > options.skipRows);
  if (options.header === 'none') return withoutHeader(rows, options);
  const asked = typeof options.header === 'number';
  const candidates = asked ? rows.filter((row) => row.rowNumber === options.header) : rows;
  let best: { row: RawRow; match: HeaderMatch } | undefined;
  for (const row of candidates) {
    const match = matchHeader(headerTexts(table.head, row, options), options);
    const lower =
      match.kind === 'incomplete' || match.matched < 2
        ? undefined
        : namesBelow(table.head, row, match.columns);
    if (lower) return readTwoRows(table, row, lower, options);
    if (match.kind === 'complete') {
      const other = otherQuantityAbove(table.head, row, match.columns, options);
      if (!other) return judgeComplete(table, row, match, options);
      const why = `Row ${row.rowNumber - 1} has "${other.above}" above "${other.quantity}" of row ${row.rowNumber}, so this is probably not the quantity to order.`;
      const explain = (file: string) =>
        `${why} To choose another column, ${choose(file)} If it is the right one, map "${other.quantity}" to quantity in intake.columns of the account.`;
      return { kind: 'not_found', code: 'header_two_rows', explain, matched: match.matched };
    }
    if (match.kind === 'ambiguous' && match.matched >= 2) {
      const explain = (file: string) =>
        `Row ${row.rowNumber}: ${match.message}${match.choosable ? ` Or ${choose(file)}` : ''}`;
      return { kind: 'not_found', code: 'columns_ambiguous', explain, matched: match.matched };
    }
    if (!best || match.matched > best.match.matched) best = { row, match };
  }
  return {
    kind: 'not_found',
    code: rows.length === 0 ? 'no_rows' : 'columns_missing',
    explain: (file) =>
      asked && !best
        ? `The account says that the header is in row ${options.header} (intake.header), but that row was not found or is blank.`
        : explainMiss(best, rows, options, file),
    matched: best?.match.matched ?? 0,
  };
};

/** Refuses a CSV file in which half of the rows have another width than the header: then the header or the separator is wrong. */
export const refuseOtherWidths = (table: Table, header: FoundHeader): void => {
  if (header.headerRow === null) return;
  const width = header.columns.length;
  const rows = table.head.filter(
    (row) => row.rowNumber > header.headerRow! && row.cells.some((cell) => cell.trim() !== ''),
  );
  const others = rows.filter((row) => row.cells.length !== width);
  if (rows.length < 4 || others.length * 2 < rows.length) return;
  throw new FileRefused(
    'widths_differ',
    `The header in row ${header.headerRow} has ${width} columns, but ${others.length} of the first ${rows.length} rows below it have a different number (row ${others[0]!.rowNumber} has ${others[0]!.cells.length}). Check the separator (intake.delimiter) and the header row (intake.header), and put quotes around values that contain the separator.`,
  );
};
