import type { IntakeOptions } from '../options.ts';
import type { CheckedRow, Detection, RawRow, RowIssue } from '../types.ts';
import type { RowCheck } from './check-row.ts';
import { cleanCell } from './clean-cell.ts';
import { createFooterWatch } from './form-footers.ts';
import { createHeadings } from './headings.ts';
import { createShortRowWatch, createWidthWatch, noLine, raggedRow } from './ragged-row.ts';
import { createRemarkWatch, hasOneCell, remarkOf } from './remark-rows.ts';
import { createHeaderWatch } from './repeated-header.ts';
import { issueAt, type LeftOutCode, skippedRow } from './row-issue.ts';
import { createTotalsWatch } from './totals-rows.ts';

/** Collects checked rows and issues. */
export interface RowSink {
  rows: CheckedRow[];
  /** Rows that belong to no PO; kept to detect whether they come again. */
  rowsWithoutPo: CheckedRow[];
  issues: RowIssue[];
}

/** The kind of a row: a line, or meant to be one; an order's row above its lines; a sum or repeated header; any other row. */
export type RowKind = 'line' | 'heading' | 'skipped' | 'other';

/**
 * Judges each row together with the rows above it. Totals and repeated headers are skipped with a note. A row without a
 * PO number continues the PO above (`continuationRows`); otherwise it rejects that PO, which might lack a line.
 * Rows must come in the file's order. An issue names the PO that it rejects. `take` throws FileRefused `header_differs`.
 */
export const createRowGrouping = (
  rowCheck: RowCheck,
  { format, columns, headerRow, combined }: Pick<Detection, 'format' | 'columns' | 'headerRow' | 'combined'>,
  options: IntakeOptions,
) => {
  // Sheets omit empty cells.
  const fixedWidth = format === 'csv';
  const width = columns.length;
  const poAt = columns.findIndex((column) => column.field === 'po_number');
  const poColumn = rowCheck.columnNames.po_number;
  const itemColumn =
    rowCheck.columnNames[columns.some((column) => column.field === 'item_sku') ? 'item_sku' : 'item_id'];
  const isHeader = createHeaderWatch(columns, headerRow, options);
  const totals = createTotalsWatch();
  const headings = createHeadings(rowCheck.columnNames, itemColumn);
  const isRemark = createRemarkWatch();
  // A line of a joined sheet belongs only to the order of its key.
  const continuationRows = options.continuationRows && combined?.kind !== 'joined';
  const footers = createFooterWatch(combined?.kind === 'stacked' ? 'stacked' : poAt < 0 ? 'form' : 'table');
  const shortRows = createShortRowWatch(columns);
  const widths = fixedWidth && headerRow !== null ? createWidthWatch(columns) : () => undefined;
  /** The PO number above the current row, including from a row without an item, and its spelling there. */
  let above: string | undefined;
  let aboveWritten: string | undefined;
  /** The total or repeated header after which the PO of a row without a number is unclear (continuation rows only). */
  let ended: string | undefined;

  const ownPo = (row: RawRow): string | undefined => {
    const own = poAt < 0 ? '' : cleanCell(row.cells[poAt] ?? '', 'identifier').text;
    return own === '' || own.length > 200 ? undefined : own;
  };
  let kind: RowKind = 'line';
  const skip = (row: RawRow, into: RowSink, code: LeftOutCode, message: string, poOfForm?: string) => {
    const isPlain = code === 'header_again' || totals.isPlainSum(row, rowCheck.check(row).row.quantity);
    kind = isPlain ? 'skipped' : 'other';
    into.issues.push(skippedRow(row, ownPo(row) ?? poOfForm, poColumn, code, `Not ordered: ${message}`));
  };
  const skipTotal = (row: RawRow, into: RowSink) => {
    ended = `the total in row ${row.rowNumber}`;
    const at = totals.wordAt(row) ?? row.cells.findIndex((cell) => cell.trim() !== '');
    const says = row.cells[at]?.trim().slice(0, 60).toWellFormed() ?? '';
    const where = columns[at]?.header ?? `column ${at + 1}`;
    skip(row, into, 'totals_row', `it looks like a total ("${says}" in ${where}).`);
    totals.leftOut();
  };
  const takeRagged = (row: RawRow, into: RowSink) => {
    const poNumber = ownPo(row);
    const { message, found, expected } = raggedRow(row, width);
    if (row.cells.length < width) shortRows.see(row);
    // The PO number itself may be in the wrong column, so both POs that may lack a line are rejected.
    const pos = new Set([poNumber, above].filter((name) => name !== undefined));
    for (const po of pos.size > 0 ? pos : [undefined])
      into.issues.push({ ...issueAt(row.rowNumber, po, poColumn, 'row_width', message), found, expected });
    if (poNumber !== undefined) {
      above = poNumber;
      into.rows.push({ rowNumber: row.rowNumber, poNumber, ...noLine });
    }
  };

  /** The row belongs to its own PO, if any, and never to the PO above it. */
  const takeUnjoined = (row: RawRow, why: string, into: RowSink) => {
    const { row: checked } = rowCheck.check(row);
    into.issues.push(issueAt(row.rowNumber, checked.poNumber, poColumn, 'not_joined', why));
    if (checked.poNumber === undefined) return;
    headings.end(into);
    above = checked.poNumber;
    into.rows.push(checked);
  };

  /** Below the lines of a form, a text may say not to order something; elsewhere such a row raises a question. */
  const takeRemark = (row: RawRow, poNumber: string | undefined, into: RowSink) => {
    const says = poNumber === undefined ? undefined : remarkOf(row);
    if (says === undefined) return;
    const message = `The row says "${says}", so PO ${poNumber} was not ordered. Remove what is not to be ordered, and this row.`;
    into.issues.push(issueAt(row.rowNumber, poNumber, poColumn, 'remark_says_cancelled', message));
  };
  /** Words in the PO number column, where the other rows have numbers. The rows below may belong to the PO above. */
  const takeWords = (row: RawRow, words: string, into: RowSink) => {
    const message = `"${words.slice(0, 60).toWellFormed()}" is a remark and no PO number, unlike those above it, so it is not clear what it means for PO ${above}, which was not ordered. Remove the row or, if it is a PO number, repeat it in each row of its PO.`;
    into.issues.push(issueAt(row.rowNumber, above, poColumn, 'remark_as_po', message));
  };

  const takeRow = (row: RawRow, into: RowSink) => {
    const isTitle = hasOneCell(row);
    if (isHeader(row)) {
      ended = `the repeated header in row ${row.rowNumber}`;
      skip(row, into, 'header_again', 'it repeats the header.');
      return;
    }
    if (row.unjoined !== undefined) {
      const alone = rowCheck.check(row);
      // A remark among the lines names no order.
      const isNoOrder = row.from === undefined && alone.poBlank && alone.itemBlank && alone.quantityBlank;
      if (!isNoOrder && !totals.isTotalRow(footers.own(row), alone)) {
        if (isTitle && alone.quantityBlank) kind = 'other';
        takeUnjoined(row, row.unjoined, into);
        return;
      }
    }
    // A single text in a short row is not a shifted line.
    if (fixedWidth && row.cells.length !== width && !(isTitle && row.cells.length < width)) {
      if (totals.isTotalRow(footers.own(row), rowCheck.check(row))) skipTotal(row, into);
      else takeRagged(row, into);
      return;
    }
    const verdict = rowCheck.check(row);
    const { row: checked, issues, poBlank, itemBlank } = verdict;
    const continues = poBlank && continuationRows && above !== undefined && ended === undefined;
    if (totals.isTotalRow(footers.own(row), verdict, continues)) {
      skipTotal(row, into);
      return;
    }
    const isBare = poBlank && itemBlank && !issues.some((issue) => issue.severity === 'issue');
    if (isBare && (verdict.quantityBlank || (!continuationRows && totals.isSum(checked.quantity)))) {
      skip(row, into, 'no_order_row', 'it has neither a PO number nor an item.');
      return;
    }
    if (footers.isFooter(row, verdict)) {
      skip(row, into, 'no_order_row', 'it is below the lines and has no quantity.', checked.poNumber);
      takeRemark(row, checked.poNumber, into);
      return;
    }
    const isAlone = itemBlank && verdict.quantityBlank;
    // Between rows with PO numbers, a single text may be the title of those below.
    if (isTitle && verdict.quantityBlank && !continuationRows) kind = 'other';
    const ownNumber = poBlank ? undefined : checked.poNumber;
    if (ownNumber !== undefined && isRemark(ownNumber, isAlone) && continuationRows) {
      takeWords(row, ownNumber, into);
      return;
    }
    if (poBlank) {
      // In a joined sheet, a row without a matching order does not affect the PO above.
      const mayLack = combined?.kind === 'joined' ? undefined : above;
      if (continues) [checked.poNumber, checked.poWritten] = [above, aboveWritten];
      else {
        const message =
          combined?.kind === 'joined'
            ? `The order of this line has no PO number. Fill it in in the sheet "${combined.orders}", or remove the order and its lines.`
            : above === undefined
              ? 'The row has no PO number.'
              : ended !== undefined && continuationRows
                ? `The row has no PO number. After ${ended} it is not clear whether it belongs to PO ${above}, which was not ordered. If it does, repeat the PO number in this row.`
                : `The row has no PO number. PO ${above} (the row above) was not ordered because this row may belong to it. If it does, repeat the PO number in this row, or set intake.continuationRows.`;
        into.issues.push({
          ...issueAt(row.rowNumber, mayLack, poColumn, 'po_missing', message),
          expected: 'a PO number',
        });
      }
      for (const issue of issues) issue.poNumber = continues ? above : mayLack;
    } else {
      if (checked.poNumber !== above) headings.end(into);
      [above, aboveWritten] = [checked.poNumber, checked.poWritten];
      ended = undefined;
    }
    for (const issue of issues) into.issues.push(issue);
    if (isAlone && continuationRows && !poBlank) {
      headings.end(into);
      headings.begin(checked);
      kind = 'heading';
      return;
    }
    if (checked.poNumber === undefined) {
      if (above === undefined || combined?.kind === 'joined') into.rowsWithoutPo.push(checked);
      return;
    }
    const rest = shortRows.judge(row);
    if (rest !== undefined)
      into.issues.push(issueAt(row.rowNumber, checked.poNumber, poColumn, 'after_short_row', rest));
    headings.join(checked, into);
    if (totals.isTotalLine(checked)) {
      skipTotal(row, into);
      return;
    }
    if (itemBlank) {
      const message =
        isTitle && !poBlank && verdict.quantityBlank
          ? 'The row has a PO number and nothing else, neither an item nor a quantity. Remove it if it is a title or a remark.'
          : 'The SKU / item ID is missing.';
      into.issues.push({
        ...issueAt(row.rowNumber, checked.poNumber, itemColumn, 'item_missing', message),
        expected: 'an item_sku or an item_id',
      });
    } else if (verdict.quantityBlank) {
      const { quantity } = rowCheck.columnNames;
      into.issues.push({
        ...issueAt(row.rowNumber, checked.poNumber, quantity, 'quantity_missing', 'The quantity is missing.'),
        found: '',
        expected: 'a whole number of at least 1',
      });
    }
    const shifted = widths(row);
    if (shifted)
      into.issues.push({ ...issueAt(row.rowNumber, checked.poNumber, '', 'row_width', ''), ...shifted });
    into.rows.push(checked);
  };

  const take = (row: RawRow, into: RowSink): RowKind => {
    const before = into.issues.length;
    kind = 'line';
    takeRow(row, into);
    if (row.from !== undefined)
      for (const issue of into.issues.slice(before)) issue.message = `${row.from}: ${issue.message}`;
    return kind;
  };

  return {
    take,
    /** Must be called after the last row. */
    end: headings.end,
  };
};
