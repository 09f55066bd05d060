import { z } from 'zod';
import { type CodeLists, cartRequest, whyPoNumberIsUnusable } from '../../contract/carts.ts';
import { orderStatuses } from '../../contract/codes.ts';
import { itemFields, itemRequest } from '../../contract/items.ts';
import { onlyDealer } from '../authenticate.ts';
import { addItem, createCart, type StoreDeps } from '../carts-store.ts';
import type { Dealer } from '../dealer-schema.ts';
import { submitCart } from '../orders-store.ts';
import { problemKinds } from '../problems.ts';
import { RefusedRequest } from '../read-body.ts';
import { placeOn, setStatus } from './set-status.ts';

/** The paths of texts that contain the replacement character of damaged text. */
const damagedTexts = (value: unknown, path: PropertyKey[] = []): PropertyKey[][] => {
  if (typeof value === 'string') return value.includes('\ufffd') ? [path] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => damagedTexts(inner, [...path, name]));
};

/** A cart or an order to create: the fields of spec 2.1 and 2.3, and its final state. */
export const seedSchema = (lists: CodeLists, maxQuantity: number) => {
  const quantity = itemFields.quantity.max(maxQuantity, { error: `at most ${maxQuantity}` });
  const item = itemRequest.safeExtend({ quantity }).strict();
  const seed = z.strictObject({
    dealer: z.string().optional().describe('Name of the dealer; needed if there are several.'),
    ...cartRequest(lists).shape,
    po_number: z
      .string()
      .refine((text) => whyPoNumberIsUnusable(text) === undefined, { error: 'a PO number' })
      .describe('The PO number. All options of a cart (2.1) can be given, too.'),
    items: z.array(item).default([]).describe('The items, as in 2.3.'),
    ordered: z.boolean().default(false).describe('Submits the cart.'),
    status: z
      .enum(orderStatuses)
      .optional()
      .describe('Submits the cart and sets the status of its orders, which then stay in it.'),
    order_date: z.iso
      .date()
      .optional()
      .describe('Submits the cart as of noon (UTC) of this day, YYYY-MM-DD.'),
  });
  // Seeds come from files. PO numbers that differ only in damaged characters would become equal.
  return seed.superRefine((given, context) => {
    for (const path of damagedTexts(given)) {
      const message = 'contains U+FFFD, which replaces bytes that are not UTF-8; read the text as UTF-8';
      context.addIssue({ code: 'custom', path, message, params: { rule: 'damaged_text' } });
    }
  });
};
export type Seed = z.infer<ReturnType<typeof seedSchema>>;
/** A seed as given: everything except `po_number` is optional. */
export type SeedInput = z.input<ReturnType<typeof seedSchema>>;

/** The result of a seed. */
export interface Seeded {
  dealer: string;
  po_number: string;
  cart_number: string;
  /** Empty for an open cart. */
  order_numbers: string[];
}

const dealerOf = ({ dealer }: Seed, dealers: readonly Dealer[]): Dealer => {
  if (dealers.length === 0 && dealer === undefined) return onlyDealer;
  const known = dealers.length === 0 ? [onlyDealer] : dealers;
  const found = known.find(({ name }) => name === dealer);
  if (found) return found;
  if (dealer === undefined && known.length === 1) return known[0]!;
  const names = known.map(({ name }) => name).join(', ');
  throw new RefusedRequest('invalid', `The dealer must be one of ${names}.`, [
    { field: 'dealer', code: 'unknown_dealer', message: `one of ${names}` },
  ]);
};

/**
 * Creates the cart or order of a seed by the rules of the endpoints. If it is refused, the caller must roll back.
 * @returns undefined if the PO number is in use and `skipUsed` is set
 * @throws RefusedRequest if the endpoints would refuse it
 */
export const applySeed = async (
  deps: StoreDeps,
  seed: Seed,
  { requestId, skipUsed = false }: { requestId: string; skipUsed?: boolean },
): Promise<Seeded | undefined> => {
  const { dealer: _, items, ordered, status, order_date, ...request } = seed;
  const dealer = dealerOf(seed, deps.config.dealers);
  const key = { dealer: dealer.name, poNumber: request.po_number };
  const facts = { requestId, dealer: dealer.name, poNumber: request.po_number };
  const refuse = (kind: keyof typeof problemKinds, field: string): never => {
    const message = problemKinds[kind][1];
    throw new RefusedRequest(kind, message, [{ field, code: kind, message }]);
  };
  const created = await createCart(
    deps,
    { key, facts: { ...facts, endpoint: 'createCart' } },
    request,
    dealer,
  );
  if (created.kind !== 'created') return skipUsed ? undefined : refuse(created.kind, 'po_number');
  for (const [at, item] of items.entries()) {
    const added = await addItem(deps, { key, facts: { ...facts, endpoint: 'addItem' } }, item);
    if (added.kind !== 'added') refuse(added.kind, `items.${at}`);
  }
  const seeded = { dealer: dealer.name, po_number: request.po_number, cart_number: created.cart.cart_number };
  if (!ordered && status === undefined && order_date === undefined) return { ...seeded, order_numbers: [] };
  const submitted = await submitCart(deps, { key, facts: { ...facts, endpoint: 'submitOrder' } });
  if (submitted.kind !== 'ordered') return refuse(submitted.kind, 'items');
  if (order_date !== undefined) await placeOn(deps.pool, submitted.orderNumber, order_date);
  const { rows } = await deps.pool.query<{ order_number: string }>(
    `select order_number from dealer_service.orders where submission_id =
       (select submission_id from dealer_service.orders where order_number = $1) order by order_id`,
    [submitted.orderNumber],
  );
  const numbers = rows.map((row) => row.order_number);
  if (status !== undefined) for (const number of numbers) await setStatus(deps.pool, number, status);
  return { ...seeded, order_numbers: numbers };
};
