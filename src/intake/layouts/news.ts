import { listed, quoted } from '../quoted.ts';
import type { SeenColumn } from './seen-column.ts';
import { standsForMany } from './telling-values.ts';

const mostNamed = 3;

const sayColumn = ({ header, values }: SeenColumn): string => {
  const said = values
    .filter(({ key }) => key !== '')
    .map(({ key, text, rows }) => `${standsForMany(key) ? text : JSON.stringify(text)} (${rows} rows)`);
  return `${quoted(header)} says ${listed(said, mostNamed).replaceAll('(1 rows)', '(1 row)')}`;
};

/**
 * Why a file waits although its columns are known: it has content that nobody agreed to. Pure.
 *
 * @param news its new content besides the lines, in words
 * @param unsaid columns that may say something about the order
 * @param layout the layout of its header, whose earlier files did not have this; undefined: the first file with its header
 */
export const sayNews = (
  news: readonly string[],
  unsaid: readonly SeenColumn[],
  layout: string | undefined,
): string => {
  const found = listed([...unsaid.map(sayColumn), ...news], mostNamed);
  const sentence = `${found.charAt(0).toUpperCase()}${found.slice(1)}.`;
  return layout === undefined
    ? `Nobody has said yet whether all rows of such files are to be ordered: ${found}. Look at what would be ordered, and confirm it.`
    : `${sentence} No file of the layout "${layout}" had that before. Look at what would be ordered, and confirm it.`;
};
