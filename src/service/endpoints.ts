import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  cartCreated,
  cartDeleted,
  cartRequest,
  cartShown,
  maxPoNumberLength,
  poNumber,
  whyPoNumberIsUnusable,
} from '../contract/carts.ts';
import { itemAdded, itemFields, itemRequest } from '../contract/items.ts';
import { orderCreated, orderRange, orderRequest, poObject } from '../contract/orders.ts';
import { ok, problem, startReading } from './answer.ts';
import { addItem, createCart, deleteCart, readCart } from './carts-store.ts';
import { codeListsOf } from './code-lists.ts';
import type { Endpoint } from './fault-rules.ts';
import { documentAnswers } from './openapi.ts';
import { readPo, readRange, submitCart } from './orders-store.ts';
import { type CallDeps, createServeCall } from './serve-call.ts';

const bodyTypes = ['application/json', 'application/x-www-form-urlencoded'];

const poParams = z.object({
  po_number: z.string().meta({ description: 'The PO number, percent-encoded (a slash is %2F).' }),
});

/** An endpoint's texts in the OpenAPI document. */
const describe = (operationId: Endpoint, tag: 'Carts' | 'Orders', summary: string, description: string) => ({
  operationId,
  summary,
  description,
  tags: [tag],
});

/** Registers the seven endpoints of spec 4, in its order. */
export const registerEndpoints = (root: FastifyInstance, deps: CallDeps): void => {
  const app = root.withTypeProvider<ZodTypeProvider>();
  const { config } = deps;
  const serve = createServeCall(deps);
  const answers = documentAnswers(config.envelope);
  /** Refuses unknown fields by name, or drops them first. */
  const known = <S extends z.ZodObject>(schema: S) =>
    (config.input === 'strict' ? schema.strict() : schema.strip()) as unknown as S;

  const createBody = known(
    cartRequest(codeListsOf(config)).extend({
      po_number: poNumber
        .superRefine((text, context) => {
          const why = whyPoNumberIsUnusable(text);
          if (why) context.addIssue({ code: 'custom', message: why, params: { rule: 'po_number' } });
        })
        .meta({ maxLength: maxPoNumberLength, description: poNumber.description }),
    }),
  );
  const itemBody = known(
    itemRequest.safeExtend({
      quantity: itemFields.quantity.max(config.maxQuantity, { error: `at most ${config.maxQuantity}` }),
    }),
  ).meta({ ...itemRequest.meta() });

  app.route({
    method: 'POST',
    url: '/carts',
    config: { endpoint: 'createCart' },
    schema: {
      ...describe(
        'createCart',
        'Carts',
        'Create a cart',
        'Creates a cart for a PO number. Options that are not sent get the defaults of the dealer.',
      ),
      consumes: bodyTypes,
      body: createBody,
      response: answers(cartCreated, 'The cart.', ['cart_exists', 'already_ordered']),
    },
    handler: (request, reply) =>
      serve(request, reply, async (call) => {
        const outcome = await createCart(deps, call, request.body, call.dealer);
        return outcome.kind === 'created' ? ok(outcome.cart) : problem(outcome.kind);
      }),
  });

  app.route({
    method: 'GET',
    url: '/carts/:po_number',
    config: { endpoint: 'showCart' },
    schema: {
      ...describe(
        'showCart',
        'Carts',
        'Show a cart',
        'Returns the open cart of a PO number with its options and items.',
      ),
      params: poParams,
      response: answers(cartShown, 'The cart with its options and items.', ['no_cart']),
    },
    handler: (request, reply) =>
      serve(request, reply, async ({ key }) => {
        const cart = await readCart(deps, key);
        return cart ? ok(cart) : problem('no_cart');
      }),
  });

  app.route({
    method: 'POST',
    url: '/carts/:po_number/items',
    config: { endpoint: 'addItem' },
    schema: {
      ...describe(
        'addItem',
        'Carts',
        'Add an item to a cart',
        'Adds an item by SKU or ID. Adding the same item twice adds it twice.',
      ),
      consumes: bodyTypes,
      params: poParams,
      body: itemBody,
      response: answers(
        itemAdded,
        'The added item with its available and back-ordered quantities and its price.',
        ['no_cart', 'unknown_item', 'insufficient_stock', 'cart_full'],
      ),
    },
    handler: (request, reply) =>
      serve(request, reply, async (call) => {
        const outcome = await addItem(deps, call, request.body);
        switch (outcome.kind) {
          case 'added':
            return ok(outcome.item);
          case 'unknown_item': {
            const field = request.body.item_sku === undefined ? 'item_id' : 'item_sku';
            return problem('unknown_item', [
              { field, code: 'unknown_item', message: 'is not in the catalogue' },
            ]);
          }
          case 'insufficient_stock': {
            const message = `only ${outcome.available} in stock, and the cart does not allow back orders`;
            return problem(outcome.kind, [{ field: 'quantity', code: outcome.kind, message }]);
          }
          default:
            return problem(outcome.kind);
        }
      }),
  });

  app.route({
    method: 'DELETE',
    url: '/carts/:po_number',
    config: { endpoint: 'deleteCart' },
    schema: {
      ...describe(
        'deleteCart',
        'Carts',
        'Delete a cart',
        'Deletes the open cart of a PO number with all its items.',
      ),
      params: poParams,
      response: answers(cartDeleted, 'The cart is deleted.', ['no_cart']),
    },
    handler: (request, reply) =>
      serve(request, reply, async (call) =>
        (await deleteCart(deps, call)) ? ok({ po_number: call.key.poNumber }) : problem('no_cart'),
      ),
  });

  app.route({
    method: 'POST',
    url: '/orders',
    config: { endpoint: 'submitOrder' },
    schema: {
      ...describe(
        'submitOrder',
        'Orders',
        'Submit a cart as an order',
        'Orders the contents of the cart of a PO number. If several warehouses ship, each has an order of its own: the answer names the first, and GET /orders/{po_number} lists them all.',
      ),
      consumes: bodyTypes,
      body: known(orderRequest),
      response: answers(orderCreated, 'The order.', [
        'no_cart',
        'already_ordered',
        'cart_empty',
        'insufficient_stock',
      ]),
    },
    handler: (request, reply) =>
      serve(request, reply, async (call) => {
        const outcome = await submitCart(deps, call);
        return outcome.kind === 'ordered' ? ok({ order_number: outcome.orderNumber }) : problem(outcome.kind);
      }),
  });

  app.route({
    method: 'GET',
    url: '/orders/:po_number',
    config: { endpoint: 'showOrder' },
    schema: {
      ...describe(
        'showOrder',
        'Orders',
        'Show the orders of a PO',
        'Returns every order under a PO number, with its status.',
      ),
      params: poParams,
      response: answers(poObject, 'The PO with its orders.', ['no_order']),
    },
    handler: (request, reply) =>
      serve(request, reply, async ({ key }) => {
        const po = await readPo(deps, key);
        return po ? ok(po) : problem('no_order');
      }),
  });

  app.route({
    method: 'GET',
    url: '/orders',
    config: { endpoint: 'listOrders' },
    // The dates may come in the query or in the body (docs/spec-decisions.md#orders).
    preValidation: async (request) => {
      const dates: object = { ...(request.body as object | undefined), ...request.query };
      request.query = dates as typeof request.query;
    },
    schema: {
      ...describe(
        'listOrders',
        'Orders',
        'List the POs ordered in a range of days',
        'Returns every PO that has orders in the range (UTC days, both included), each with its orders in that range. The two fields may also be sent as a JSON or form body.',
      ),
      querystring: known(orderRange),
      response: answers(z.array(poObject), 'The POs, in the order in which they were submitted.', []),
    },
    handler: (request, reply) =>
      serve(request, reply, async ({ key }) => {
        const { from_date: from, to_date: to } = request.query;
        return { kind: 'list', pages: await startReading(readRange(deps, key.dealer, { from, to })) };
      }),
  });
};
