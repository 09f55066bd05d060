import type { RowCheck } from './check-row.ts';
import { cleanCell } from './clean-cell.ts';
import { cartOptionNames, type FieldName, headerKey } from './fields.ts';
import type { IntakeOptions } from './options.ts';
import { optionsText } from './options-text.ts';
import type { CartOptionValues, CheckedRow, DetectedColumn, RawRow, RowIssue } from './types.ts';

/** Where checked rows and issues are put. */
export interface RowSink {
  rows: CheckedRow[];
  issues: RowIssue[];
}

export interface RowGrouping {
  take(row: RawRow, into: RowSink): void;
  /** After the last row. */
  end(into: RowSink): void;
}

/** The options of a row that named no item, handed to the row below it; `differs` names an option that both give. */
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
 * What a row means beside the rows above it: totals and repeated headers are left out with a note, a row without a PO
 * continues the PO above (where the account says so) or keeps it back, for that PO might be short.
 * Rows are taken in the file's order; issues name the PO that they keep back.
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
  /** The PO above, also of a row that named no item. */
  let above: string | undefined;
  /** A row that named a PO and options but no item (continuation rows only): its options are for the rows below it. */
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
  const leftOut = (row: RawRow, into: RowSink, code: string, message: string) => {
    const found = row.cells.filter((cell) => cell.trim() !== '').join(' | ');
    into.issues.push({
      ...issueAt(row.rowNumber, undefined, poColumn, code, message),
      severity: 'note',
      found: found.length > 200 ? `${found.slice(0, 200).toWellFormed()}…` : found,
    });
  };
  // The rows of a PO begin alike, so that most of them need no look at the words.
  let lastFirst = '';
  let lastIsTotal = false;
  const startsWithTotal = ({ cells }: RawRow) => {
    let first = cells[0] ?? '';
    if (first === '' || first.trim() === '') first = cells.find((cell) => cell.trim() !== '') ?? '';
    if (first !== lastFirst) {
      lastFirst = first;
      // Numbers are no words: with a digit in it a cell is hardly a total, and never one of the usual words.
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
        issueAt(rowNumber, poNumber, itemColumn, 'item_missing', `No item follows for PO ${poNumber}.`),
      );
    }
    heading = undefined;
  };

  const takeRagged = (row: RawRow, into: RowSink) => {
    const own = poAt < 0 ? '' : cleanCell(row.cells[poAt] ?? '', 'identifier').text;
    const poNumber = own === '' ? undefined : own.length > 200 ? undefined : own;
    const message = `The row has ${row.cells.length} columns where the header has ${width}: a value may contain the separator or a line break without quotes, so that its cells are not where they should be.`;
    const found = row.cells
      .map((cell) => cell.slice(0, 40))
      .join(' | ')
      .slice(0, 200)
      .toWellFormed();
    const expected = `${width} columns`;
    // Which PO the row belongs to is itself in doubt: both that may be short are kept back.
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
        leftOut(row, into, 'header_again', 'The header stands here again; the row is left out.');
        return;
      }
    }
    if (fixedWidth && row.cells.length !== width) {
      if (startsWithTotal(row))
        leftOut(row, into, 'totals_row', 'This is a total and no order; the row is left out.');
      else takeRagged(row, into);
      return;
    }
    const verdict = rowCheck.check(row);
    const { row: checked, issues, poBlank, itemBlank } = verdict;
    const total =
      (startsWithTotal(row) && verdict.optionsBlank) || (itemBlank && endsWithTotal(checked.poNumber));
    if (total) {
      leftOut(row, into, 'totals_row', 'This is a total and no order; the row is left out.');
      return;
    }
    if (poBlank && itemBlank && !issues.some((issue) => issue.severity === 'issue')) {
      if (!options.continuationRows || verdict.quantityBlank) {
        leftOut(
          row,
          into,
          'no_order_row',
          'The row names neither a PO nor an item (a total?); it is left out.',
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
            : `The row has no PO number. PO ${above} above it is kept back, for the row may belong to it. If so, repeat its number, or set intake.continuationRows.`;
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
          const message = `Row ${heading.row.rowNumber} gives PO ${checked.poNumber} another ${differs} than this row.`;
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
        ...issueAt(row.rowNumber, checked.poNumber, itemColumn, 'item_missing', 'The row names no item.'),
        expected: 'an item_sku or an item_id',
      });
    } else if (verdict.quantityBlank) {
      into.issues.push({
        ...issueAt(
          row.rowNumber,
          checked.poNumber,
          rowCheck.columnNames.quantity,
          'quantity_missing',
          'The row has no quantity.',
        ),
        found: '',
        expected: 'a whole number above zero',
      });
    }
    into.rows.push(checked);
  };

  return { take, end: endHeading };
};
