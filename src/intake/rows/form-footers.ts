import type { RawRow } from '../types.ts';

/** Several words, or what ends as a label or a rule does: `Thank you for your business`, `Notes:`, `Signature ____`. */
const text = /\p{Ll}{2}.*\s\S|\s.*\p{Ll}{2}|[:_*]\s*$|^\s*\*/u;

/** Recognises the footer of a form, whose rows are all of one PO. */
export interface FooterWatch {
  /** The row without the column that was added for the number of its PO. */
  own(row: RawRow): RawRow;
  /** Whether a row is no line: `Tax | 4`, `Authorized by: Jane`. Must be called for each row, in order. */
  isFooter(row: RawRow, blank: { itemBlank: boolean; quantityBlank: boolean }): boolean;
}

/** @param kind `form`: no column has PO numbers; `stacked`: the first column has those of the sheets; `table`: there are no footers */
export const createFooterWatch = (kind: 'form' | 'stacked' | 'table'): FooterWatch => {
  let last = Number.POSITIVE_INFINITY;
  let below = false;
  const own = (row: RawRow): RawRow => (kind === 'stacked' ? { ...row, cells: row.cells.slice(1) } : row);
  const judge = (
    row: RawRow,
    { itemBlank, quantityBlank }: { itemBlank: boolean; quantityBlank: boolean },
  ) => {
    if (kind === 'table' || !quantityBlank) return false;
    const filled = own(row).cells.filter((cell) => cell.trim() !== '');
    if (itemBlank) return filled.length <= 2;
    // In the column of the item only a text that is apart from the lines: a line may lack its quantity by mistake.
    return filled.length === 1 && (below || row.rowNumber > last + 1) && text.test(filled[0]!);
  };
  return {
    own,
    isFooter: (row, blank) => {
      below = judge(row, blank);
      last = row.rowNumber;
      return below;
    },
  };
};
