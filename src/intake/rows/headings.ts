import type { FieldName } from '../columns/fields.ts';
import type { CheckedRow } from '../types.ts';
import type { RowCheck } from './check-row.ts';
import type { RowSink } from './group-rows.ts';
import { mergeOptions } from './merge-options.ts';
import { issueAt } from './row-issue.ts';

/** Rows with a PO number and options but no item, whose options apply to the rows below them (continuation rows only). */
export interface Headings {
  /** Begins another heading. */
  begin(row: CheckedRow): void;
  /** Gives a row the options of the heading above it, if it is of the same PO. */
  join(row: CheckedRow, into: RowSink): void;
  /** Ends the heading. One without rows below it is an issue. */
  end(into: RowSink): void;
}

export const createHeadings = (columnNames: RowCheck['columnNames'], itemColumn: string): Headings => {
  let heading: { row: CheckedRow; used: boolean } | undefined;
  return {
    begin: (row) => {
      heading = { row, used: false };
    },
    join: (row, into) => {
      if (!heading || heading.row.poNumber !== row.poNumber) return;
      if (!heading.used) {
        const { options: merged, differs } = mergeOptions(heading.row.options, row.options);
        row.options = merged;
        if (differs !== undefined) {
          const message = `PO ${row.poNumber} has two values of ${differs}, one in row ${heading.row.rowNumber} and another in this row. A PO has only one; correct one of the two rows.`;
          const column = columnNames[differs as FieldName];
          into.issues.push(issueAt(row.rowNumber, row.poNumber, column, 'option_conflict', message));
        }
      }
      heading.used = true;
    },
    end: (into) => {
      if (heading && !heading.used) {
        const { rowNumber, poNumber } = heading.row;
        into.rows.push(heading.row);
        into.issues.push(
          issueAt(rowNumber, poNumber, itemColumn, 'item_missing', `No item rows follow for PO ${poNumber}.`),
        );
      }
      heading = undefined;
    },
  };
};
