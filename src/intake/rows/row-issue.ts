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

/** The found value, shortened for an issue. */
export const shorten = (text: string): string =>
  text.length > longestFound ? `${text.slice(0, longestFound).toWellFormed()}…` : text;

/** Why a row was skipped: a total, a repeated header, neither PO nor item, or a person's decision. */
export const leftOutCodes = ['totals_row', 'header_again', 'no_order_row', 'left_out'] as const;
export type LeftOutCode = (typeof leftOutCodes)[number];

/** Issues that the text of the cells does not show, only the file. Copying rows as text would lose them without a correction. */
export const codesBeyondText = [
  ...['error_cell', 'unclear_cell', 'struck_cell', 'formula_without_value', 'comment_says_cancelled'],
  ...['boolean_cell', 'date_cell', 'digits_lost', 'merged_cell'],
  ...['row_width', 'not_joined'],
];

/** The ones among them that concern a whole row. */
export const codesOfWholeRow: readonly string[] = ['row_width', 'not_joined'];

/** The notes that a PO's page shows with its issues, because they make the order differ from its rows. */
export const notesOfPo = [...leftOutCodes, 'pieces_counted'] as const;

/** A note about a row that is not a line, with its cells, attached to the PO that it names, if any. */
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

/** A note about a text that a person agreed is not a line. */
export const agreedText = (row: RawRow): RowIssue =>
  skippedRow(
    row,
    undefined,
    '',
    'no_order_row',
    'Not ordered: it is a text and no line, as a person agreed.',
  );

/** A note about a line that is skipped because a person decided to skip rows with this value. */
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
