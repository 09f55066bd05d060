/**
 * Cells that were copied from a spreadsheet: a row is a line, cells are separated by tabs, and a cell with a line break, a tab or a quote is
 * in quotes. A quote without an end is an ordinary character, such as the sign of inches. A line break in a cell becomes a blank: a field of the
 * grid would not show it, and it would be sent unseen. Pure.
 */
export const parsePasted = (text: string): string[][] => {
  const cell = /"((?:[^"]|"")*)"(?=[\t\r\n]|$)|[^\t\r\n]*/y;
  const rows: string[][] = [];
  let row: string[] = [];
  let at = 0;
  for (;;) {
    cell.lastIndex = at;
    const [found, quoted] = cell.exec(text)!;
    row.push(
      quoted === undefined
        ? found
        : quoted
            .replaceAll('""', '"')
            .replace(/\s*[\r\n]+\s*/g, ' ')
            .trim(),
    );
    at += found.length;
    if (text[at] === '\t') {
      at += 1;
      continue;
    }
    rows.push(row);
    row = [];
    // The line break behind the last row begins no other.
    at += text.startsWith('\r\n', at) ? 2 : 1;
    if (at >= text.length) return rows;
  }
};
