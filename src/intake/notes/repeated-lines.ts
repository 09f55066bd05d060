import { isItem } from '../columns/fields.ts';
import { isOnly, readHeader } from '../columns/read-header.ts';
import { noteAt } from '../rows/row-issue.ts';
import type { CheckedRow, DetectedColumn, RawRow, RowIssue } from '../types.ts';

/** Manually compiled files have fewer lines; the limit bounds memory for the others. */
const mostKnown = 20_000;
/** Finds files up to this size that were pasted twice; larger ones are written by programs and not checked. */
const mostSeen = 2 * mostKnown;

const isLineNumber = ({ header }: DetectedColumn): boolean => {
  const words = readHeader(header);
  return words.meanings.has('line') && isOnly(words, 'line', 'number', 'item', 'order', 'po');
};

/** Finds rows that repeat something of an earlier one, and says so of the first of them. */
const createRepeats = (code: string, column: string, what: string, advice: string) => {
  const known = new Map<string, number>();
  let first: { row: CheckedRow; before: number } | undefined;
  let count = 0;
  return {
    see: (key: string, row: CheckedRow) => {
      const before = known.get(key);
      if (before !== undefined) {
        first ??= { row, before };
        count += 1;
      } else if (known.size < mostKnown) known.set(key, row.rowNumber);
    },
    notes: (): RowIssue[] => {
      if (!first) return [];
      const { row, before } = first;
      const more = count === 1 ? '' : `, and so it is in ${count - 1} more ${count === 2 ? 'row' : 'rows'}`;
      const message = `Row ${row.rowNumber} has ${what} of row ${before} of PO ${row.poNumber}${more}. Each row is a line of its own. ${advice}`;
      const note = noteAt(row.rowNumber, row.poNumber, column, code, message);
      return [{ ...note, found: row.itemSku ?? row.itemId }];
    },
  };
};

/**
 * Finds lines that a PO has twice: with the same item and quantity (rows pasted twice), or with the same line number (parts of a schedule,
 * revisions). They remain lines, and a note reports them. Whether the PO is ordered is unknown here: it may have an issue elsewhere, be a
 * repetition, or be held.
 */
export const createRepeatNotes = (columns: readonly DetectedColumn[]) => {
  const numbers = columns.findIndex((column) => column.field === null && isLineNumber(column));
  const sameLines = createRepeats(
    'line_repeated',
    columns.find(({ field }) => isItem(field))?.header ?? 'item_sku',
    'the item and the quantity',
    'Remove those that were entered twice by mistake.',
  );
  const sameNumbers = createRepeats(
    'line_number_repeated',
    columns[numbers]?.header ?? '',
    'the line number',
    'Remove those that are parts of the same line or its earlier versions, if their quantities must not be added up.',
  );
  let seen = 0;
  /** Call for each row, with its lines, in the file's order. */
  const see = ({ cells }: RawRow, lines: readonly CheckedRow[]) => {
    if (seen >= mostSeen) return;
    seen += lines.length;
    for (const line of lines) {
      const { poNumber, itemSku, itemId, quantity } = line;
      if (poNumber === undefined || quantity === undefined) continue;
      sameLines.see(`${poNumber}\n${itemSku ?? itemId}\n${quantity}`, line);
      const number = numbers < 0 ? '' : (cells[numbers] ?? '').trim();
      if (number !== '') sameNumbers.see(`${poNumber}\n${number}`, line);
    }
  };
  /** At most one of each kind. */
  return { see, notes: () => [...sameLines.notes(), ...sameNumbers.notes()] };
};
