import { headerKey } from '../columns/fields.ts';
import type { IntakeOptions } from '../options.ts';
import type { DetectedColumn, RawRow, RowIssue } from '../types.ts';
import { afterRefunds, deliveredDate, deliveredPieces, nothingOpen, openStatus } from './delivered.ts';
import { decimalTail, poWithoutDigits, threeDecimals } from './identifiers.ts';
import { addressPart, unnamed } from './left-out.ts';
import {
  component,
  country,
  furtherItem,
  otherQuantity,
  partOf,
  priceUnit,
  remark,
  replacement,
  sentRemark,
} from './other-columns.ts';
import { units } from './units.ts';

/** What was seen in a column, for a sentence about it. */
export interface Seen {
  header: string;
  /** `"CS" in 2 rows, "BX" in 1 row and 3 more, first in row 7`. */
  shown: string;
  /** The first value, and the quantity of its row. */
  text: string;
  quantity: string;
  /** For a person who wants to be told no more. */
  ignore: string;
  file: FileColumns;
}

/** The columns of a file, and how it writes numbers. */
export interface FileColumns extends Pick<IntakeOptions, 'decimal' | 'constants'> {
  all: readonly DetectedColumn[];
  /** Those that the account neither reads nor maps. */
  unread: readonly DetectedColumn[];
}

/** Whether a value is told. One that looks at the quantity of the row, too, is asked for each row. */
type Reader = (text: string, quantity: string) => boolean;

/** Something about the values of a column that a person is told once for all rows, and that changes no order. */
export interface ColumnNote {
  code: string;
  /** Whether it is about columns that are read into a field, or about those that the account neither reads nor maps. */
  about: 'read' | 'unread';
  /** What of its values is told; undefined if the column is another one. */
  readerOf(column: DetectedColumn, file: FileColumns): Reader | undefined;
  message(seen: Seen): string;
  /** It is told only if at most this share of the filled cells is so; otherwise it is the dealer's custom. */
  atMost?: number;
}

const allNotes: readonly ColumnNote[] = [
  units,
  openStatus,
  deliveredPieces,
  deliveredDate,
  nothingOpen,
  afterRefunds,
  partOf,
  component,
  replacement,
  furtherItem,
  country,
  addressPart,
  unnamed,
  remark,
  sentRemark,
  otherQuantity,
  priceUnit,
  decimalTail,
  threeDecimals,
  poWithoutDigits,
];

interface Watched {
  note: ColumnNote;
  header: string;
  at: number;
  says: Reader;
  told: Map<string, { rowNumber: number; quantity: string; rows: number }>;
  others: Set<string>;
  /** The latest cell of which nothing is told. */
  last: string | undefined;
  filled: number;
  rows: number;
}

const mostNamed = 5;
const longestNamed = 60;
/** The values of such columns are few. A column of other texts must not fill the memory. */
const mostKnown = 200;

export interface ColumnNotes {
  see(row: RawRow): void;
  /** One for each column and kind, in the order of the columns. */
  notes(): RowIssue[];
}

/** The columns that the account neither reads nor maps. Those that are named by their numbers say nothing. Pure. */
export const unreadColumns = (
  columns: readonly DetectedColumn[],
  options: Pick<IntakeOptions, 'columns' | 'header'>,
): DetectedColumn[] => {
  const mapped = new Set(Object.keys(options.columns).map(headerKey));
  return columns.filter(
    ({ header, field }) => field === null && options.header !== 'none' && !mapped.has(headerKey(header)),
  );
};

/** Looks at the values of all rows, and notes what a person should know about a column. Memory does not grow with the file. */
export const createColumnNotes = (
  columns: readonly DetectedColumn[],
  unread: readonly DetectedColumn[],
  options: Pick<IntakeOptions, 'decimal' | 'constants'>,
): ColumnNotes => {
  const quantityAt = columns.findIndex(({ field }) => field === 'quantity');
  const file: FileColumns = { ...options, all: columns, unread };
  const notRead = new Set(unread);
  const watched = columns.flatMap((column, at): Watched[] => {
    const { header, field } = column;
    const isUnread = notRead.has(column);
    return allNotes.flatMap((note) => {
      const says = (note.about === 'read' ? field !== null : isUnread)
        ? note.readerOf(column, file)
        : undefined;
      return says
        ? [
            {
              note,
              header,
              at,
              says,
              told: new Map(),
              others: new Set(),
              last: undefined,
              filled: 0,
              rows: 0,
            },
          ]
        : [];
    });
  });
  const see = ({ rowNumber, cells }: RawRow) => {
    for (const one of watched) {
      const { header, at, says, told, others } = one;
      const cell = cells[at] ?? '';
      if (cell === one.last) {
        one.filled += 1;
        continue;
      }
      const text = cell.trim();
      if (text === '') continue;
      one.filled += 1;
      // Where values hardly repeat, looking for them costs more than it saves.
      if (others.size < mostKnown && others.has(text)) continue;
      const quantity = (cells[quantityAt] ?? '').trim();
      const ofRow = says.length > 1;
      const known = told.get(text);
      if (known && !ofRow) known.rows += 1;
      else if (!says(text, quantity) || headerKey(text) === headerKey(header)) {
        if (!ofRow) {
          one.last = cell;
          if (others.size < mostKnown) others.add(text);
        }
        continue;
      } else if (known) known.rows += 1;
      else if (told.size < mostKnown) told.set(text, { rowNumber, quantity, rows: 1 });
      one.rows += 1;
    }
  };
  const noteOf = ({ note, header, told }: Watched): RowIssue => {
    const all = [...told];
    const [text, first] = all[0]!;
    const named = all
      .slice(0, mostNamed)
      .map(
        ([value, { rows }]) =>
          `"${value.slice(0, longestNamed).toWellFormed()}" in ${rows === 1 ? '1 row' : `${rows} rows`}`,
      );
    const more = all.length > mostNamed ? ` and ${all.length - mostNamed} more` : '';
    const shown = `${named.join(', ')}${more}, first in row ${first.rowNumber}`;
    const ignore = `map "${header}" to ignore in intake.columns of the account`;
    return {
      rowNumber: first.rowNumber,
      poNumber: undefined,
      severity: 'note',
      column: header,
      code: note.code,
      message: note.message({ header, shown, text, quantity: first.quantity, ignore, file }),
      found: text.slice(0, 200).toWellFormed(),
      expected: undefined,
    };
  };
  const isTold = ({ note, told, rows, filled }: Watched) =>
    told.size > 0 && rows <= (note.atMost ?? 1) * filled;
  return { see, notes: () => watched.filter(isTold).map(noteOf) };
};
