import { z } from 'zod';
import { cartCreated, cartOptionFields } from './carts.ts';

/** An item of a cart as show cart gives it (open-points.md: items with their quantities). */
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
 * Spec 4, endpoint 2, whose body the spec does not show. open-points.md: every cart field (null where it was
 * neither given nor a default), what creating it answered, and its items. A service can be one that does not
 * show its items; then `items` is absent.
 */
export const cartShown = z
  .object({
    ...cartCreated.shape,
    ...nullable(cartOptionFields()).shape,
    items: z.array(cartItem).optional(),
  })
  .meta({ id: 'Cart' });
export type CartShown = z.infer<typeof cartShown>;

/** Spec 4, endpoint 4, whose body the spec does not show (open-points.md). */
export const cartDeleted = z.object({ po_number: z.string() }).meta({ id: 'CartDeleted' });
