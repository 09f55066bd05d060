const formulaStart = /^'*[=+\-@\t\r]/;
const plainNumber = /^[+-]?\d+(?:[.,]\d+)*$/;

/**
 * Text as it may stand in a CSV file that a spreadsheet program opens: what would be a formula gets a leading ',
 * which intake takes off again, exactly one. A text that has such a mark already gets one more, so that it too comes
 * back as it was. Pure.
 * @param numeric the column holds numbers: -5 stays what it is
 */
export const neutralise = (text: string, numeric: boolean): string =>
  formulaStart.test(text) && !(numeric && plainNumber.test(text)) ? `'${text}` : text;
