/** The shape of a value: `P-12` and `P-7` are both `P-0`. A plain number keeps its length, its only feature. */
const shapeOf = (text: string): string => {
  const value = text.trim();
  return /^\d+$/.test(value) ? value.replace(/\d/g, '0') : value.replace(/\d+/g, '0');
};

/** Whether values begin like a row: the first one and another one have the row's shapes, both with digits. */
const beginsLike = (values: readonly string[], row: readonly string[]): boolean => {
  const alike = (value: string, at: number) => /\d/.test(value) && shapeOf(value) === shapeOf(row[at] ?? '');
  return values.length > 1 && alike(values[0]!, 0) && values.filter(alike).length > 1;
};

/**
 * Whether a value swallowed other rows because of a stray opening quote: a line of it looks like a whole row, or begins like its own row,
 * however short; or its first and last line are whole rows together with the values around it, because a stray quote in another row closed
 * it. Pure.
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
