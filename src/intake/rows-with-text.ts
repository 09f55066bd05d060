import { FileRefused } from '../errors.ts';
import { openSource, type PurchaseFile } from './read-purchase-file.ts';

const mostRows = 20;

const plain = (text: string): string => text.normalize('NFKC').trim().toLowerCase();

/** The rows of a file in which a cell is this text, in any case, at most 20; undefined: the file cannot be opened. No column gets a meaning. */
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
