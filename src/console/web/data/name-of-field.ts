const words: Record<string, string> = {
  po: 'PO',
  sku: 'SKU',
  id: 'ID',
  zip: 'ZIP',
  misc: 'other',
};

/** A field of the service as people read it: `ship_zip` becomes `Ship ZIP`. Pure. */
export const nameOfField = (field: string): string => {
  const text = field
    .split('_')
    .map((word) => words[word] ?? word)
    .join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
};
