import type {
  CartAnswer,
  CartLine,
  CartView,
  ItemAnswer,
  OrderAnswer,
  OrderLine,
  PoAnswer,
} from './answers.ts';

export type Fields = Record<string, unknown>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Text, or a number as decimal text. */
const text = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value === '' ? undefined : value;
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined;
};

const decimal = (value: unknown): string | undefined => {
  const found = text(value)?.trim();
  return found !== undefined && /^-?\d+(\.\d+)?$/.test(found) ? found : undefined;
};

const largest = 2 ** 31 - 1;

/** A whole number within the range of the ledger's columns. */
const whole = (value: unknown): number | undefined => {
  const found = Number(decimal(value) ?? Number.NaN);
  return Number.isInteger(found) && Math.abs(found) <= largest ? found : undefined;
};

/** Removes an envelope: `{data: …}`, or a single key that holds an array. */
const unwrap = (body: unknown): unknown => {
  if (!isFields(body)) return body;
  if ('data' in body) return unwrap(body.data);
  const values = Object.values(body);
  return values.length === 1 && Array.isArray(values[0]) ? values[0] : body;
};

const single = (body: unknown): Fields | undefined => {
  // A cart with only a list of items must not be unwrapped into that list.
  const inner = isFields(body) && !('data' in body) ? body : unwrap(body);
  const found = Array.isArray(inner) && inner.length === 1 ? inner[0] : inner;
  return isFields(found) ? found : undefined;
};

/** Spec 2.2. Undefined without a cart number. */
export const readCartCreated = (body: unknown): CartAnswer | undefined => {
  const fields = single(body);
  const cartNumber = text(fields?.cart_number);
  return cartNumber === undefined ? undefined : { cartNumber, shipmentType: text(fields?.shipment_type) };
};

/** Spec 2.3. Undefined when none of its fields can be read. */
export const readItemAdded = (body: unknown): ItemAnswer | undefined => {
  const fields = single(body);
  if (!fields) return undefined;
  const answer = {
    sku: text(fields.sku),
    name: text(fields.name),
    availableQuantity: whole(fields.available_quantity),
    backorderQuantity: whole(fields.backorder_quantity),
    dealerPrice: decimal(fields.dealer_price),
  };
  return Object.values(answer).some((value) => value !== undefined) ? answer : undefined;
};

const readCartLine = (value: unknown): CartLine | undefined => {
  if (!isFields(value)) return undefined;
  const quantity = whole(value.quantity) ?? whole(value.order_quantity);
  const sku = text(value.sku) ?? text(value.item_sku);
  const itemId = text(value.item_id);
  return quantity === undefined || (sku === undefined && itemId === undefined)
    ? undefined
    : { sku, itemId, quantity };
};

/** Spec 4.2. `lines` is undefined unless every line can be read. */
export const readCart = (body: unknown): CartView | undefined => {
  const fields = single(body);
  if (!fields) return undefined;
  const items = Array.isArray(fields.items) ? fields.items.map(readCartLine) : undefined;
  return {
    cartNumber: text(fields.cart_number),
    lines: items?.every((line) => line !== undefined) ? (items as CartLine[]) : undefined,
  };
};

/** Spec 2.5. */
export const readOrderCreated = (body: unknown): { orderNumber: string } | undefined => {
  const orderNumber = text(single(body)?.order_number);
  return orderNumber === undefined ? undefined : { orderNumber };
};

/** Rule 8: order_quantity, else quantity, else ship + backorder. */
const orderedQuantity = (item: Fields): number | undefined => {
  const ordered = whole(item.order_quantity) ?? whole(item.quantity);
  if (ordered !== undefined) return ordered;
  const shipped = whole(item.ship_quantity);
  const backordered = whole(item.backorder_quantity);
  return shipped === undefined && backordered === undefined ? undefined : (shipped ?? 0) + (backordered ?? 0);
};

const readOrderLine = (value: unknown): OrderLine | undefined => {
  if (!isFields(value)) return undefined;
  const sku = text(value.sku) ?? text(value.item_sku);
  const quantity = orderedQuantity(value);
  return sku === undefined || quantity === undefined ? undefined : { sku, quantity };
};

/** A string, or an object that holds exactly one string. */
const readTrackingNumber = (value: unknown): string | undefined => {
  if (!isFields(value)) return text(value);
  const named = text(value.tracking_number) ?? text(value.number);
  if (named !== undefined) return named;
  const texts = Object.values(value).filter((inner) => typeof inner === 'string' && inner !== '');
  return texts.length === 1 ? (texts[0] as string) : JSON.stringify(value);
};

const readOrder = (value: unknown): OrderAnswer | undefined => {
  if (!isFields(value)) return undefined;
  const orderNumber = text(value.order_number);
  if (orderNumber === undefined) return undefined;
  const lines = Array.isArray(value.items) ? value.items.map(readOrderLine) : undefined;
  const tracking = Array.isArray(value.tracking_numbers) ? value.tracking_numbers : [value.tracking_numbers];
  return {
    orderNumber,
    orderStatus: text(value.order_status),
    invoiceNumber: text(value.invoice_number),
    freight: decimal(value.freight),
    miscCharges: decimal(value.misc_charges),
    orderTotal: decimal(value.order_total),
    warehouse: text(value.warehouse),
    orderDate: text(value.order_date),
    shipDate: text(value.ship_date),
    invoiceDate: text(value.invoice_date),
    shipVia: text(value.ship_via),
    trackingNumbers: tracking.map(readTrackingNumber).filter((number) => number !== undefined),
    lines: lines?.every((line) => line !== undefined) ? (lines as OrderLine[]) : undefined,
    items: value.items,
  };
};

const noOrders: PoAnswer = {
  poNumber: undefined,
  shipName: undefined,
  shipAddress: undefined,
  shipCity: undefined,
  shipState: undefined,
  shipZip: undefined,
  orders: [],
};

const readPoFields = (fields: unknown): PoAnswer | undefined => {
  if (!isFields(fields) || !Array.isArray(fields.order_details)) return undefined;
  const orders = fields.order_details.map(readOrder);
  if (orders.some((order) => order === undefined)) return undefined;
  return {
    poNumber: text(fields.po_number),
    shipName: text(fields.ship_name),
    shipAddress: text(fields.ship_address),
    shipCity: text(fields.ship_city),
    shipState: text(fields.ship_state),
    shipZip: text(fields.ship_zip),
    orders: orders as OrderAnswer[],
  };
};

/**
 * Spec 2.6. Some services answer with a list that has one PO object for each order; an empty list means no order.
 * Undefined when the orders of the PO cannot be determined.
 */
export const readPo = (body: unknown): PoAnswer | undefined => {
  const inner = isFields(body) && Array.isArray(body.order_details) ? body : unwrap(body);
  if (!Array.isArray(inner)) return readPoFields(inner);
  const pos = inner.map(readPoFields);
  if (!pos.every((po) => po !== undefined)) return undefined;
  const [first = noOrders, ...others] = pos;
  if (others.some((po) => po.poNumber !== first.poNumber)) return undefined;
  return { ...first, orders: pos.flatMap((po) => po.orders) };
};

/** Spec 4.7. Undefined when the list, or any PO object in it, cannot be read. */
export const readPoList = (body: unknown): PoAnswer[] | undefined => {
  const list = unwrap(body);
  if (!Array.isArray(list)) return undefined;
  const pos = list.map(readPoFields);
  return pos.every((po) => po?.poNumber !== undefined) ? (pos as PoAnswer[]) : undefined;
};
