import type { CallResult, CartView, DealerApi } from '../dealer-api/answers.ts';
import { lateEffectsMs, type PlacingRules } from './options.ts';

/** How a service behaves, found out with a test PO. Undefined: not tested, or no clear result. */
export interface ServiceCapabilities {
  createRefusesExistingCart: boolean | undefined;
  cartNumberShown: boolean;
  itemsShown: boolean;
  equalLines: 'separate' | 'merged' | undefined;
  deletionWorks: boolean;
  /** The longest time from an answered change until a lookup showed it, in milliseconds. */
  readLagMs: number;
  submissionConsumesCart: boolean | undefined;
  createRefusesOrderedPo: boolean | undefined;
  orderNumber: string | undefined;
}

export type Probed =
  | { kind: 'probed'; capabilities: ServiceCapabilities; cartGone: boolean }
  /** Something exists under the PO number already; nothing was changed. */
  | { kind: 'in_use'; what: 'order' | 'cart' }
  /** A call had no usable answer. */
  | { kind: 'stopped'; at: string; why: string; cartGone: boolean }
  | { kind: 'interrupted'; cartGone: boolean };

export interface ProbeOptions {
  api: DealerApi;
  poNumber: string;
  sku: string;
  /** Also submits the cart, which is a real order. */
  submit: boolean;
  rules: Pick<PlacingRules, 'requestTimeoutMs' | 'readLagMs'>;
  isStopped: () => boolean;
  sleep: (ms: number) => Promise<void>;
  now: () => number;
}

class Stopped extends Error {
  readonly at: string;
  readonly why: string;
  constructor(at: string, why: string) {
    super(why);
    this.at = at;
    this.why = why;
  }
}
class Interrupted extends Error {}

const pollMs = 50;
/** A change that no lookup shows after this long counts as not shown at all. */
const lagLimitMs = 15_000;
const deletions = 5;

const isRefusal = ({ kind }: CallResult<unknown>): boolean => kind === 'conflict' || kind === 'refused';

/**
 * Finds out how a service behaves with a test PO of one SKU: creates its cart, and always deletes it at the end.
 * Only with `submit` does it become an order.
 */
export const probeService = async (options: ProbeOptions): Promise<Probed> => {
  const { api, poNumber } = options;
  const order = await api.showOrder(poNumber);
  if (order.kind === 'ok') return { kind: 'in_use', what: 'order' };
  if (order.kind !== 'not_found')
    return { kind: 'stopped', at: 'looking up the order', why: order.message, cartGone: true };
  const cart = await api.showCart(poNumber);
  if (cart.kind === 'ok') return { kind: 'in_use', what: 'cart' };
  if (cart.kind !== 'not_found')
    return { kind: 'stopped', at: 'looking up the cart', why: cart.message, cartGone: true };

  // After a clear refusal, any cart under this number is somebody else's and must not be deleted.
  let cartMayExist = false;
  let unclear = false;
  const watched = new Proxy(api, {
    get:
      (target, name: keyof DealerApi) =>
      async (...args: unknown[]) => {
        if (options.isStopped()) throw new Interrupted();
        const result = await (target[name] as (...given: unknown[]) => Promise<CallResult<unknown>>)(...args);
        const isUnclear = result.kind === 'unknown' || result.kind === 'misdirected';
        unclear ||= isUnclear;
        if (name === 'createCart') cartMayExist ||= isUnclear || result.kind === 'ok';
        return result;
      },
  });
  const cleanUpNow = async () => !cartMayExist || (await cleanUp(options, unclear));
  try {
    const capabilities = await tryOut({ ...options, api: watched });
    return { kind: 'probed', capabilities, cartGone: await cleanUpNow() };
  } catch (thrown) {
    const cartGone = await cleanUpNow();
    if (thrown instanceof Interrupted) return { kind: 'interrupted', cartGone };
    if (thrown instanceof Stopped) return { kind: 'stopped', at: thrown.at, why: thrown.why, cartGone };
    throw thrown;
  }
};

/** Deletes the cart, and again once no earlier call can take effect any more; true if it is certainly gone. */
const cleanUp = async ({ api, poNumber, rules, sleep }: ProbeOptions, unclear: boolean): Promise<boolean> => {
  const deleteUntilGone = async (): Promise<boolean> => {
    for (let at = 0; at < deletions; at += 1) {
      if (at > 0) await sleep(1000);
      const { kind } = await api.deleteCart(poNumber);
      if (kind === 'not_found' || kind === 'ok') return true;
    }
    return false;
  };
  const gone = await deleteUntilGone();
  if (!unclear) return gone;
  await sleep(lateEffectsMs(rules));
  return deleteUntilGone();
};

const must = async <T>(at: string, calling: Promise<CallResult<T>>): Promise<T> => {
  const result = await calling;
  if (result.kind !== 'ok') throw new Stopped(at, result.message);
  return result.value;
};

const tryOut = async (options: ProbeOptions): Promise<ServiceCapabilities> => {
  const { api, poNumber, sku, submit } = options;
  let readLagMs = 0;
  /** Repeats the lookup until it shows the change; undefined if it never does. */
  const untilShown = async <T>(look: () => Promise<T | undefined>): Promise<T | undefined> => {
    const since = options.now();
    for (let lookups = 1; ; lookups += 1) {
      const shown = await look();
      const waitedMs = options.now() - since;
      if (shown !== undefined) {
        // If the first lookup shows it, the time is that of the request and not a lag.
        if (lookups > 1) readLagMs = Math.max(readLagMs, waitedMs);
        return shown;
      }
      if (waitedMs > lagLimitMs) return undefined;
      await options.sleep(pollMs);
    }
  };
  const showCart = async (): Promise<CartView | 'none'> => {
    const result = await api.showCart(poNumber);
    if (result.kind === 'not_found') return 'none';
    return must('looking up the cart', Promise.resolve(result));
  };
  const cartWith = (fits: (cart: CartView) => boolean) =>
    untilShown(async () => {
      const cart = await showCart();
      return cart !== 'none' && fits(cart) ? cart : undefined;
    });
  const untilCartIsGone = () => untilShown(async () => ((await showCart()) === 'none' ? true : undefined));

  const { cartNumber } = await must('creating the cart', api.createCart({ poNumber, options: {} }));
  const created = await cartWith(() => true);
  if (!created)
    throw new Stopped('looking up the cart', 'the service does not show the cart that it created');

  const second = await api.createCart({ poNumber, options: {} });
  if (!isRefusal(second)) await must('creating a second cart', Promise.resolve(second));

  await must(`adding ${sku}`, api.addItem(poNumber, { itemSku: sku, quantity: 1 }));
  await must(`adding ${sku} again`, api.addItem(poNumber, { itemSku: sku, quantity: 2 }));
  const total = (cart: CartView) => cart.lines?.reduce((sum, line) => sum + line.quantity, 0);
  const filled = await cartWith((cart) => cart.lines === undefined || total(cart) === 3);
  const itemsShown = filled?.lines !== undefined;

  const ordered = submit ? await must('submitting the cart', api.createOrder(poNumber)) : undefined;
  let submissionConsumesCart: boolean | undefined;
  let createRefusesOrderedPo: boolean | undefined;
  if (ordered) {
    await untilShown(async () => ((await api.showOrder(poNumber)).kind === 'ok' ? true : undefined));
    submissionConsumesCart = (await untilCartIsGone()) === true;
    // While a cart exists, a refusal says nothing about the order.
    if (!submissionConsumesCart) await must('deleting the cart', api.deleteCart(poNumber));
    const again = await api.createCart({ poNumber, options: {} });
    createRefusesOrderedPo = isRefusal(again);
    if (!createRefusesOrderedPo) await must('creating a cart for an ordered number', Promise.resolve(again));
  }
  const deleted = await api.deleteCart(poNumber);
  const deletionWorks =
    (deleted.kind === 'ok' || (ordered !== undefined && deleted.kind === 'not_found')) &&
    (await untilCartIsGone()) === true;
  return {
    createRefusesExistingCart: isRefusal(second),
    cartNumberShown: created.cartNumber === cartNumber,
    itemsShown,
    equalLines: filled?.lines ? (filled.lines.length === 1 ? 'merged' : 'separate') : undefined,
    deletionWorks,
    readLagMs: Math.round(readLagMs),
    submissionConsumesCart,
    createRefusesOrderedPo,
    orderNumber: ordered?.orderNumber,
  };
};
