import type { FieldName } from './fields.ts';

const words: Partial<Record<FieldName, string>> = {
  po_number: 'PO number',
  item_sku: 'item number',
  item_id: 'item ID',
  quantity: 'quantity',
  expected_price: 'expected price',
  ship_to: 'ship-to number',
  ship_zip: 'ship-to postal code',
  ship_via: 'shipping method',
  pay_type: 'payment method',
  cc_last_four: 'last four digits of the card',
};

/** A field as people call it, for a sentence after `the`. */
export const sayField = (field: FieldName): string =>
  words[field] ??
  field
    .replace(/^ship_/, 'ship-to ')
    .replace(/_/g, ' ')
    .replace(/(\d)$/, ' $1');
