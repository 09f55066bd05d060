/** Texts of the ledger's tables mark settings with backticks, which are for documents and not for a page. */
export const plain = (text: string): string => text.replaceAll('`', '');
