import { stripVTControlCharacters } from 'node:util';
import Table from 'cli-table3';
import type { Terminal } from './terminal.ts';

export interface Column {
  head: string;
  align?: 'left' | 'right';
  /** Whether its cells may be wrapped if the terminal is too narrow. */
  wraps?: boolean;
}

/** A column of numbers. */
export const right = (head: string): Column => ({ head, align: 'right' });

/** A column of text that may be long. */
export const wrapping = (head: string): Column => ({ head, wraps: true });

const noLines =
  'top top-mid top-left top-right bottom bottom-mid bottom-left bottom-right left left-mid mid mid-mid right right-mid';
const lightLines = { ...Object.fromEntries(noLines.split(' ').map((place) => [place, ''])), middle: '  ' };

const widthOf = (text: string): number =>
  Math.max(0, ...text.split('\n').map((line) => [...stripVTControlCharacters(line)].length));
const narrowest = 18;

/** Breaks a word that is wider than its column: prices and paths must not be truncated. */
const breakWord = (word: string, width: number): string => {
  const lines: string[] = [];
  let left = [...word];
  while (left.length > width) {
    const [whole] = /^.*[=/._-]/su.exec(left.slice(0, width).join('')) ?? [];
    const most = whole === undefined ? width : [...whole].length;
    lines.push(left.slice(0, most).join(''));
    left = left.slice(most);
  }
  return [...lines, left.join('')].join('\n');
};

/** A table with a head, aligned columns and no frame. Cells are not escaped: the caller passes safe text. */
export const drawTable = (
  terminal: Pick<Terminal, 'columns' | 'paint'>,
  heads: readonly (Column | string)[],
  rows: readonly (readonly string[])[],
): string => {
  const columns = heads.map((head): Column => (typeof head === 'string' ? { head } : head));
  const widths = columns.map(({ head }, at) =>
    Math.max(widthOf(head), ...rows.map((row) => widthOf(row[at] ?? ''))),
  );
  const gaps = 2 * (columns.length - 1);
  const total = widths.reduce((sum, width) => sum + width, gaps);
  const wrapping = columns.flatMap(({ wraps }, at) => (wraps ? [at] : []));
  if (total > terminal.columns && wrapping.length > 0) {
    const others = total - wrapping.reduce((sum, at) => sum + widths[at]!, 0);
    let left = terminal.columns - others;
    // Width that a narrow column does not need goes to the wider ones.
    const byWidth = wrapping.toSorted((a, b) => widths[a]! - widths[b]!);
    for (const [nth, at] of byWidth.entries()) {
      widths[at] = Math.min(widths[at]!, Math.max(narrowest, Math.floor(left / (byWidth.length - nth))));
      left -= widths[at]!;
    }
  }
  const table = new Table({
    chars: lightLines,
    style: { head: [], border: [], 'padding-left': 0, 'padding-right': 0 },
    head: columns.map(({ head }) => terminal.paint('bold', head)),
    colAligns: columns.map(({ align = 'left' }) => align),
    colWidths: widths,
    wordWrap: true,
  });
  table.push(
    ...rows.map((row) =>
      row.map((cell, at) =>
        columns[at]?.wraps && stripVTControlCharacters(cell) === cell
          ? cell.replace(/\S+/gu, (word) => breakWord(word, widths[at]!))
          : cell,
      ),
    ),
  );
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => stripVTControlCharacters(line).trim() !== '')
    .join('\n');
};
