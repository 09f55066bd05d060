const coded = /^\[([^[\]]{1,100})\]\s+\S/;

/** The item number of a cell that also contains the name, as written by Odoo: `[FURN_1118] Corner Desk`. Pure. */
export const codeInBrackets = (text: string): string | undefined => coded.exec(text)?.[1]?.trim();

/** Only the item numbers, if every filled cell has one in brackets and a name; otherwise the cells unchanged. Pure. */
export const withoutNames = (cells: readonly string[]): readonly string[] => {
  const codes = cells.map((cell) => (cell.trim() === '' ? '' : codeInBrackets(cell.trim())));
  const all = codes.every((code) => code !== undefined) && codes.some((code) => code !== '');
  return all ? codes.map((code) => code ?? '') : cells;
};
