/**
 * Cells that were copied from a spreadsheet: a row is a line, cells are separated by tabs, and a cell with a line break, a tab or a quote
 * is in quotes. An unclosed quote is an ordinary character, such as an inch sign. A line break in a cell becomes a blank, because an input
 * field would hide it but still send it. Pure.
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
    // The line break after the last row does not start another one.
    at += text.startsWith('\r\n', at) ? 2 : 1;
    if (at >= text.length) return rows;
  }
};
