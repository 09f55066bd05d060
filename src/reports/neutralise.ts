const formulaStart = /^[=+\-@\t\r]/;
const plainNumber = /^[+-]?\d+(?:[.,]\d+)*$/;

/**
 * A cell as it may stand in a CSV file that a spreadsheet program opens: what would be a formula gets a leading ',
 * which intake takes off again, exactly one. A cell that has such a mark already stays as it is, so that a file can go
 * round as often as it likes and is always read as the same. Pure.
 * @param numeric the column holds numbers: -5 stays what it is
 */
export const neutralise = (text: string, numeric: boolean): string =>
  formulaStart.test(text) && !(numeric && plainNumber.test(text)) ? `'${text}` : text;
