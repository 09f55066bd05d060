import type { RawRow, RowIssue } from '../types.ts';

/** An issue of a row; what was found and expected can be added. Pure. */
export const issueAt = (
  rowNumber: number,
  poNumber: string | undefined,
  column: string,
  code: string,
  message: string,
): RowIssue => ({
  rowNumber,
  poNumber,
  severity: 'issue',
  column,
  code,
  message,
  found: undefined,
  expected: undefined,
});

/** The same for a note, which rejects nothing. Pure. */
export const noteAt = (...at: Parameters<typeof issueAt>): RowIssue => ({
  ...issueAt(...at),
  severity: 'note',
});

const longestFound = 200;

/** What was found, as an issue shows it. */
export const shorten = (text: string): string =>
  text.length > longestFound ? `${text.slice(0, longestFound).toWellFormed()}…` : text;

/** Why a row was skipped: it is a total, a header again, names neither a PO nor an item, or a person said so. */
export const leftOutCodes = ['totals_row', 'header_again', 'no_order_row', 'left_out'] as const;
export type LeftOutCode = (typeof leftOutCodes)[number];

/**
 * Issues of which the text of the cells says nothing: the file shows them in another way. Where rows are copied as text, they would be gone
 * without anybody having corrected them.
 */
export const codesBeyondText = [
  ...['error_cell', 'unclear_cell', 'struck_cell', 'formula_without_value', 'comment_says_cancelled'],
  ...['boolean_cell', 'date_cell', 'digits_lost', 'merged_cell'],
  ...['row_width', 'not_joined'],
];

/** Those of them that are about a row as a whole. */
export const codesOfWholeRow: readonly string[] = ['row_width', 'not_joined'];

/** The notes that a PO's page shows beside its issues: they say that its order differs from its rows. */
export const notesOfPo = [...leftOutCodes, 'pieces_counted'] as const;

/** A note about a row that names no line, with its cells, beside the PO that it names, if it does. */
export const skippedRow = (
  row: RawRow,
  poNumber: string | undefined,
  column: string,
  code: LeftOutCode,
  message: string,
): RowIssue => {
  const found = row.cells.filter((cell) => cell.trim() !== '').join(' | ');
  return { ...noteAt(row.rowNumber, poNumber, column, code, message), found: shorten(found) };
};

/** A note about a text that a person agreed to be no line. */
export const agreedText = (row: RawRow): RowIssue =>
  skippedRow(
    row,
    undefined,
    '',
    'no_order_row',
    'Not ordered: it is a text and no line, as a person agreed.',
  );

/** A note about a line that is skipped because a person said so of rows with this value. */
export const leftOutRow = (
  row: RawRow,
  poNumber: string | undefined,
  { header, text }: { header: string; text: string },
): RowIssue =>
  skippedRow(
    row,
    poNumber,
    header,
    'left_out',
    `Not ordered: rows in which "${header}" says ${JSON.stringify(text)} are skipped, as a person decided.`,
  );
