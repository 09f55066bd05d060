import { FileRefused } from '../errors.ts';
import { headerKey } from './columns/fields.ts';
import { rankName } from './columns/name-ranks.ts';
import type { IntakeOptions } from './options.ts';
import type { Detection, RawRow } from './types.ts';

/** From this rank on, a label can only mean a purchase order. */
const leastRank = 7;
const longestLabel = 40;
/** A fast pre-check: most cells are no labels, and reading them as a header is slow. */
const mayBeLabel = /^\W{0,3}(?:\p{L}+\s)?(?:p|achat|bestell|einkauf|commande|order|ordre|zam)/iu;
const isDate = /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}$/;
const isNumber = (text: string) => /^\S*\d\S*$/.test(text) && text.length <= 40 && !isDate.test(text);

const asKey = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
/** `PO-4711` and `4711` are one number in two spellings. */
const areSame = (one: string, other: string): boolean => {
  const [a, b] = [asKey(one), asKey(other)];
  return a === b || (Math.min(a.length, b.length) >= 3 && (a.endsWith(b) || b.endsWith(a)));
};

/** A PO number beside, in or below its label. */
interface LabelledNumber {
  rowNumber: number;
  label: string;
  value: string;
}

/** Finds labelled PO numbers in rows. `own` is the account's label. Must be called for each row, in order. */
const createLabelReader = (own?: string): ((row: RawRow) => LabelledNumber[]) => {
  const ownKey = own === undefined ? undefined : headerKey(own);
  const known = new Map<string, boolean>();
  const isLabel = (text: string): boolean => {
    if (text.length > longestLabel) return false;
    if (ownKey !== undefined && headerKey(text) === ownKey) return true;
    if (!mayBeLabel.test(text)) return false;
    const before = known.get(text);
    if (before !== undefined) return before;
    const is = rankName(text).po_number >= leastRank;
    if (known.size < 1000) known.set(text, is);
    return is;
  };
  const mayHave = (cell: string): boolean =>
    mayBeLabel.test(cell) || (own !== undefined && cell.trim().toLowerCase().startsWith(own.toLowerCase()));
  /** Labels in the row above that have no value beside them. */
  let open: { at: number; label: string; rowNumber: number }[] = [];
  return ({ rowNumber, cells }) => {
    const above = open;
    open = [];
    const found: LabelledNumber[] = [];
    for (const { at, label, rowNumber: before } of above) {
      const value = (cells[at] ?? '').trim();
      if (before === rowNumber - 1 && isNumber(value)) found.push({ rowNumber, label, value });
    }
    for (const [at, cell] of cells.entries()) {
      if (cell === '' || !mayHave(cell)) continue;
      const text = cell.trim();
      const inside = /^(.{1,40}?)(?:\s*[:：#=]+\s*|\s+)(\S+)$/su.exec(text);
      if (inside && isNumber(inside[2]!) && isLabel(inside[1]!)) {
        found.push({ rowNumber, label: inside[1]!, value: inside[2]! });
        continue;
      }
      const label = text.replace(/[\s:：#=.]+$/, '');
      if (!isLabel(label)) continue;
      const value = cells.find((one, other) => other > at && one.trim() !== '')?.trim();
      if (value !== undefined && isNumber(value)) found.push({ rowNumber, label, value });
      else if (value === undefined || !/\d/.test(value)) open.push({ at, label, rowNumber });
    }
    return found;
  };
};

/** @throws FileRefused `po_number_ambiguous` if the rows above the table name another PO than the file's or the sheet's name */
export const refuseOtherPo = (rows: readonly RawRow[], poNumber: string, where: string): void => {
  const other = rows.flatMap(createLabelReader()).find(({ value }) => !areSame(value, poNumber));
  if (!other) return;
  throw new FileRefused(
    'po_number_ambiguous',
    `The PO number is ${poNumber} (${where}), but row ${other.rowNumber}, above the table, says "${other.label}: ${other.value}". Correct one of the two.`,
  );
};

/**
 * Looks for the PO number of another order below the header of a file that has one PO number for all its rows: the rows of a second
 * form would be ordered as lines of the first. `see` must be called for each row, in order, and throws FileRefused `second_po_number`.
 *
 * @returns undefined if a column has the PO numbers
 */
export const createPoLabelWatch = (
  { columns, combined, decisions }: Pick<Detection, 'columns' | 'combined' | 'decisions'>,
  { constants, poNumberFrom }: Pick<IntakeOptions, 'constants' | 'poNumberFrom'>,
): { see(row: RawRow): void } | undefined => {
  const stacked = combined?.kind === 'stacked';
  const poNumber = constants.po_number;
  if (!stacked && (poNumber === undefined || columns.some(({ field }) => field === 'po_number')))
    return undefined;
  const read = createLabelReader(poNumberFrom && 'cell' in poNumberFrom ? poNumberFrom.cell : undefined);
  const where = decisions.find(({ what }) => what === 'po_number')?.why ?? 'intake.constants';
  return {
    see: (row) => {
      // The first column of stacked sheets is the PO number of each sheet.
      const cells = stacked ? ['', ...row.cells.slice(1)] : row.cells;
      const expected = stacked ? (row.cells[0] ?? '') : String(poNumber);
      const other = read(stacked ? { ...row, cells } : row).find(({ value }) => !areSame(value, expected));
      if (!other) return;
      const from = row.from === undefined ? '' : `${row.from}: `;
      throw new FileRefused(
        'second_po_number',
        `${from}The file has one PO number for all its rows, ${expected} (${where}), but row ${other.rowNumber}, below the header, says "${other.label}: ${other.value}", as if another order began there. Send each order in a file of its own, or give the table a column with the PO number.`,
      );
    },
  };
};
