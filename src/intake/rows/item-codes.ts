const coded = /^\[([^[\]]{1,100})\]\s+\S/;

/** The item number of a cell that has a name behind it, as Odoo writes both: `[FURN_1118] Corner Desk`. Pure. */
export const codeInBrackets = (text: string): string | undefined => coded.exec(text)?.[1]?.trim();

/** The item numbers alone, if every filled cell has one in brackets and a name; otherwise the cells as they are. Pure. */
export const withoutNames = (cells: readonly string[]): readonly string[] => {
  const codes = cells.map((cell) => (cell.trim() === '' ? '' : codeInBrackets(cell.trim())));
  const all = codes.every((code) => code !== undefined) && codes.some((code) => code !== '');
  return all ? codes.map((code) => code ?? '') : cells;
};
