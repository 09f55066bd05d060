import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { cartDeleted, cartShown } from '../contract/cart-shown.ts';
import {
  cartCreated,
  cartRequest,
  maxPoNumberLength,
  poNumber,
  whyPoNumberIsUnusable,
} from '../contract/carts.ts';
import { itemAdded, itemFields, itemRequest } from '../contract/items.ts';
import { orderCreated, orderRange, orderRequest, poObject } from '../contract/orders.ts';
import type { Answer } from './answer.ts';
import { addItem, createCart, deleteCart, readCart } from './carts-store.ts';
import { documentAnswers } from './openapi.ts';
import { readPo, readRange, submitCart } from './orders-store.ts';
import { type CallDeps, createServeCall } from './serve-call.ts';

const bodyTypes = ['application/json', 'application/x-www-form-urlencoded'];

const poParams = z.object({
  po_number: z.string().meta({ description: 'The PO number, percent-encoded (a slash is %2F).' }),
});

const nothing: Answer = { kind: 'problem', code: 'no_cart' };

/** The seven endpoints of spec 4. Their order is the spec's. */
export const registerEndpoints = (root: FastifyInstance, deps: CallDeps): void => {
  const app = root.withTypeProvider<ZodTypeProvider>();
  const { config } = deps;
  const serve = createServeCall(deps);
  const answers = documentAnswers(config.envelope);
  /** Unknown fields: refused by name, or left out before anything else sees them. */
  const known = <S extends z.ZodObject>(schema: S) =>
    (config.unknownFields === 'refused' ? schema.strict() : schema.strip()) as unknown as S;

  const createBody = known(
    cartRequest().extend({
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
      operationId: 'createCart',
      summary: 'Create a cart',
      description:
        'Creates a cart for a PO number. Options that are not given take the defaults of the dealer.',
      tags: ['Carts'],
      consumes: bodyTypes,
      body: createBody,
      response: answers(cartCreated, 'The cart.', ['cart_exists', 'already_ordered']),
    },
    handler: (request, reply) =>
      serve(request, reply, async (call) => {
        const outcome = await createCart(deps, call, request.body, call.dealer);
        return outcome.kind === 'created'
          ? { kind: 'ok', body: outcome.cart }
          : { kind: 'problem', code: outcome.kind };
      }),
  });

  app.route({
    method: 'GET',
    url: '/carts/:po_number',
    config: { endpoint: 'showCart' },
    schema: {
      operationId: 'showCart',
      summary: 'Show a cart',
      description: 'The open cart of a PO number with every option that applies, and its items.',
      tags: ['Carts'],
      params: poParams,
      response: answers(cartShown, 'The cart with its options and items.', ['no_cart']),
    },
    handler: (request, reply) =>
      serve(request, reply, async ({ key }) => {
        const cart = await readCart(deps, key);
        return cart ? { kind: 'ok', body: cart } : nothing;
      }),
  });

  app.route({
    method: 'POST',
    url: '/carts/:po_number/items',
    config: { endpoint: 'addItem' },
    schema: {
      operationId: 'addItem',
      summary: 'Add an item to a cart',
      description: 'Adds an item by its SKU or its ID. The same item again is added again.',
      tags: ['Carts'],
      consumes: bodyTypes,
      params: poParams,
      body: itemBody,
      response: answers(
        itemAdded,
        'The item as it was added: available and back ordered quantity, and price.',
        ['no_cart', 'unknown_item', 'insufficient_stock', 'cart_full'],
      ),
    },
    handler: (request, reply) =>
      serve(request, reply, async (call) => {
        const outcome = await addItem(deps, call, request.body);
        switch (outcome.kind) {
          case 'added':
            return { kind: 'ok', body: outcome.item };
          case 'unknown_item': {
            const field = request.body.item_sku === undefined ? 'item_id' : 'item_sku';
            const errors = [{ field, code: 'unknown_item', message: 'is not sold here' }];
            return { kind: 'problem', code: 'unknown_item', errors };
          }
          case 'insufficient_stock': {
            const message = `only ${outcome.available} can be had, and the cart does not allow back orders`;
            return {
              kind: 'problem',
              code: outcome.kind,
              errors: [{ field: 'quantity', code: outcome.kind, message }],
            };
          }
          default:
            return { kind: 'problem', code: outcome.kind };
        }
      }),
  });

  app.route({
    method: 'DELETE',
    url: '/carts/:po_number',
    config: { endpoint: 'deleteCart' },
    schema: {
      operationId: 'deleteCart',
      summary: 'Delete a cart',
      description: 'Removes the open cart of a PO number with all its items.',
      tags: ['Carts'],
      params: poParams,
      response: answers(cartDeleted, 'The cart is gone.', ['no_cart']),
    },
    handler: (request, reply) =>
      serve(request, reply, async (call) =>
        (await deleteCart(deps, call)) ? { kind: 'ok', body: { po_number: call.key.poNumber } } : nothing,
      ),
  });

  app.route({
    method: 'POST',
    url: '/orders',
    config: { endpoint: 'submitOrder' },
    schema: {
      operationId: 'submitOrder',
      summary: 'Submit a cart as an order',
      description:
        'Orders what is in the cart of a PO number. Where several warehouses send, there is one order for each; the answer names the first, and GET /orders/{po_number} lists them all.',
      tags: ['Orders'],
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
        return outcome.kind === 'ordered'
          ? { kind: 'ok', body: { order_number: outcome.orderNumber } }
          : { kind: 'problem', code: outcome.kind };
      }),
  });

  app.route({
    method: 'GET',
    url: '/orders/:po_number',
    config: { endpoint: 'showOrder' },
    schema: {
      operationId: 'showOrder',
      summary: 'Show the orders of a PO',
      description: 'Every order that was made under a PO number, with its status.',
      tags: ['Orders'],
      params: poParams,
      response: answers(poObject, 'The PO with its orders.', ['no_order']),
    },
    handler: (request, reply) =>
      serve(request, reply, async ({ key }) => {
        const po = await readPo(deps, key);
        return po ? { kind: 'ok', body: po } : { kind: 'problem', code: 'no_order' };
      }),
  });

  app.route({
    method: 'GET',
    url: '/orders',
    config: { endpoint: 'listOrders' },
    // Spec 4, rule 5 leaves open where the days are carried: a body is as good as a query.
    preValidation: async (request) => {
      const carried: object = { ...(request.body as object | undefined), ...request.query };
      request.query = carried as typeof request.query;
    },
    schema: {
      operationId: 'listOrders',
      summary: 'List the POs that were ordered in a range of days',
      description:
        'Every PO with orders of these days (UTC, both inside), each with its orders of these days. The two fields may also be sent as a JSON or form body.',
      tags: ['Orders'],
      querystring: known(orderRange),
      response: answers(z.array(poObject), 'The POs, in the order in which they were ordered.', []),
    },
    handler: (request, reply) =>
      serve(request, reply, async ({ key }) => ({
        kind: 'list',
        pages: await startReading(
          readRange(deps, key.dealer, { from: request.query.from_date, to: request.query.to_date }),
        ),
      })),
  });
};

/** Waits for the first page, so that what fails at once is still answered as a problem. */
const startReading = async <T>(pages: AsyncGenerator<T, void, undefined>): Promise<AsyncIterable<T>> => {
  const first = await pages.next();
  return (async function* () {
    if (!first.done) yield first.value;
    yield* pages;
  })();
};
