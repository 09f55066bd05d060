import type { ItemAnswer, OrderAnswer } from '../dealer-api/answers.ts';

/** States in which a PO has a next step of its own (docs/rules.md#states). */
export const activeStates = ['ready', 'cart_created', 'items_added', 'submitting', 'verifying'] as const;
export type ActiveState = (typeof activeStates)[number];
export const isActiveState = (state: string): state is ActiveState =>
  (activeStates as readonly string[]).includes(state);

/** Every state of a PO in the ledger. */
export const poStates = [
  'rejected',
  'held',
  ...activeStates,
  'ordered',
  'closed',
  'failed',
  'cancelled',
] as const;
export type PurchaseOrderState = (typeof poStates)[number];

/** A PO that has a next step, and when. The key of its job contains `run`, so that the key of a finished job is never reused. */
export interface DueWork {
  id: string;
  importId: string;
  state: ActiveState;
  run: number;
  waitMs: number;
  /** Shown to people in the queue view, with the PO number and the file name. */
  account: string;
  poNumber: string;
  fileName: string;
}

/** The steps that change something at the service; each has an intent and an outcome (rule 1). */
export type ChangingStep = 'create_cart' | 'add_items' | 'delete_cart' | 'submit_order';

/**
 * What the ledger knows about such a step. `unknown`: also for an intent without an outcome; `partial`: some lines
 * are in the cart, and it is known which; `not_acted`: it certainly changed nothing; `refused`: the service refused the
 * request; `contradicted`: the service answers that there is no such cart, or that something exists already, which may be
 * our own call that a proxy sent twice.
 */
export type IntentOutcome = 'done' | 'partial' | 'not_acted' | 'refused' | 'contradicted' | 'unknown';

export interface Intent {
  id: string;
  epoch: number;
  step: ChangingStep;
  outcome: IntentOutcome | undefined;
  detail: string | undefined;
  /** Milliseconds from the beginning of the step to the take; undefined if it began after the take. */
  begunAgoMs?: number;
  /** Milliseconds from the end of the step to the take; for a step without an outcome, from its beginning. */
  endedAgoMs?: number;
  /** The timeout of its calls; undefined: an earlier version sent them, or the step began after the take. */
  timeoutMs?: number;
}

/** The requests of a lookup, in this order. */
export type LookupCall = 'order' | 'date_range' | 'cart';

/** Every call to the service for a PO. */
export type PlacingCall = LookupCall | ChangingStep;

/** A line as the file requests it and as the service answered it in the cart's epoch. */
export interface Line {
  rowNumber: number;
  itemSku: string | undefined;
  itemId: string | undefined;
  quantity: number;
  note: string | undefined;
  /** Decimal text. */
  expectedPrice: string | undefined;
  /** Undefined until the service has added the line to the current cart. */
  answer: ItemAnswer | undefined;
  /** The largest quantity in one line that the account has ordered, of this item and of any item. */
  largestOrdered?: { ofItem?: number; ofAny?: number };
}

/** A PO under our lease. Facts about its account, its file and other POs of its number are as of the take. */
export interface TakenPurchaseOrder {
  id: string;
  account: string;
  importId: string;
  fileName: string;
  poNumber: string;
  state: ActiveState;
  epoch: number;
  /** Counts job runs, this one included. */
  run: number;
  cartEpoch: number | undefined;
  cartNumber: string | undefined;
  rebuilds: number;
  lookups: number;
  failures: number;
  /** Time since the first call in a row that did not reach the service; 0 if the last one did. */
  failingForMs: number;
  /** Order numbers that existed before our first change; undefined before the first lookup. */
  baseline: string[] | undefined;
  approvals: Approvals;
  quoteOnly: boolean;
  /** Its purchase file was still changing after it was picked up, so that lines may be missing. */
  fileGrew: boolean;
  /** A quote whose PO number has a live order: both would use the same cart, and the order goes first. */
  orderIsLive: boolean;
  /** A person wants it cancelled. */
  cancelling: boolean;
  /** A person wants it held before it is submitted. */
  holding: boolean;
  options: Record<string, string | boolean>;
  createdAt: Date;
  intents: Intent[];
  lines: Line[];
  /** How often in a row the account had to pause; 0 after a successful call. Rate limits do not count. */
  accountPauses: number;
  /** The account was paused, and no call has succeeded since. */
  accountWasPaused: boolean;
  /**
   * Time since a changing call with an unclear outcome last ended, for any purchase order of this PO number. Undefined if
   * there was none, and in states in which nothing is submitted.
   */
  sinceUnclearMs: number | undefined;
  /** The longest timeout of such a call; undefined: an earlier version sent them. */
  unclearTimeoutMs?: number;
}

/** What a person approved by a release, with the numbers of that time; numbers of a line by its row. */
export interface Approvals {
  unknownPrice?: Record<number, true>;
  /** Units. */
  backorder?: Record<number, number>;
  /** Decimal text. */
  price?: Record<number, string>;
  /** Integer text. */
  orderTotalCents?: string;
  /** Lines without a price, which the total does not include. */
  unpriced?: Record<number, true>;
  unusualQuantity?: Record<number, true>;
  /** A person has compared the PO with its file, which had changed after it was picked up. */
  fileGrew?: boolean;
  /** A person says that the orders under the PO number are this PO's. */
  orders?: boolean;
}

/** A change of a PO's state, or a wait in the same state, as the ledger writes it. */
export interface Transition {
  state: PurchaseOrderState;
  /** `next`: a new attempt begins. */
  epoch: 'same' | 'next';
  waitMs: number;
  /** Length of the pause that its account has just got. Does not delay when the PO is due: a person may end the pause earlier. */
  pausedMs?: number;
  reason?: { code: string; text: string };
  cart?: { number: string } | 'gone';
  rebuilt?: boolean;
  /** Number of lookups in the state so far; absent: unchanged. */
  lookups?: number;
  /** How a call failed: `failures` is incremented and `failingForMs` runs. Otherwise both are cleared. */
  failed?: string;
  alarm?: string;
  /** Our orders under the PO number. */
  orders?: OrderAnswer[];
  orderNumber?: string;
}
