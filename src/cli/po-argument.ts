import { cleanCell } from '../intake/rows/clean-cell.ts';

/** A PO number as a person typed or copied it: read like a cell of a file, without blanks at its ends and characters that cannot be seen. */
export const readPoNumber = (argument: string): string => cleanCell(argument, 'identifier').text || argument;
