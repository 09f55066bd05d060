import type { FieldName } from '../intake/columns/fields.ts';

/** The explanation of a field for a person who fills in a template. */
interface FieldGuide {
  meaning: string;
  /** A valid value, except that those of the PO number and the item are marked as examples. */
  example: string;
}

/**
 * Intake refuses PO numbers and items with this prefix, so the example is not ordered even if somebody copies it into the
 * table.
 */
const exampleMark = 'EXAMPLE';

export const fieldGuide: Record<FieldName, FieldGuide> = {
  po_number: {
    meaning: 'Your purchase order number. Repeat it in each row of the same purchase order.',
    example: `${exampleMark} 004711`,
  },
  item_sku: { meaning: 'The item number (SKU) of the supplier.', example: `${exampleMark} 00520` },
  item_id: { meaning: 'The item ID of the supplier.', example: `${exampleMark} 81` },
  quantity: { meaning: 'How many pieces to order.', example: '3' },
  note: { meaning: 'A note about this item, for the supplier.', example: 'Second floor' },
  expected_price: {
    meaning: 'The price that you expect for one piece. The order is held if the supplier asks for more.',
    example: '12.50',
  },
  ship_to: { meaning: 'The ship-to number that the supplier has given you.', example: '0001234' },
  ship_name: { meaning: 'Who receives the goods.', example: 'Blue Ridge Motors' },
  ship_address1: { meaning: 'Street and house number.', example: '12 Mill Road' },
  ship_address2: { meaning: 'Second line of the address.', example: 'Unit 4' },
  ship_address3: { meaning: 'Third line of the address.', example: 'Dock B' },
  ship_city: { meaning: 'The city.', example: 'Boston' },
  ship_state: { meaning: 'The code of the state or province, such as MA.', example: 'MA' },
  ship_zip: { meaning: 'The ZIP code, with its leading zeros.', example: '02101' },
  ship_phone: { meaning: 'The phone number of the recipient.', example: '0617 555 0134' },
  email: { meaning: 'The e-mail address of the recipient.', example: 'dock@example.com' },
  default_warehouse: { meaning: 'The warehouse that ships the order.', example: '' },
  ship_via: { meaning: 'The code of the shipping method.', example: '' },
  cross_ship_via: {
    meaning: 'The code of the shipping method for items from another warehouse.',
    example: '',
  },
  allow_backorder: { meaning: 'Whether items that are not in stock are back-ordered.', example: '' },
  hold_order: { meaning: 'Whether the supplier holds the order.', example: '' },
  multiple_warehouse: {
    meaning: 'Whether the order may be filled from several warehouses.',
    example: '',
  },
  proof_of_delivery: { meaning: 'Whether a signature is required on delivery.', example: '' },
  promo_code: { meaning: 'A promo code of the supplier.', example: '0SPRING' },
  pay_type: { meaning: 'How the order is paid: CC is a credit card, OO an open order.', example: '' },
  cc_last_four: { meaning: 'The last four digits of the credit card on file.', example: '0042' },
  comment1: { meaning: 'A comment about the purchase order.', example: 'Call before delivery' },
  comment2: { meaning: 'A second line of the comment.', example: 'Gate code at the desk' },
  description: { meaning: 'A description of the purchase order, for your own use.', example: 'Spring stock' },
};
