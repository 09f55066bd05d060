import { z } from 'zod';
import { cartShipCodes, payTypes, warehouses } from './codes.ts';
import { plainText, textOf, textUpTo } from './text.ts';

/** The longest PO number that we accept; our limit (spec 2.1). */
export const maxPoNumberLength = 200;

/** Spec 2.1: any non-empty string. */
export const poNumber = plainText().min(1, { error: 'a PO number' }).meta({
  description: 'Identifier of the cart. Used to add items and to submit the order.',
});

/**
 * Why a PO number cannot be used in a URL path; undefined when it can. encodeURIComponent keeps `.` and `..`, which URL
 * parsers resolve as folders. Control characters and lone surrogates may not pass every proxy.
 */
export const whyPoNumberIsUnusable = (text: string): string | undefined => {
  if (text === '') return 'it is empty';
  if (text === '.' || text === '..') return 'web addresses treat it as a folder';
  if (/[\u0000-\u001f\u007f-\u009f]/.test(text)) return 'it contains a control character';
  if (!text.isWellFormed()) return 'it contains an incomplete character';
  if ([...text].length > maxPoNumberLength) return `it is longer than ${maxPoNumberLength} characters`;
  return undefined;
};

const described = <S extends z.ZodType>(schema: S, description: string) =>
  schema.meta({ ...schema.meta(), description });

/** The code lists that an account may extend. */
export interface CodeLists {
  warehouses: readonly string[];
  cartShipCodes: readonly string[];
}

/** The code lists of an account without additional codes. */
export const specCodeLists: CodeLists = { warehouses, cartShipCodes };

const optionFieldsOf = (lists: CodeLists) => ({
  default_warehouse: described(z.enum(lists.warehouses as [string, ...string[]]), 'Default warehouse.'),
  ship_via: described(z.enum(lists.cartShipCodes as [string, ...string[]]), 'Shipping method code.'),
  cross_ship_via: described(z.enum(lists.cartShipCodes as [string, ...string[]]), 'Cross ship method code.'),
  ship_to: described(textOf(7), 'Ship-to number assigned by the service operator.'),
  ship_name: described(textUpTo(30), 'Drop ship recipient.'),
  ship_address1: described(textUpTo(30), 'Drop ship address line 1.'),
  ship_address2: described(textUpTo(30), 'Drop ship address line 2.'),
  ship_address3: described(textUpTo(30), 'Drop ship address line 3.'),
  ship_city: described(textUpTo(17), 'Drop ship city.'),
  ship_state: described(textUpTo(2), 'Drop ship state.'),
  ship_zip: described(textUpTo(15), 'Drop ship zip code.'),
  ship_phone: described(textUpTo(15), 'Drop ship phone number.'),
  email: described(textUpTo(50), 'Drop ship e-mail address.'),
  comment1: described(textUpTo(50), 'Comment, line 1.'),
  comment2: described(textUpTo(50), 'Comment, line 2.'),
  allow_backorder: described(z.boolean(), 'Allow back order.'),
  hold_order: described(z.boolean(), 'Hold the order.'),
  multiple_warehouse: described(z.boolean(), 'Fill from multiple warehouses.'),
  proof_of_delivery: described(z.boolean(), 'A signature is required on delivery.'),
  promo_code: described(plainText(), 'Promo code.'),
  pay_type: described(z.enum(payTypes), 'CC = credit card, OO = open order.'),
  cc_last_four: described(
    z.int().min(0).max(9999),
    'Last four digits of the credit card on file to use (42 means 0042).',
  ),
  description: described(textUpTo(50), 'Cart description.'),
});

const specOptionFields = optionFieldsOf(specCodeLists);

/**
 * Spec 2.1 without po_number: the options of a cart, each of them optional. The fields for the spec's own lists are created once, because
 * that takes as long as checking a small file.
 */
export const cartOptionFields = (lists: CodeLists = specCodeLists) =>
  lists === specCodeLists ? specOptionFields : optionFieldsOf(lists);

/** Spec 2.1: the body of POST /carts. */
export const cartRequest = (lists: CodeLists = specCodeLists) =>
  z.object({ po_number: poNumber, ...z.object(cartOptionFields(lists)).partial().shape });

export type CartRequest = z.infer<ReturnType<typeof cartRequest>>;
export type CartOptions = Omit<CartRequest, 'po_number'>;
export type CartOptionName = keyof ReturnType<typeof cartOptionFields>;

/** Spec 2.2: the answer to POST /carts. */
export const cartCreated = z
  .object({
    cart_number: z.string().meta({ description: 'Unique number assigned to the cart.' }),
    po_number: z.string(),
    shipment_type: z.string().meta({ description: 'The shipment type.' }),
  })
  .meta({ id: 'CartCreated' });
export type CartCreated = z.infer<typeof cartCreated>;

/** An item of a cart (spec 4.2). */
const cartItem = z
  .object({
    sku: z.string(),
    name: z.string(),
    quantity: z.int(),
    note: z.string().nullable(),
    available_quantity: z.int(),
    backorder_quantity: z.int(),
    dealer_price: z.number(),
  })
  .meta({ id: 'CartItem' });

const nullable = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.object(
    Object.fromEntries(Object.entries(shape).map(([name, field]) => [name, z.nullable(field as z.ZodType)])),
  ) as unknown as z.ZodObject<{ [Name in keyof Shape]: z.ZodNullable<Shape[Name]> }>;

/**
 * Spec 4.2, our choice (docs/spec-decisions.md#carts): every cart field (null
 * without a value), the fields of its creation, and its items. `items` is absent if the service does not show them.
 */
export const cartShown = z
  .object({
    ...cartCreated.shape,
    ...nullable(cartOptionFields()).shape,
    items: z.array(cartItem).optional(),
  })
  .meta({ id: 'Cart' });
export type CartShown = z.infer<typeof cartShown>;

/** Spec 4.4, our choice (docs/spec-decisions.md#carts). */
export const cartDeleted = z.object({ po_number: z.string() }).meta({ id: 'CartDeleted' });
