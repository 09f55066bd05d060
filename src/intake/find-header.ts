import { FileRefused } from '../errors.ts';
import { columnsByPosition, explainColumns, type HeaderMatch, matchHeader } from './columns.ts';
import type { IntakeOptions } from './options.ts';
import type { Decision, DetectedColumn, RawRow, Table } from './types.ts';

export interface FoundHeader {
  headerRow: number | null;
  columns: DetectedColumn[];
  /** Rows above the header. */
  titleRows: RawRow[];
  /** How many fields were recognised: a measure of how well this fits. */
  matched: number;
  decisions: Decision[];
}

export type HeaderSearch =
  | { kind: 'found'; header: FoundHeader }
  | { kind: 'not_found'; code: string; message: string; matched: number };

const override = 'intake.header';
const show = (cells: readonly string[]) =>
  cells
    .map((cell) => `"${cell.trim().slice(0, 40)}"`)
    .slice(0, 40)
    .join(', ');

const explainMiss = (best: { row: RawRow; match: HeaderMatch } | undefined, searched: number): string => {
  if (!best) return 'It has no rows.';
  const { row, match } = best;
  const missing = match.kind === 'incomplete' ? match.missing.join(', ') : '';
  if (match.matched === 0) {
    return `None of its first ${searched} rows names the columns that are needed: ${missing}. Its first row has ${show(row.cells)}. Name the columns, or say in the account's intake.columns which column holds what.`;
  }
  return `Row ${row.rowNumber} looks like the header, but it lacks ${missing}. It has ${show(row.cells)}. Name the columns, or say in the account's intake.columns which column holds what.`;
};

const decisionsOf = (
  row: RawRow,
  match: Extract<HeaderMatch, { kind: 'complete' }>,
  asked: boolean,
): Decision[] => [
  {
    what: 'header',
    decided: `row ${row.rowNumber}`,
    why: asked ? 'the account says so' : 'the first row that names a PO number, an item and a quantity',
    override,
  },
  {
    what: 'columns',
    decided: explainColumns(match.columns),
    why: 'by header text, without case, spaces and punctuation',
    override: 'intake.columns',
  },
  ...(match.unused.length > 0
    ? [
        {
          what: 'columns' as const,
          decided: `not in this file: ${show(match.unused)}`,
          why: "the account's intake.columns names them",
          override: 'intake.columns',
        },
      ]
    : []),
];

const withoutHeader = (rows: RawRow[], options: IntakeOptions): HeaderSearch => {
  const width = Math.max(0, ...rows.map((row) => row.cells.length));
  const match = columnsByPosition(width, options);
  if (match.kind !== 'complete') {
    const why = match.kind === 'ambiguous' ? match.message : `It lacks ${match.missing.join(', ')}.`;
    const message = `The account reads files without a header (header: none), by position. ${why} The file has ${width} columns; intake.columns says what they hold, such as 1: po_number.`;
    return { kind: 'not_found', code: 'columns_missing', message, matched: match.matched };
  }
  const decisions: Decision[] = [
    { what: 'header', decided: 'none', why: 'the account says so', override },
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
 * Finds the header among a table's first rows: the first row that names everything that is needed. Pure.
 * A row in which two columns would be one field is no header that we may choose for the dealer.
 */
export const findHeader = (table: Pick<Table, 'head'>, options: IntakeOptions): HeaderSearch => {
  const rows = table.head.filter((row) => row.rowNumber > options.skipRows);
  if (options.header === 'none') return withoutHeader(rows, options);
  const asked = typeof options.header === 'number';
  const candidates = asked ? rows.filter((row) => row.rowNumber === options.header) : rows;
  let best: { row: RawRow; match: HeaderMatch } | undefined;
  for (const row of candidates) {
    const match = matchHeader(row.cells, options);
    if (match.kind === 'complete') {
      const titleRows = table.head.filter((other) => other.rowNumber < row.rowNumber);
      const decisions = decisionsOf(row, match, asked);
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
        ? `It has no row ${options.header}, where the account says that the header is.`
        : explainMiss(best, rows.length),
    matched: best?.match.matched ?? 0,
  };
};

/** Half of the rows are of another width than the header: then it is not the rows that are wrong. */
export const refuseOtherWidths = (table: Table, header: FoundHeader): void => {
  if (!table.fixedWidth || header.headerRow === null) return;
  const width = header.columns.length;
  const rows = table.head.filter((row) => row.rowNumber > header.headerRow!);
  const others = rows.filter((row) => row.cells.length !== width);
  if (rows.length < 4 || others.length * 2 < rows.length) return;
  throw new FileRefused(
    'widths_differ',
    `The header in row ${header.headerRow} has ${width} columns, but ${others.length} of the first ${rows.length} rows below it have another number (row ${others[0]!.rowNumber} has ${others[0]!.cells.length}). Is the separator right (intake.delimiter), is it the header (intake.header), or do values contain the separator without quotes?`,
  );
};
