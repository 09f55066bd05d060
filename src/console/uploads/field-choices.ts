import { type FieldKind, type FieldName, fieldNames, fields } from '../../intake/columns/fields.ts';

const labels: Partial<Record<FieldName, string>> = {
  po_number: 'PO number',
  item_sku: 'Item (SKU)',
  item_id: 'Item (number of the service)',
  note: 'Line note',
  ship_to: 'Ship-to number',
  ship_zip: 'Ship-to ZIP',
  ship_via: 'Shipping method',
  cc_last_four: 'Card, last four digits',
  pay_type: 'Payment type',
};

const helps: Partial<Record<FieldName, string>> = {
  po_number: 'The number of the purchase order; rows with the same number are one PO.',
  item_sku: 'What is ordered, by its SKU. A row needs this or the item number.',
  item_id: 'What is ordered, by the item number of the service.',
  quantity: 'How many pieces are ordered.',
  note: 'A note for this line.',
  expected_price:
    'The price of one piece as the file expects it. A higher price holds the PO; it is never sent.',
};

const helpOfKind: Record<FieldKind, string> = {
  identifier: 'Kept exactly as it is in the file.',
  text: 'Text, sent as it is in the file.',
  code: 'One of the codes of the service.',
  flag: 'Yes or no.',
  quantity: 'A whole number.',
  price: 'A decimal number.',
  last_four: 'Four digits.',
};

const needed: ReadonlySet<FieldName> = new Set(['po_number', 'item_sku', 'quantity']);

const labelOf = (field: FieldName): string => {
  const words = field
    .replaceAll('_', ' ')
    .replace(/(\d)/, ' $1')
    .replace(/^ship /, 'ship-to ');
  return labels[field] ?? words[0]!.toUpperCase() + words.slice(1);
};

/** The possible fields of a column, in the usual order of columns. */
export const fieldChoices = fieldNames.map((field) => ({
  field,
  label: labelOf(field),
  needed: needed.has(field),
  help: helps[field] ?? helpOfKind[fields[field].kind],
}));
