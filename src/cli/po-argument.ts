import { cleanCell } from '../intake/rows/clean-cell.ts';

/** Cleans a typed or copied PO number like a cell of a file: trims blanks and removes invisible characters. */
export const readPoNumber = (argument: string): string => cleanCell(argument, 'identifier').text || argument;
