/** What a value looks like: `P-12` and `P-7` are both `P-0`. A number alone keeps its length, for it has nothing else. */
const shapeOf = (text: string): string => {
  const value = text.trim();
  return /^\d+$/.test(value) ? value.replace(/\d/g, '0') : value.replace(/\d+/g, '0');
};

/** Whether values begin as those of a row do: the first one has the same shape, and so has another one, both with digits. */
const beginsLike = (values: readonly string[], row: readonly string[]): boolean => {
  const alike = (value: string, at: number) => /\d/.test(value) && shapeOf(value) === shapeOf(row[at] ?? '');
  return values.length > 1 && alike(values[0]!, 0) && values.filter(alike).length > 1;
};

/**
 * Whether a value contains other rows, which happens when a quote is opened by mistake: a line of it looks like a whole row, or
 * begins as its own row does, however short it is; or its first and its last line are whole rows with the values around it, because a
 * second quote, in another row, closed it. Pure.
 */
export const holdsRow = (cells: readonly string[], at: number, delimiter: string, width: number): boolean => {
  const cell = cells[at]!;
  if (!/[\r\n]/.test(cell)) return false;
  const [first, ...others] = cell.split(/\r\n|\r|\n/).map((line) => line.split(delimiter));
  const after = cells.slice(at + 1);
  const own = [...cells.slice(0, at), ...first!];
  const isRow = (line: readonly string[], index: number) =>
    beginsLike(index === others.length - 1 ? [...line, ...after] : line, own);
  if (others.some(isRow)) return true;
  if (width < 3) return false;
  if (others.some((line) => line.length >= width)) return true;
  return at + first!.length === width && others.at(-1)!.length + after.length === width;
};
