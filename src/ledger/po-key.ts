/**
 * The case-insensitive key of a PO number (purchase_orders.po_key), for lookups and to detect numbers that differ only in
 * case. It is stored, so this function must never return another key for the same number.
 * Undefined if Postgres's `lower` gives the same key, which is the case for ASCII.
 */
export const foldedPoKey = (poNumber: string): string | undefined =>
  /^[\x00-\x7f]*$/.test(poNumber) ? undefined : poNumber.normalize('NFKC').toLowerCase();

/** The key of any PO number, for lookups. */
export const poKeyOf = (poNumber: string): string => foldedPoKey(poNumber) ?? poNumber.toLowerCase();
