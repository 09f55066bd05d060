import { FileRefused } from '../errors.ts';
import { openSource, type PurchaseFile } from './read-purchase-file.ts';

const mostRows = 20;

const plain = (text: string): string => text.normalize('NFKC').trim().toLowerCase();

/**
 * At most 20 rows of a file in which a cell equals this text, ignoring case; undefined: the file cannot be opened. Columns are not
 * interpreted.
 */
export const rowsWithText = async (file: PurchaseFile, wanted: string): Promise<number[] | undefined> => {
  const text = plain(wanted);
  const found: number[] = [];
  try {
    const source = await openSource(file);
    try {
      for (const at of source.tables.keys()) {
        for await (const batch of source.rows(at)) {
          for (const { rowNumber, cells } of batch)
            if (cells.some((cell) => plain(cell) === text)) found.push(rowNumber);
          if (found.length >= mostRows) return found.slice(0, mostRows);
        }
      }
    } finally {
      source.close();
    }
    return found;
  } catch (error) {
    if (error instanceof FileRefused) return undefined;
    throw error;
  }
};
