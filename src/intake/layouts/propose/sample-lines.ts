import type { CodeLists } from '../../../contract/carts.ts';
import { FileRefused } from '../../../errors.ts';
import { isItem } from '../../columns/fields.ts';
import { given } from '../../file-mapping.ts';
import type { IntakeOptions } from '../../options.ts';
import { createRowCheck } from '../../rows/check-row.ts';
import { createHeaderWatch } from '../../rows/repeated-header.ts';
import { doubtfulItem, isSumOfLines } from '../../rows/sums-and-charges.ts';
import { createTotalsWatch } from '../../rows/totals-rows.ts';
import type { Detection, RawRow, RowIssue } from '../../types.ts';

/** A line as it would be ordered, with the dealer's own cells. */
export interface SampleRow {
  rowNumber: number;
  /** The dealer's cells, in the file's order. */
  cells: string[];
  /** The data for the service, by API names (spec 2.1 and 2.3), and the expected unit price. */
  cart: Record<string, string | boolean>;
  item: Record<string, string | number>;
  issues: RowIssue[];
}

const sampleCount = 5;

/** The first lines as they would be ordered, without totals, charges, and rows that have neither item nor quantity. Pure. */
export const sampleLines = (
  rows: readonly RawRow[],
  { columns, format }: Pick<Detection, 'columns' | 'format'>,
  options: IntakeOptions,
  lists: CodeLists,
): SampleRow[] => {
  const { check, optionDefaults } = createRowCheck({ columns, format }, options, lists);
  const totals = createTotalsWatch();
  const watch = createHeaderWatch(columns, 1, options);
  const isHeader = (row: RawRow): boolean => {
    try {
      return watch(row);
    } catch (error) {
      // A header with other columns is not a line either; the import refuses the file.
      if (error instanceof FileRefused) return true;
      throw error;
    }
  };
  const lines: SampleRow[] = [];
  const itemAt = columns.findIndex(({ field }) => isItem(field));
  const hasItems = itemAt >= 0;
  const hasItem = ({ cells }: RawRow) => (cells[itemAt] ?? '').trim() !== '';
  // The first column of a file with several kinds of records says which kind a row is: D with an item, T without one.
  const kinds = new Set(rows.filter(hasItem).map(({ cells }) => cells[0] ?? ''));
  const isOther = ({ cells }: RawRow) => itemAt > 0 && kinds.size === 1 && !kinds.has(cells[0] ?? '');
  let above: string | undefined;
  for (const raw of rows) {
    if (isHeader(raw)) continue;
    const verdict = check(raw);
    const { row, issues, itemBlank, quantityBlank, poBlank } = verdict;
    if (!poBlank) above = row.poNumber;
    if (itemBlank && quantityBlank) continue;
    if (totals.isTotalRow(raw, verdict)) continue;
    if (totals.isTotalLine(row) || isSumOfLines(row.poNumber ?? '') || doubtfulItem(row.itemSku ?? ''))
      continue;
    // Among lines with items it is a total or a trailer, whatever its quantity column contains.
    if (itemBlank && hasItems && (poBlank || isOther(raw))) continue;
    const poNumber = row.poNumber ?? (options.continuationRows ? above : undefined);
    lines.push({
      rowNumber: raw.rowNumber,
      cells: raw.cells,
      cart: given({
        po_number: poNumber,
        ...optionDefaults,
        ...JSON.parse(row.options),
      }) as SampleRow['cart'],
      item: given({
        item_sku: row.itemSku,
        item_id: row.itemId,
        quantity: row.quantity,
        note: row.note,
        expected_price: row.expectedPrice,
      }) as SampleRow['item'],
      issues,
    });
    if (lines.length === sampleCount) break;
  }
  return lines;
};
