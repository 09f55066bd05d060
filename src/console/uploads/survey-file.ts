import type { z } from 'zod';
import type { rawFile } from '../../api-contract/uploads.ts';
import { FileRefused } from '../../errors.ts';
import type { IntakeOptions } from '../../intake/options.ts';
import { openSource } from '../../intake/read-purchase-file.ts';

const most = { sheets: 50, rows: 20, cells: 30, letters: 80 };

const short = (cell: string): string => cell.slice(0, most.letters);

/**
 * The first raw rows of each sheet, so that a person can choose the header.
 *
 * @returns null if the file cannot be opened with these settings
 */
export const surveyFile = async (
  file: { path: string; fileName: string; signal: AbortSignal },
  options: IntakeOptions,
): Promise<z.input<typeof rawFile> | null> => {
  try {
    const apart = { ...options, join: undefined, sheet: undefined, poNumberFrom: undefined };
    const source = await openSource({ ...file, options: apart });
    source.close();
    return {
      format: source.format,
      sheets: source.tables.slice(0, most.sheets).map(({ name, hidden, head }) => ({
        name: name ?? null,
        hidden,
        rows: head.slice(0, most.rows).map(({ rowNumber, cells }) => ({
          rowNumber,
          cells: cells.slice(0, most.cells).map(short),
        })),
      })),
    };
  } catch (error) {
    if (error instanceof FileRefused) return null;
    throw error;
  }
};
