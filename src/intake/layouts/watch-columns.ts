import { headerKey } from '../columns/fields.ts';
import { isAnswerHeader } from '../own-columns.ts';
import { cleanCell } from '../rows/clean-cell.ts';
import { shorten } from '../rows/row-issue.ts';
import type { CheckedRow, DetectedColumn, RawRow, RowIssue } from '../types.ts';
import { addValue, type ColumnValues, isTelling, type ValueKey, valueKey } from './telling-values.ts';

/** What is done with rows that have a value: ordered, left out, or asked about each time. */
export type Answer = 'order' | 'leave_out' | 'ask';

/** What is known of a value: `seen` in the first file, or answered by a person. */
export type KnownValue = 'seen' | Answer;

/** The telling columns of a layout with the values that are known, by the key of their header. */
export type KnownValues = ReadonlyMap<string, ReadonlyMap<ValueKey, KnownValue>>;

/** A column that is not read, with the values that it has. */
export interface SeenColumn {
  /** @see headerKey */
  column: string;
  header: string;
  values: ValueKey[];
}

export interface ColumnWatch {
  /**
   * Compares the cells of a row that are not read with what is known.
   *
   * @param rows what the row was read as; none for a total and the like, about which nothing is asked
   */
  look(row: RawRow, rows: readonly CheckedRow[]): Looked;
  /** The telling columns of the file, with all values that it has. */
  seen(): SeenColumn[];
}

export interface Looked {
  /** Because of this value the row is left out. */
  leftOut: { header: string; text: string } | undefined;
  /** Values that nobody has seen, or that are to be asked about: their PO waits. */
  questions: RowIssue[];
  /** Headers whose values were asked or answered here, so that nothing else needs to be said of them. */
  settled: ReadonlySet<string>;
}

/** Stands for every value of a column. */
export const anyValue = '*';

const nothing: Looked = { leftOut: undefined, questions: [], settled: new Set() };

const say = (header: string, key: ValueKey, text: string): string =>
  key === ''
    ? `"${header}" is blank here, which it was not before`
    : `"${header}" says ${JSON.stringify(text)}, which no file with this header said before`;

/** Watches the columns that are not read. Memory does not grow with the file. */
export const createColumnWatch = (
  columns: readonly DetectedColumn[],
  known: KnownValues | undefined,
): ColumnWatch => {
  const unread = columns.flatMap(({ header, field }, at) =>
    field === null && !isAnswerHeader(header)
      ? [
          {
            at,
            header,
            column: headerKey(header) || header.replace(/\s+/g, ' '),
            values: { filled: 0, counts: new Map() } as ColumnValues,
          },
        ]
      : [],
  );
  const look: ColumnWatch['look'] = (row, rows) => {
    if (rows.length === 0 || unread.length === 0) return nothing;
    const { quantity, poNumber } = rows[0]!;
    let leftOut: Looked['leftOut'];
    const questions: RowIssue[] = [];
    const settled = new Set<string>();
    for (const { at, header, column, values } of unread) {
      const cell = row.cells[at] ?? '';
      const key = valueKey(cell, quantity);
      if (values.counts) addValue(values, key);
      const answers = known?.get(column);
      // A person said that the column says nothing about orders.
      if (!answers || answers.has(anyValue)) continue;
      const answer = answers.get(key);
      if (answer === 'seen') continue;
      settled.add(header);
      if (answer === 'order') continue;
      const text = shorten(cleanCell(cell, 'text').text);
      if (answer === 'leave_out') leftOut ??= { header, text };
      else
        questions.push({
          rowNumber: row.rowNumber,
          poNumber,
          severity: 'note',
          column: header,
          code: 'question',
          message: `${answer === 'ask' ? `"${header}" says ${JSON.stringify(text)}, which is to be asked about each time` : say(header, key, text)}. Order such rows, or leave them out?`,
          found: text,
          expected: undefined,
          question: `${column}\n${key}`,
        });
    }
    return { leftOut, questions: leftOut ? [] : questions, settled };
  };
  return {
    look,
    seen: () =>
      unread.flatMap(({ header, column, values }) =>
        isTelling(values) ? [{ header, column, values: [...values.counts!.keys()] }] : [],
      ),
  };
};
