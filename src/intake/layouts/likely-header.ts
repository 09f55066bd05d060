import type { RawRow, Table } from '../types.ts';

/** A row of words; a line has at least a quantity, which is not a word. */
const hasNames = ({ cells }: RawRow): boolean => {
  const filled = cells.filter((cell) => cell.trim() !== '');
  return filled.length >= 2 && filled.every((cell) => /\p{L}/u.test(cell) && cell.length <= 80);
};

/** The probable header row of a file, used to group waiting files. Pure. */
export const likelyHeader = (tables: readonly Pick<Table, 'head' | 'hidden'>[]): string[] | undefined => {
  const rows = tables.filter(({ hidden }) => !hidden).flatMap(({ head }) => head.filter(hasNames));
  const widest = Math.max(0, ...rows.map(({ cells }) => cells.length));
  return rows.find(({ cells }) => cells.length === widest)?.cells;
};
