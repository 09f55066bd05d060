const letters: string[] = [];

/** The letters of a column of a spreadsheet, from 0: A, B, … Z, AA. */
export const columnLetters = (at: number): string => {
  letters[at] ??=
    (at >= 26 ? columnLetters(Math.floor(at / 26) - 1) : '') + String.fromCharCode(65 + (at % 26));
  return letters[at];
};

/** The column that letters name, from 0. */
export const columnAt = (name: string): number =>
  [...name.toUpperCase()].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
