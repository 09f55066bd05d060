/**
 * What the worker reads from the service's answers. Any reasonable shape is accepted (docs/spec-decisions.md). Values
 * that cannot be read are undefined, never guessed.
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
  /** Undefined if the service shows no readable items, so that the cart cannot be verified. */
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
  /** Undefined when an item has no readable SKU and quantity. */
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

/** Known reasons why no connection was made. */
export type ConnectCause =
  | 'host_unknown'
  | 'connection_refused'
  | 'host_unreachable'
  | 'certificate_expired'
  | 'certificate_untrusted'
  | 'certificate_of_another_host'
  | 'tls_failed';

/**
 * The result of one call.
 *
 * - `ok`: a 2xx that could be read
 * - `not_found`: 404
 * - `refused`: another 4xx; `message` has the service's own words
 * - `conflict`: 409
 * - `denied`: 401 or 403
 * - `limited`: 429, nothing was changed; `waitMs` is the wait that the service asks for, if any
 * - `unsupported`: 405 or 415, so the account's settings do not fit the service
 * - `misdirected`: a redirect or an HTML page; the outcome of a call that changes something is then unknown
 * - `not_sent`: the request was certainly not sent
 * - `unknown`: timeout, reset, 408, 425, 5xx, or a 2xx that cannot be read; the service may have made the change
 */
export type CallResult<T> =
  | { kind: 'ok'; value: T }
  | { kind: 'not_found'; message: string }
  | { kind: 'refused'; status: number; message: string }
  | { kind: 'conflict'; message: string }
  | { kind: 'denied'; status: number; message: string; cause?: 'proxy_sign_in' }
  | { kind: 'limited'; waitMs: number | undefined; message: string }
  | { kind: 'unsupported'; status: number; message: string }
  | { kind: 'misdirected'; message: string; cause?: 'web_page' }
  | { kind: 'not_sent'; message: string; cause?: ConnectCause }
  | { kind: 'unknown'; message: string };

export type FailedCall = Exclude<CallResult<never>, { kind: 'ok' }>;

/** The seven calls of spec 4. A call never throws because of the service or the network. */
export interface DealerApi {
  /** Spec 4.1. */
  createCart(
    cart: { poNumber: string; options: Record<string, unknown> },
    gate?: Gate,
  ): Promise<CallResult<CartAnswer>>;
  /** Spec 4.2. */
  showCart(poNumber: string, gate?: Gate): Promise<CallResult<CartView>>;
  /** Spec 4.3. */
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
  /** Spec 4.4. Idempotent: a 404 gives `not_found`. */
  deleteCart(poNumber: string, gate?: Gate): Promise<CallResult<undefined>>;
  /** Spec 4.5. */
  createOrder(poNumber: string, gate?: Gate): Promise<CallResult<{ orderNumber: string }>>;
  /** Spec 4.6. A PO object without orders gives `not_found`. */
  showOrder(poNumber: string, gate?: Gate): Promise<CallResult<PoAnswer>>;
  /** Spec 4.7. Days as YYYYMMDD, both inclusive. */
  listOrders(fromDate: string, toDate: string, gate?: Gate): Promise<CallResult<PoAnswer[]>>;
  stop(): void;
}

/**
 * Called in the same tick in which a request is written to its socket. If it returns false, nothing is written and the
 * call gives `not_sent`. This is how a lost lease stops a request (rule 10).
 */
export type Gate = () => boolean;

export type CallName = Exclude<keyof DealerApi, 'stop'>;

/** A call that has ended, for metrics and traces. */
export interface ObservedCall {
  name: CallName;
  result: CallResult<never>['kind'];
  /** Without the time that the call waited for the limits of its account. */
  durationMs: number;
  /** The service's time from its Date header; undefined if there was no answer or no such header. */
  serviceTime: string | undefined;
}

export type ObserveCall = (call: ObservedCall) => void;
