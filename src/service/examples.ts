import type { ServiceConfig } from './config.ts';
import type { Endpoint } from './fault-rules.ts';
import { type ProblemCode, problemKinds, problemOf } from './problems.ts';

/** The example request and answers of one endpoint. */
interface Example {
  parameters?: Record<string, string>;
  request?: object;
  answer: object;
}

const poNumber = 'PO-1001';
const item = { sku: 'HT-1000', name: 'Item HT-1000' };
const added = { available_quantity: 2, backorder_quantity: 0, dealer_price: 104.45 };
const cart = { cart_number: 'C10000001', po_number: poNumber, shipment_type: 'drop_ship' };

const po = {
  po_number: poNumber,
  ship_name: 'Ann Miller',
  ship_address: '1 Elm St',
  ship_city: 'Boise',
  ship_state: 'ID',
  ship_zip: '83702',
  order_details: [
    {
      order_number: '20000001',
      order_status: 'Shipped',
      invoice_number: null,
      freight: 10.45,
      misc_charges: 0,
      order_total: 219.35,
      warehouse: 'GA',
      order_date: '2026-01-30',
      ship_date: '2026-01-31',
      invoice_date: null,
      ship_via: 'BEST',
      tracking_numbers: ['1Z4F2A9C0D1E3B5768'],
      items: [{ ...item, order_quantity: 2, ship_quantity: 2, backorder_quantity: 0, price: 104.45 }],
    },
  ],
};

/**
 * The examples of the OpenAPI document. Sent in its order, they succeed on a new service with a seed for the cart that is
 * deleted.
 */
const examples: Record<Endpoint, Example> = {
  createCart: {
    request: {
      po_number: poNumber,
      ship_name: 'Ann Miller',
      ship_address1: '1 Elm St',
      ship_city: 'Boise',
      ship_state: 'ID',
      ship_zip: '83702',
    },
    answer: cart,
  },
  showCart: {
    parameters: { po_number: poNumber },
    answer: {
      ...cart,
      default_warehouse: 'GA',
      ship_via: 'BEST',
      cross_ship_via: 'BEST',
      ship_to: null,
      ship_name: 'Ann Miller',
      ship_address1: '1 Elm St',
      ship_address2: null,
      ship_address3: null,
      ship_city: 'Boise',
      ship_state: 'ID',
      ship_zip: '83702',
      ship_phone: null,
      email: null,
      comment1: null,
      comment2: null,
      allow_backorder: true,
      hold_order: false,
      multiple_warehouse: false,
      proof_of_delivery: false,
      promo_code: null,
      pay_type: 'OO',
      cc_last_four: null,
      description: null,
      items: [{ ...item, quantity: 2, note: 'Blue, if possible', ...added }],
    },
  },
  addItem: {
    parameters: { po_number: poNumber },
    request: { item_sku: item.sku, quantity: 2, note: 'Blue, if possible' },
    answer: { ...item, ...added },
  },
  deleteCart: { parameters: { po_number: 'PO-1002' }, answer: { po_number: 'PO-1002' } },
  submitOrder: { request: { po_number: poNumber }, answer: { order_number: '20000001' } },
  showOrder: { parameters: { po_number: poNumber }, answer: po },
  listOrders: { parameters: { from_date: '20260101', to_date: '20261231' }, answer: [po] },
};

/** The cause of a problem, if its code does not say enough. */
const causes: Partial<Record<ProblemCode, Parameters<typeof problemOf>[1]>> = {
  malformed: { detail: 'The body is not valid JSON: it is empty.' },
  unauthenticated: { detail: 'Send the header "Authorization: Bearer TOKEN".' },
  forbidden: { detail: 'This token has the access "read".' },
  too_many_requests: { detail: 'Retry after 1 s.' },
  unknown_item: { errors: [{ field: 'item_sku', code: 'unknown_item', message: 'is not in the catalogue' }] },
};
/** By endpoint, because each has other fields. */
const invalid: Partial<Record<Endpoint, string[]>> = {
  createCart: ['ship_to', 'exact_length', 'exactly 7 characters'],
  addItem: ['item_sku', 'one_of', 'one of item_sku and item_id'],
  submitOrder: ['po_number', 'invalid_type', 'is missing; it must be text'],
  listOrders: ['from_date', 'date', 'a date in the form YYYYMMDD'],
};

interface Media {
  example?: unknown;
  examples?: Record<string, { value: unknown }>;
}
export interface Operation {
  operationId?: string;
  parameters?: { name: string; example?: unknown }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, { description: string; content?: Record<string, Media> }>;
}

/** Adds examples to an operation of the OpenAPI document: parameters, bodies and every answer. */
export const addExamples = (operation: Operation, config: Pick<ServiceConfig, 'envelope'>): void => {
  const endpoint = operation.operationId as Endpoint;
  const example = examples[endpoint];
  for (const parameter of operation.parameters ?? []) {
    parameter.example = example.parameters?.[parameter.name];
  }
  for (const media of Object.values(operation.requestBody?.content ?? {})) media.example = example.request;
  for (const [status, { description, content }] of Object.entries(operation.responses)) {
    for (const media of Object.values(content ?? {})) {
      if (status === '200') {
        media.example = config.envelope === 'data' ? { data: example.answer } : example.answer;
        continue;
      }
      // The description lists the codes of a status (documentAnswers).
      const codes = (Object.keys(problemKinds) as ProblemCode[]).filter((code) =>
        description.includes(`${code}: `),
      );
      media.examples = Object.fromEntries(
        codes.map((code) => {
          const [field, rule, message] = invalid[endpoint] ?? [];
          const errors =
            code === 'invalid' && field ? [{ field, code: rule!, message: message! }] : undefined;
          const value = problemOf(code, {
            ...causes[code],
            instance: 'urn:request:order-17',
            ...(errors ? { errors } : {}),
          });
          return [code, { value: { ...value, message: value.title } }];
        }),
      );
    }
  }
};
