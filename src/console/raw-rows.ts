import type { RawRowsAnswer } from '../api-contract/purchase-orders.ts';
import { messageOf } from '../errors.ts';
import { type PurchaseFile, readPurchaseFile } from '../intake/read-purchase-file.ts';
import type { Detection } from '../intake/types.ts';

/** Rows after this one are not searched for, because reading that far would keep the console busy. */
const lastRowRead = 200_000;

/** Why the rows of a PO cannot be shown. */
export const unreadable = (why: string): RawRowsAnswer => ({ header: null, rows: [], why });

/** The rows with these numbers as written in the file. Stops reading after the last one. */
export const readRawRows = async (
  file: Omit<PurchaseFile, 'detection'> & { detection: Detection | null; rowNumbers: readonly number[] },
): Promise<RawRowsAnswer> => {
  const { detection, rowNumbers, ...rest } = file;
  const last = Math.max(0, ...rowNumbers);
  if (!detection) return unreadable('The file was refused, so it has no rows in the ledger.');
  if (last > lastRowRead)
    return unreadable(
      `The rows are so far down (row ${last}) that they are not looked up here. Download the source file.`,
    );
  try {
    const opened = await readPurchaseFile({ ...rest, detection });
    if (opened.kind === 'refused') return unreadable(opened.message);
    const wanted = new Set(rowNumbers);
    const rows: RawRowsAnswer['rows'] = [];
    try {
      for await (const batch of opened.batches) {
        for (const { rowNumber, cells } of batch) if (wanted.has(rowNumber)) rows.push({ rowNumber, cells });
        if ((batch.at(-1)?.rowNumber ?? 0) >= last) break;
      }
    } finally {
      opened.close();
    }
    return { header: opened.header, rows, why: null };
  } catch (error) {
    const isGone = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return unreadable(
      isGone
        ? 'The private copy of the file is not on this machine, or it was removed.'
        : `The private copy of the file cannot be read: ${messageOf(error)}.`,
    );
  }
};
