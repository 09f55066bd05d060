const formulaStart = /^[=+\-@\t\r]/;
const plainNumber = /^[+-]?\d+(?:[.,]\d+)*$/;

/**
 * Keeps a CSV cell from being opened as a formula: adds a leading ', of which intake removes exactly one. A cell that
 * already has one is not changed, so a file that is sent back and answered repeatedly always reads the same. Pure.
 * @param numeric the column holds numbers: -5 is not changed
 */
export const neutralise = (text: string, numeric: boolean): string =>
  formulaStart.test(text) && !(numeric && plainNumber.test(text)) ? `'${text}` : text;
