import { isItem } from '../columns/fields.ts';
import type { IntakeOptions } from '../options.ts';
import { listed } from '../quoted.ts';
import { noteAt } from '../rows/row-issue.ts';
import type { DetectedColumn, RawRow, RowIssue } from '../types.ts';

/** Something about the values of a column that is read, which a person is told once for all rows, and that changes no order. */
interface ColumnNote {
  code: string;
  /** Returns a reader of values to report; undefined if it does not apply to the column. */
  readerOf(
    column: DetectedColumn,
    options: Pick<IntakeOptions, 'decimal'>,
  ): ((text: string) => boolean) | undefined;
  /** @param shown `"1.0" in 2 rows, "2.0" in 1 row and 3 more, first in row 7` @param text the first value */
  message(header: string, shown: string, text: string): string;
  /** It is told only if at most this share of the filled cells is so; otherwise it is the dealer's custom. */
  atMost?: number;
}

const tail = /^\d+\.0{1,2}$/;

/** 4500081.0: a program wrote a number with decimals where an identifier belongs. */
const decimalTail: ColumnNote = {
  code: 'decimals_in_identifier',
  readerOf: ({ field }) =>
    field === 'po_number' || isItem(field) || field === 'ship_zip'
      ? (text) => text.endsWith('0') && tail.test(text)
      : undefined,
  message: (header, shown, text) =>
    `The column "${header}" has numbers with decimals: ${shown}. They are taken as they are; the program that wrote the file has probably added the decimals. Write ${text.replace(/\..*/, '')} if that is what ${text} means.`,
};

/** 1.000 in an account with decimal points, while other quantities are written like 5: it may mean a thousand. */
const threeDecimals: ColumnNote = {
  code: 'three_decimals',
  readerOf: ({ field }, { decimal }) => {
    if (field !== 'quantity' || decimal === undefined) return undefined;
    const form = decimal === 'point' ? /^[1-9]\d{0,2}\.000$/ : /^[1-9]\d{0,2},000$/;
    return (text) => form.test(text);
  },
  message: (header, shown, text) =>
    `The column "${header}" has quantities with three decimals, unlike most of its rows: ${shown}. ${text} is read as ${text.replace(/[.,].*/, '')}, because intake.decimal of the account says so. Correct it if it means thousands.`,
  atMost: 0.5,
};

const allNotes: readonly ColumnNote[] = [decimalTail, threeDecimals];

interface Watched {
  note: ColumnNote;
  header: string;
  at: number;
  says: (text: string) => boolean;
  told: Map<string, { rowNumber: number; rows: number }>;
  /** Cache: the latest cell without a finding. */
  last: string | undefined;
  filled: number;
  rows: number;
}

const mostNamed = 5;
const longestNamed = 60;
/** Limits the memory for columns with many such texts. */
const mostKnown = 200;

const noteOf = ({ note, header, told }: Watched): RowIssue => {
  const all = [...told];
  const [text, { rowNumber }] = all[0]!;
  const named = all.map(
    ([value, { rows }]) =>
      `"${value.slice(0, longestNamed).toWellFormed()}" in ${rows === 1 ? '1 row' : `${rows} rows`}`,
  );
  const shown = `${listed(named, mostNamed)}, first in row ${rowNumber}`;
  const message = note.message(header, shown, text);
  return {
    ...noteAt(rowNumber, undefined, header, note.code, message),
    found: text.slice(0, 200).toWellFormed(),
  };
};

/** Checks the values of all rows for findings about columns. Memory does not grow with the file. */
export const createColumnNotes = (
  columns: readonly DetectedColumn[],
  options: Pick<IntakeOptions, 'decimal'>,
) => {
  const watched = columns.flatMap((column, at): Watched[] =>
    allNotes.flatMap((note) => {
      const says = note.readerOf(column, options);
      const { header } = column;
      return says ? [{ note, header, at, says, told: new Map(), last: undefined, filled: 0, rows: 0 }] : [];
    }),
  );
  const see = ({ rowNumber, cells }: RawRow): void => {
    for (const one of watched) {
      const cell = cells[one.at] ?? '';
      if (cell === one.last) {
        one.filled += 1;
        continue;
      }
      const text = cell.trim();
      if (text === '') continue;
      one.filled += 1;
      if (!one.says(text)) {
        one.last = cell;
        continue;
      }
      one.rows += 1;
      const known = one.told.get(text);
      if (known) known.rows += 1;
      else if (one.told.size < mostKnown) one.told.set(text, { rowNumber, rows: 1 });
    }
  };
  const isTold = ({ note, told, rows, filled }: Watched) =>
    told.size > 0 && rows <= (note.atMost ?? 1) * filled;
  return {
    see,
    /** One for each column and kind, in the order of the columns. */
    notes: () => watched.filter(isTold).map(noteOf),
  };
};
