import { extname } from 'node:path';
import { shortenToBytes } from '../intake/file-names.ts';

const longestStem = 120;
const textEndings = new Set(['.csv', '.tsv', '.txt']);

/** A dealer's name for a file without what a file system or a shell could take amiss. Pure. */
const safeName = (name: string): string =>
  name
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{C}/\\:*?"<>|\ufffd]/gu, '_')
    .replace(/^[.\s~-]+/, '_')
    .replace(/[.\s]+$/, '');

/**
 * The name of an import's result file: the dealer's own name, our number of the import, and the ending that it came
 * with. Where the answer has another format (an .xls comes back as .xlsx) the dealer's ending stays in the name. Pure.
 */
export const resultName = (
  { fileName, importId }: { fileName: string; importId: string },
  format: 'csv' | 'xlsx' | 'json',
): string => {
  const ending = extname(fileName).toLowerCase();
  const same = format === 'csv' ? textEndings.has(ending) : ending === `.${format}`;
  const stem = same ? fileName.slice(0, -ending.length) : fileName;
  return `${shortenToBytes(safeName(stem), longestStem) || 'file'}.${importId}.result${same ? ending : `.${format}`}`;
};
