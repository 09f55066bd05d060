/** Units that mean single pieces; not boxes, pairs or litres, whose count is not the number of pieces. */
const piece =
  /^(\d+(?:[.,](?:0{1,2}|0{4,8}))?)\s*\(?(?:ea|each|pcs?|pces?|pieces?|units?|st|stk|stck|stü?cke?|stueck|pi[eè]ces?|u|ud|uds|un|unid|unidades|pz|pezzi|stuks?|szt|ks|db|adet|шт|個|件|개)\.?\)?$/iu;

/** A quantity with its unit as one number: `12 ST` and `12 pcs` are 12. Undefined for any other text. Pure. */
export const withoutPieces = (text: string): string | undefined => piece.exec(text)?.[1];

/** Whether a number is shown with a unit behind it that may be several pieces: `2 DZ`, `2 x 12`, but not `USD 2`. Pure. */
export const hasOtherUnit = (shown: string): boolean => {
  const one = shown.replace(/(?<=\d)E[+-]?\d+$/, '').replace(/^\D*\d(?:[\d.,' ]*\d)?/, '1');
  return /\p{L}/u.test(one) && withoutPieces(one.trim()) === undefined;
};

/** The number of pieces in a cell: 2, `2.0`, `2.0000`, `12 ST`. Undefined for any other text, including the ambiguous 2.000. Pure. */
export const pieceCount = (text: string): number | undefined => {
  const number = /^\d{1,9}(?:[.,](?:0{1,2}|0{4,8}))?$/.test(text) ? text : withoutPieces(text);
  return number === undefined ? undefined : Number(number.replace(/[.,].*/, ''));
};
