/** `PO 4711`; a number that begins with PO already (`PO 47 11`, `P.O.4711`, `PO4711`) is not called PO twice. Pure. */
export const poName = (poNumber: string): string =>
  /^p\.?o(?![a-z])/i.test(poNumber) ? poNumber : `PO ${poNumber}`;
