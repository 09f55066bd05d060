import type { RawRow } from '../types.ts';
import type { RowVerdict } from './check-row.ts';

/** Several words, or a text that ends like a label or a rule: `Thank you for your business`, `Notes:`, `Signature ____`. */
const text = /\p{Ll}{2}.*\s\S|\s.*\p{Ll}{2}|[:_*]\s*$|^\s*\*/u;

/**
 * Recognises the footer of a form, whose rows all belong to one PO.
 *
 * @param kind `form`: no column has PO numbers; `stacked`: the first column has those of the sheets; `table`: there are no footers
 */
export const createFooterWatch = (kind: 'form' | 'stacked' | 'table') => {
  let last = Number.POSITIVE_INFINITY;
  let below = false;
  /** The row without the added PO number column. */
  const own = (row: RawRow): RawRow => (kind === 'stacked' ? { ...row, cells: row.cells.slice(1) } : row);
  const judge = (row: RawRow, { itemBlank, quantityBlank }: RowVerdict): boolean => {
    if (kind === 'table' || !quantityBlank) return false;
    const filled = own(row).cells.filter((cell) => cell.trim() !== '');
    if (itemBlank) return filled.length <= 2;
    // In the item column, only a text separated from the lines: a line may lack its quantity by mistake.
    return filled.length === 1 && (below || row.rowNumber > last + 1) && text.test(filled[0]!);
  };
  /** Whether a row belongs to the footer: `Tax | 4`, `Authorized by: Jane`. Must be called for each row, in order. */
  const isFooter = (row: RawRow, verdict: RowVerdict): boolean => {
    below = judge(row, verdict);
    last = row.rowNumber;
    return below;
  };
  return { own, isFooter };
};
