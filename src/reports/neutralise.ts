const formulaStart = /^[=+\-@\t\r]/;
const plainNumber = /^[+-]?\d+(?:[.,]\d+)*$/;

/**
 * Prevents spreadsheet programs from reading a CSV cell as a formula: adds a leading ', of which intake removes exactly
 * one. A cell that already has one is not changed, so a file that is sent back repeatedly always reads the same. Pure.
 * @param numeric the column holds numbers: -5 is not changed
 */
export const neutralise = (text: string, numeric: boolean): string =>
  formulaStart.test(text) && !(numeric && plainNumber.test(text)) ? `'${text}` : text;
