/**
 * A PO number without case (purchase_orders.po_key): by it POs are found, and two that differ only in case are seen. It
 * is stored, and never may become another one for a number that a ledger has.
 * Undefined where Postgres' own `lower` says the same, which is where it is plain ASCII.
 */
export const foldedPoKey = (poNumber: string): string | undefined =>
  /^[\x00-\x7f]*$/.test(poNumber) ? undefined : poNumber.normalize('NFKC').toLowerCase();

/** The key of any PO number, to look it up. */
export const poKeyOf = (poNumber: string): string => foldedPoKey(poNumber) ?? poNumber.toLowerCase();
