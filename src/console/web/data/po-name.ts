/** `PO 4711`; a number that begins with PO already is not called PO twice. */
export const poName = (poNumber: string): string =>
  /^p\.?o\b/i.test(poNumber) ? poNumber : `PO ${poNumber}`;
