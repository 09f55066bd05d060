/**
 * What the worker reads out of the service's answers. Any reasonable shape is accepted (open-points.md):
 * what cannot be read is undefined, never guessed.
 */

export interface CartAnswer {
  cartNumber: string;
  shipmentType: string | undefined;
}

export interface ItemAnswer {
  sku: string | undefined;
  name: string | undefined;
  availableQuantity: number | undefined;
  backorderQuantity: number | undefined;
  /** Decimal text. */
  dealerPrice: string | undefined;
}

export interface CartLine {
  sku: string | undefined;
  itemId: string | undefined;
  quantity: number;
}

export interface CartView {
  cartNumber: string | undefined;
  /** Undefined where the service does not show them readably: the cart is then unverifiable. */
  lines: CartLine[] | undefined;
}

export interface OrderLine {
  sku: string;
  quantity: number;
}

/** One order under a PO (spec 2.7), money as decimal text, dates verbatim. */
export interface OrderAnswer {
  orderNumber: string;
  orderStatus: string | undefined;
  invoiceNumber: string | undefined;
  freight: string | undefined;
  miscCharges: string | undefined;
  orderTotal: string | undefined;
  warehouse: string | undefined;
  orderDate: string | undefined;
  shipDate: string | undefined;
  invoiceDate: string | undefined;
  shipVia: string | undefined;
  trackingNumbers: string[];
  /** Undefined when the items cannot be read as SKU and quantity. */
  lines: OrderLine[] | undefined;
  /** The items as the service sent them. */
  items: unknown;
}

/** Spec 2.6. */
export interface PoAnswer {
  poNumber: string | undefined;
  shipName: string | undefined;
  shipAddress: string | undefined;
  shipCity: string | undefined;
  shipState: string | undefined;
  shipZip: string | undefined;
  orders: OrderAnswer[];
}

/**
 * What became of one call.
 *
 * - `ok`: a 2xx that could be read
 * - `not_found`: 404
 * - `refused`: another 4xx: the service understood and said no, with its words
 * - `conflict`: 409
 * - `denied`: 401 or 403
 * - `limited`: 429, not acted on; wait `waitMs` when the service said how long
 * - `unsupported`: 405 or 415: the account is set up for another kind of service
 * - `misdirected`: a redirect or an HTML page; for a call that changes something the outcome is unknown
 * - `not_sent`: the request certainly did not reach the service
 * - `unknown`: timeout, reset, 408, 425, 5xx, or a 2xx that cannot be read: it may have acted
 */
export type CallResult<T> =
  | { kind: 'ok'; value: T }
  | { kind: 'not_found'; message: string }
  | { kind: 'refused'; status: number; message: string }
  | { kind: 'conflict'; message: string }
  | { kind: 'denied'; status: number; message: string }
  | { kind: 'limited'; waitMs: number | undefined; message: string }
  | { kind: 'unsupported'; status: number; message: string }
  | { kind: 'misdirected'; message: string }
  | { kind: 'not_sent'; message: string }
  | { kind: 'unknown'; message: string };

export type FailedCall = Exclude<CallResult<never>, { kind: 'ok' }>;

/** The seven calls of spec 4. A call never throws for what the service or the network does. */
export interface DealerApi {
  /** Spec 4, endpoint 1. */
  createCart(
    cart: { poNumber: string; options: Record<string, unknown> },
    gate?: Gate,
  ): Promise<CallResult<CartAnswer>>;
  /** Endpoint 2. */
  showCart(poNumber: string, gate?: Gate): Promise<CallResult<CartView>>;
  /** Endpoint 3. */
  addItem(
    poNumber: string,
    item: {
      itemSku?: string | undefined;
      itemId?: string | undefined;
      quantity: number;
      note?: string | undefined;
    },
    gate?: Gate,
  ): Promise<CallResult<ItemAnswer>>;
  /** Endpoint 4. Idempotent: 404 answers `not_found`. */
  deleteCart(poNumber: string, gate?: Gate): Promise<CallResult<undefined>>;
  /** Endpoint 5. */
  createOrder(poNumber: string, gate?: Gate): Promise<CallResult<{ orderNumber: string }>>;
  /** Endpoint 6. A PO object without orders answers `not_found`. */
  showOrder(poNumber: string, gate?: Gate): Promise<CallResult<PoAnswer>>;
  /** Endpoint 7. Days as YYYYMMDD, both inclusive. */
  listOrders(fromDate: string, toDate: string, gate?: Gate): Promise<CallResult<PoAnswer[]>>;
  stop(): void;
}

/**
 * Asked in the same tick in which a request is handed to its socket; false stops it there, and the call
 * answers `not_sent`. This is how a lost lease stops a send (rule 10).
 */
export type Gate = () => boolean;
