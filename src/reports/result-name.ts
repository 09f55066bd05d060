import { extname } from 'node:path';
import { shortenToBytes } from '../intake/inbox/file-names.ts';
import { textEndings } from '../intake/purchase-file-ending.ts';

const longestStem = 120;

/** Replaces the characters of a dealer's file name that are unsafe in a file system or a shell. Pure. */
const safeName = (name: string): string =>
  name
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{C}/\\:*?"<>|\ufffd]/gu, '_')
    .replace(/^[.\s~-]+/, '_')
    .replace(/[.\s]+$/, '');

/** `not-ordered`: only the rows to correct. */
export type ResultPart = 'result' | 'not-ordered';

/**
 * The name of an import's result file: the dealer's file name, the import's number and the original extension. If the
 * format differs (.xls is answered as .xlsx), the original extension stays in the name. Pure.
 */
export const resultName = (
  { fileName, importId }: { fileName: string; importId: string },
  format: 'csv' | 'xlsx' | 'json',
  part: ResultPart = 'result',
): string => {
  const ending = extname(fileName).toLowerCase();
  const same = format === 'csv' ? textEndings.includes(ending) : ending === `.${format}`;
  const stem = same ? fileName.slice(0, -ending.length) : fileName;
  return `${shortenToBytes(safeName(stem), longestStem) || 'file'}.${importId}.${part}${same ? ending : `.${format}`}`;
};

/** The path of the file with only the rows to correct, beside a result file. Pure. */
export const notOrderedPath = (resultPath: string): string =>
  resultPath.replace(/\.result(\.[^./]+)$/, '.not-ordered$1');
