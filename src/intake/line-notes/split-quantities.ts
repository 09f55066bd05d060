import { readHeader } from '../columns/read-header.ts';
import type { DetectedColumn, RawRow } from '../types.ts';
import type { LineNotes } from './create-line-notes.ts';

/** So many lines show how a file is made. */
const mostLines = 100;
const mostColumns = 40;

interface Line {
  rowNumber: number;
  quantity: number;
  /** Of the possible columns, in order: undefined for a text, 0 for a blank cell. */
  amounts: (number | undefined)[];
}

/** `Qty Shipped` and `Backordered` are parts of the quantity, too. */
const isState = (header: string): boolean => {
  const { meanings } = readHeader(header);
  return (['done', 'open', 'billed', 'gone', 'stock'] as const).some((one) => meanings.has(one));
};

const amountOf = (cell: string): number | undefined =>
  cell === '' ? 0 : /^\d{1,6}(?:[.,]0+)?$/.test(cell) ? Number.parseInt(cell, 10) : undefined;

/** The longest run of columns whose amounts add up to the quantity of every line, and of which several have amounts. Pure. */
const addends = (lines: readonly Line[], count: number): [from: number, to: number] | undefined => {
  for (let length = count; length >= 2; length -= 1)
    for (let from = 0; from + length <= count; from += 1) {
      const used = new Set<number>();
      const fits = lines.every(({ amounts, quantity }) => {
        let sum = 0;
        for (let at = from; at < from + length; at += 1) {
          const amount = amounts[at];
          if (amount === undefined) return false;
          if (amount > 0) used.add(at);
          sum += amount;
        }
        return sum === quantity;
      });
      if (fits && used.has(from) && used.has(from + length - 1)) return [from, from + length];
    }
  return undefined;
};

/** `S`, `M`, `L` beside a quantity that is their sum: sizes, shops or weeks, of which only the sum is ordered. */
export const createSumNotes = (
  columns: readonly DetectedColumn[],
  unread: ReadonlySet<DetectedColumn>,
): LineNotes => {
  const possible = columns
    .flatMap((column, at) => (unread.has(column) && !isState(column.header) ? [at] : []))
    .slice(0, mostColumns);
  const lines: Line[] = [];
  return {
    see: ({ cells }: RawRow, [line, other]) => {
      if (possible.length < 2 || lines.length === mostLines) return;
      if (line?.quantity === undefined || other !== undefined) return;
      const amounts = possible.map((at) => amountOf((cells[at] ?? '').trim()));
      lines.push({ rowNumber: line.rowNumber, quantity: line.quantity, amounts });
    },
    notes: () => {
      // Of a column with texts no run can be made, and so most files need no search.
      const run = lines.length > 0 ? addends(lines, possible.length) : undefined;
      if (!run) return [];
      const headers = possible.slice(...run).map((at) => columns[at]!.header);
      const more = headers.length > 6 ? ` and ${headers.length - 6} more` : '';
      const named = headers.slice(0, 6).map((header) => `"${header.slice(0, 40)}"`);
      return [
        {
          rowNumber: lines[0]!.rowNumber,
          poNumber: undefined,
          severity: 'note',
          column: headers[0]!,
          code: 'quantity_is_a_sum',
          message: `The quantities are the sums of ${named.join(', ')}${more}, which are not read. If these are sizes, shops or dates that each need a line of their own, give each a row; only the sum counts.`,
          found: undefined,
          expected: undefined,
        },
      ];
    },
  };
};
