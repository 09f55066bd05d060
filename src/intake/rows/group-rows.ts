import { cartOptionNames, type FieldName, headerKey, optionsText } from '../columns/fields.ts';
import type { IntakeOptions } from '../options.ts';
import type { CartOptionValues, CheckedRow, DetectedColumn, RawRow, RowIssue } from '../types.ts';
import type { RowCheck } from './check-row.ts';
import { cleanCell } from './clean-cell.ts';

/** Collects checked rows and issues. */
export interface RowSink {
  rows: CheckedRow[];
  issues: RowIssue[];
}

export interface RowGrouping {
  take(row: RawRow, into: RowSink): void;
  /** Must be called after the last row. */
  end(into: RowSink): void;
}

/** Merges the options of a heading row into the item row below it. `differs` names an option that has two values. */
const mergeOptions = (above: string, own: string): { options: string; differs: string | undefined } => {
  const first = JSON.parse(above) as CartOptionValues;
  const second = JSON.parse(own) as CartOptionValues;
  return {
    options: optionsText({ ...first, ...second }),
    differs: cartOptionNames.find(
      (name) => first[name] !== undefined && second[name] !== undefined && first[name] !== second[name],
    ),
  };
};

/**
 * Judges each row together with the rows above it. Totals and repeated headers are skipped with a note. A row without a
 * PO number continues the PO above (`continuationRows`); otherwise it rejects that PO, which might lack a line.
 * Rows must come in the file's order. An issue names the PO that it rejects.
 */
export const createRowGrouping = (
  rowCheck: RowCheck,
  columns: readonly DetectedColumn[],
  options: IntakeOptions,
  fixedWidth: boolean,
): RowGrouping => {
  const width = columns.length;
  const poAt = columns.findIndex((column) => column.field === 'po_number');
  const poColumn = rowCheck.columnNames.po_number;
  const itemColumn =
    rowCheck.columnNames[columns.some((column) => column.field === 'item_sku') ? 'item_sku' : 'item_id'];
  const headerPo = poAt < 0 ? undefined : columns[poAt]?.header;
  const totals = new Set(options.totalsWords.map(headerKey));
  const digitsInTotals = options.totalsWords.some((word) => /\d/.test(word));
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
  const skip = (row: RawRow, into: RowSink, code: string, message: string) => {
    const found = row.cells.filter((cell) => cell.trim() !== '').join(' | ');
    into.issues.push({
      ...issueAt(row.rowNumber, undefined, poColumn, code, message),
      severity: 'note',
      found: found.length > 200 ? `${found.slice(0, 200).toWellFormed()}…` : found,
    });
  };
  // The rows of a PO mostly have the same first cell, so the last result is kept.
  let lastFirst = '';
  let lastIsTotal = false;
  const startsWithTotal = ({ cells }: RawRow) => {
    let first = cells[0] ?? '';
    if (first === '' || first.trim() === '') first = cells.find((cell) => cell.trim() !== '') ?? '';
    if (first !== lastFirst) {
      lastFirst = first;
      // A cell with a digit is never one of the default totals words, and this test is faster than headerKey.
      lastIsTotal =
        first.length <= 40 && (digitsInTotals || !/\d/.test(first)) && totals.has(headerKey(first));
    }
    return lastIsTotal;
  };
  const endsWithTotal = (poNumber: string | undefined) =>
    poNumber !== undefined && /\s(?:sub\s?)?total:?$/i.test(poNumber);

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
    const message = `The row has ${row.cells.length} columns but the header has ${width}. A value may contain the separator or a line break without quotes, which shifts the cells after it.`;
    const found = row.cells
      .map((cell) => cell.slice(0, 40))
      .join(' | ')
      .slice(0, 200)
      .toWellFormed();
    const expected = `${width} columns`;
    // The PO number itself may be in the wrong column, so both POs that may lack a line are rejected.
    for (const po of new Set([poNumber, above].filter((name) => name !== undefined))) {
      into.issues.push({ ...issueAt(row.rowNumber, po, poColumn, 'row_width', message), found, expected });
    }
    if (poNumber === undefined && above === undefined) {
      into.issues.push({
        ...issueAt(row.rowNumber, undefined, poColumn, 'row_width', message),
        found,
        expected,
      });
    }
    if (poNumber !== undefined) {
      above = poNumber;
      const blank = {
        itemSku: undefined,
        itemId: undefined,
        quantity: undefined,
        note: undefined,
        expectedPrice: undefined,
      };
      into.rows.push({ rowNumber: row.rowNumber, poNumber, ...blank, options: '{}' });
    }
  };

  const take = (row: RawRow, into: RowSink) => {
    if (headerPo !== undefined && row.cells[poAt] === headerPo) {
      if (columns.every((column, at) => !column.field || row.cells[at]?.trim() === column.header)) {
        skip(row, into, 'header_again', 'Repeated header row, skipped.');
        return;
      }
    }
    if (fixedWidth && row.cells.length !== width) {
      if (startsWithTotal(row)) skip(row, into, 'totals_row', 'Totals row, skipped.');
      else takeRagged(row, into);
      return;
    }
    const verdict = rowCheck.check(row);
    const { row: checked, issues, poBlank, itemBlank } = verdict;
    const total =
      (startsWithTotal(row) && verdict.optionsBlank) || (itemBlank && endsWithTotal(checked.poNumber));
    if (total) {
      skip(row, into, 'totals_row', 'Totals row, skipped.');
      return;
    }
    if (poBlank && itemBlank && !issues.some((issue) => issue.severity === 'issue')) {
      if (!options.continuationRows || verdict.quantityBlank) {
        skip(
          row,
          into,
          'no_order_row',
          'The row has neither a PO number nor an item, so it was skipped (a totals row?).',
        );
        return;
      }
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
    if (itemBlank) {
      into.issues.push({
        ...issueAt(
          row.rowNumber,
          checked.poNumber,
          itemColumn,
          'item_missing',
          'The SKU / item ID is missing.',
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
    into.rows.push(checked);
  };

  return { take, end: endHeading };
};
