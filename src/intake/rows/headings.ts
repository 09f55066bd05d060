import { cartOptionNames, optionsText } from '../columns/fields.ts';
import type { CartOptionValues, CheckedRow } from '../types.ts';
import type { RowCheck } from './check-row.ts';
import type { RowSink } from './group-rows.ts';
import { issueAt } from './row-issue.ts';

/** Rows with a PO number and options but no item, whose options apply to the rows below them (continuation rows only). */
export const createHeadings = (columnNames: RowCheck['columnNames'], itemColumn: string) => {
  let heading: { row: CheckedRow; used: boolean } | undefined;
  return {
    /** Begins another heading. */
    begin: (row: CheckedRow): void => {
      heading = { row, used: false };
    },
    /** Adds the options of the heading above to a row of the same PO. */
    join: (row: CheckedRow, into: RowSink): void => {
      if (!heading || heading.row.poNumber !== row.poNumber) return;
      if (!heading.used) {
        const above = JSON.parse(heading.row.options) as CartOptionValues;
        const own = JSON.parse(row.options) as CartOptionValues;
        row.options = optionsText({ ...above, ...own });
        const differs = cartOptionNames.find(
          (name) => above[name] !== undefined && own[name] !== undefined && above[name] !== own[name],
        );
        if (differs !== undefined) {
          const message = `PO ${row.poNumber} has two values of ${differs}, one in row ${heading.row.rowNumber} and another in this row. A PO has only one; correct one of the two rows.`;
          const column = columnNames[differs];
          into.issues.push(issueAt(row.rowNumber, row.poNumber, column, 'option_conflict', message));
        }
      }
      heading.used = true;
    },
    /** Ends the heading. A heading without rows below it is an issue. */
    end: (into: RowSink): void => {
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
