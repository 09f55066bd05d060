/** `PO 4711`; "PO" is not repeated for numbers that already begin with it (`PO 47 11`, `P.O.4711`, `PO4711`). Pure. */
export const poName = (poNumber: string): string =>
  /^p\.?o(?![a-z])/i.test(poNumber) ? poNumber : `PO ${poNumber}`;
