import type { FieldName } from '../columns/fields.ts';
import type { IntakeOptions } from '../options.ts';
import type { CheckedRow, Detection, RawRow, RowIssue } from '../types.ts';
import type { RowCheck } from './check-row.ts';
import { cleanCell } from './clean-cell.ts';
import { mergeOptions } from './merge-options.ts';
import { createWidthWatch, noLine, raggedRow } from './ragged-row.ts';
import { createHeaderWatch } from './repeated-header.ts';
import { createSectionWatch } from './section-titles.ts';
import { createTotalsWatch } from './totals-rows.ts';

/** Collects checked rows and issues. */
export interface RowSink {
  rows: CheckedRow[];
  issues: RowIssue[];
}

export interface RowGrouping {
  /** @returns false if the row was skipped, as totals and repeated headers are */
  take(row: RawRow, into: RowSink): boolean;
  /** Must be called after the last row. */
  end(into: RowSink): void;
}

const filledCells = ({ cells }: RawRow) => cells.filter((cell) => cell.trim() !== '').length;

/**
 * Judges each row together with the rows above it. Totals and repeated headers are skipped with a note. A row without a
 * PO number continues the PO above (`continuationRows`); otherwise it rejects that PO, which might lack a line.
 * Rows must come in the file's order. An issue names the PO that it rejects. `take` throws FileRefused `header_differs`.
 */
export const createRowGrouping = (
  rowCheck: RowCheck,
  { columns, headerRow }: Pick<Detection, 'columns' | 'headerRow'>,
  options: IntakeOptions,
  fixedWidth: boolean,
): RowGrouping => {
  const width = columns.length;
  const poAt = columns.findIndex((column) => column.field === 'po_number');
  const poColumn = rowCheck.columnNames.po_number;
  const itemColumn =
    rowCheck.columnNames[columns.some((column) => column.field === 'item_sku') ? 'item_sku' : 'item_id'];
  const isHeader = createHeaderWatch(columns, headerRow, options);
  const totals = createTotalsWatch(options);
  const sections = createSectionWatch();
  const widths = fixedWidth && headerRow !== null ? createWidthWatch(columns) : () => undefined;
  /** The PO number above the current row, also from a row without an item. */
  let above: string | undefined;
  /** A row with a PO number and options but no item (continuation rows only). Its options apply to the rows below it. */
  let heading: { row: CheckedRow; used: boolean } | undefined;

  const issueAt = (
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
  let isSkipped = false;
  const skip = (row: RawRow, into: RowSink, code: string, message: string) => {
    isSkipped = true;
    const found = row.cells.filter((cell) => cell.trim() !== '').join(' | ');
    into.issues.push({
      ...issueAt(row.rowNumber, undefined, poColumn, code, message),
      severity: 'note',
      found: found.length > 200 ? `${found.slice(0, 200).toWellFormed()}…` : found,
    });
  };
  const endHeading = (into: RowSink) => {
    if (heading && !heading.used) {
      const { rowNumber, poNumber } = heading.row;
      into.rows.push(heading.row);
      into.issues.push(
        issueAt(rowNumber, poNumber, itemColumn, 'item_missing', `No item rows follow for PO ${poNumber}.`),
      );
    }
    heading = undefined;
  };

  const takeRagged = (row: RawRow, into: RowSink) => {
    const own = poAt < 0 ? '' : cleanCell(row.cells[poAt] ?? '', 'identifier').text;
    const poNumber = own === '' ? undefined : own.length > 200 ? undefined : own;
    const { message, found, expected } = raggedRow(row, width);
    // The PO number itself may be in the wrong column, so both POs that may lack a line are rejected.
    const pos = new Set([poNumber, above].filter((name) => name !== undefined));
    for (const po of pos.size > 0 ? pos : [undefined])
      into.issues.push({ ...issueAt(row.rowNumber, po, poColumn, 'row_width', message), found, expected });
    if (poNumber !== undefined) {
      above = poNumber;
      into.rows.push({ rowNumber: row.rowNumber, poNumber, ...noLine });
    }
  };

  /** The row belongs to its own PO, if it has one, and never to the PO above it. */
  const takeUnjoined = (row: RawRow, why: string, into: RowSink) => {
    const { row: checked } = rowCheck.check(row);
    into.issues.push(issueAt(row.rowNumber, checked.poNumber, poColumn, 'not_joined', why));
    if (checked.poNumber === undefined) return;
    endHeading(into);
    above = checked.poNumber;
    into.rows.push(checked);
  };

  const takeRow = (row: RawRow, into: RowSink) => {
    const isTitle = sections.see(row);
    if (isHeader(row)) {
      skip(row, into, 'header_again', 'Repeated header row, skipped.');
      return;
    }
    if (row.unjoined !== undefined && !totals.startsWithTotal(row)) {
      takeUnjoined(row, row.unjoined, into);
      return;
    }
    if (fixedWidth && row.cells.length !== width) {
      if (totals.startsWithTotal(row)) skip(row, into, 'totals_row', 'Totals row, skipped.');
      else takeRagged(row, into);
      return;
    }
    const verdict = rowCheck.check(row);
    const { row: checked, issues, poBlank, itemBlank } = verdict;
    const total =
      (totals.startsWithTotal(row) && verdict.optionsBlank) ||
      (itemBlank && totals.endsWithTotal(checked.poNumber));
    if (total) {
      skip(row, into, 'totals_row', 'Totals row, skipped.');
      return;
    }
    const isBare = poBlank && itemBlank && !issues.some((issue) => issue.severity === 'issue');
    if (isBare && (!options.continuationRows || verdict.quantityBlank)) {
      const why = 'The row has neither a PO number nor an item, so it was skipped (a totals row?).';
      skip(row, into, 'no_order_row', why);
      return;
    }
    // Below the table of a form are texts such as `Tax | 4` and `Authorized by: Jane`.
    if (poAt < 0 && itemBlank && verdict.quantityBlank && filledCells(row) <= 2) {
      skip(row, into, 'no_order_row', 'The row has neither an item nor a quantity, so it was skipped.');
      return;
    }
    if (poBlank) {
      if (options.continuationRows && above !== undefined) checked.poNumber = above;
      else {
        const message =
          above === undefined
            ? 'The row has no PO number.'
            : `The row has no PO number. PO ${above} (the row above) was not ordered because this row may belong to it. If it does, repeat the PO number in this row, or set intake.continuationRows.`;
        into.issues.push({
          ...issueAt(row.rowNumber, above, poColumn, 'po_missing', message),
          expected: 'a PO number',
        });
      }
      for (const issue of issues) issue.poNumber = above;
    } else {
      if (checked.poNumber !== above) endHeading(into);
      above = checked.poNumber;
    }
    for (const issue of issues) into.issues.push(issue);
    if (itemBlank && verdict.quantityBlank && options.continuationRows && !poBlank) {
      endHeading(into);
      heading = { row: checked, used: false };
      return;
    }
    if (checked.poNumber === undefined) return;
    if (heading && heading.row.poNumber === checked.poNumber) {
      if (!heading.used) {
        const { options: merged, differs } = mergeOptions(heading.row.options, checked.options);
        checked.options = merged;
        if (differs !== undefined) {
          const message = `PO ${checked.poNumber} has two values of ${differs}, one in row ${heading.row.rowNumber} and another in this row. A PO has only one; correct one of the two rows.`;
          into.issues.push(
            issueAt(
              row.rowNumber,
              checked.poNumber,
              rowCheck.columnNames[differs as FieldName],
              'option_conflict',
              message,
            ),
          );
        }
      }
      heading.used = true;
    }
    const judged = totals.judgeItem(checked);
    if (judged === 'total') {
      skip(row, into, 'totals_row', 'Totals row, skipped.');
      return;
    }
    if (judged !== 'line') {
      const { code, message, severity } = judged;
      const column = code === 'total_as_po' ? poColumn : itemColumn;
      const issue = issueAt(row.rowNumber, checked.poNumber, column, code, message);
      into.issues.push({ ...issue, severity, found: checked.itemSku });
    }
    if (itemBlank) {
      into.issues.push({
        ...issueAt(
          row.rowNumber,
          checked.poNumber,
          itemColumn,
          'item_missing',
          isTitle
            ? 'The row has a PO number and nothing else, neither an item nor a quantity. Remove it if it is a title or a remark.'
            : 'The SKU / item ID is missing.',
        ),
        expected: 'an item_sku or an item_id',
      });
    } else if (verdict.quantityBlank) {
      into.issues.push({
        ...issueAt(
          row.rowNumber,
          checked.poNumber,
          rowCheck.columnNames.quantity,
          'quantity_missing',
          'The quantity is missing.',
        ),
        found: '',
        expected: 'a whole number of at least 1',
      });
    }
    const shifted = widths(row);
    if (shifted)
      into.issues.push({ ...issueAt(row.rowNumber, checked.poNumber, '', 'row_width', ''), ...shifted });
    const doubt = isTitle ? undefined : sections.doubt();
    if (doubt !== undefined)
      into.issues.push(issueAt(row.rowNumber, checked.poNumber, poColumn, 'below_title', doubt));
    into.rows.push(checked);
  };

  const take = (row: RawRow, into: RowSink) => {
    const before = into.issues.length;
    isSkipped = false;
    takeRow(row, into);
    if (row.from !== undefined)
      for (const issue of into.issues.slice(before)) issue.message = `${row.from}: ${issue.message}`;
    return !isSkipped;
  };

  return { take, end: endHeading };
};
