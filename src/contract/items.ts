import { z } from 'zod';
import { plainText, textUpTo } from './text.ts';

/** Spec 2.3, request: the single fields, as intake checks them. */
export const itemFields = {
  item_sku: plainText().min(1).meta({ description: 'Item SKU; this or item_id is required.' }),
  item_id: plainText().min(1).meta({ description: 'Item ID; this or item_sku is required.' }),
  quantity: z.int().min(1).meta({ description: 'Desired quantity, a whole number of at least 1.' }),
  note: textUpTo(30).meta({ maxLength: 30, description: 'A note.' }),
};

/** Spec 2.3 and 4.3: the body of POST /carts/{po_number}/items. */
export const itemRequest = z
  .object({
    item_sku: itemFields.item_sku.optional(),
    item_id: itemFields.item_id.optional(),
    quantity: itemFields.quantity,
    note: itemFields.note.optional(),
  })
  .refine((item) => (item.item_sku === undefined) !== (item.item_id === undefined), {
    error: 'one of item_sku and item_id',
    path: ['item_sku'],
    params: { rule: 'one_of' },
  })
  .meta({ oneOf: [{ required: ['item_sku'] }, { required: ['item_id'] }] });
export type ItemRequest = z.infer<typeof itemRequest>;

/** Spec 2.3, response. */
export const itemAdded = z
  .object({
    sku: z.string(),
    name: z.string(),
    available_quantity: z.int(),
    backorder_quantity: z.int(),
    dealer_price: z.number(),
  })
  .meta({ id: 'ItemAdded' });
export type ItemAdded = z.infer<typeof itemAdded>;
