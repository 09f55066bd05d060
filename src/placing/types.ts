import type { OrderAnswer } from '../dealer-api/answers.ts';
import type { PauseLedger } from './pauses.ts';

/** States in which a PO has a next step of its own (design: a purchase order's life). */
export const activeStates = ['ready', 'cart_created', 'items_added', 'submitting', 'verifying'] as const;
export type ActiveState = (typeof activeStates)[number];
/** Where a PO can stand in the ledger. */
export type PurchaseOrderState =
  | ActiveState
  | 'rejected'
  | 'held'
  | 'ordered'
  | 'closed'
  | 'failed'
  | 'cancelled';

/** A PO that has a next step, and when. `run` makes the key of its job: a finished job's key never comes again. */
export interface Work {
  id: string;
  importId: string;
  state: ActiveState;
  run: number;
  waitMs: number;
}

/** The steps that change something at the service; each has an intent and an outcome (rule 1). */
export type ChangingStep = 'create_cart' | 'add_items' | 'delete_cart' | 'submit_order';

/**
 * What the ledger knows of such a step. `unknown` is also what an intent without outcome means;
 * `partial`: some lines are in, and exactly which is known; `not_acted`: it certainly changed nothing;
 * `refused`: the service said no to what was asked; `contradicted`: it says that there is no such cart, or
 * that something stands there already, which may be our own doing seen through a retrying proxy.
 */
export type IntentOutcome = 'done' | 'partial' | 'not_acted' | 'refused' | 'contradicted' | 'unknown';

export interface Intent {
  epoch: number;
  step: ChangingStep;
  outcome: IntentOutcome | undefined;
  detail: string | undefined;
}

/** A line as the file asked for it and as the service answered it in the cart's epoch. */
export interface Line {
  rowNumber: number;
  itemSku: string | undefined;
  itemId: string | undefined;
  quantity: number;
  note: string | undefined;
  /** Decimal text. */
  expectedPrice: string | undefined;
  /** Undefined until the service took the line into the cart that now stands. */
  answer: LineAnswer | undefined;
}

export interface LineAnswer {
  sku: string | undefined;
  name: string | undefined;
  availableQuantity: number | undefined;
  backorderQuantity: number | undefined;
  /** Decimal text. */
  dealerPrice: string | undefined;
}

/** A PO under our lease, as the ledger has it. */
export interface TakenPurchaseOrder {
  id: string;
  account: string;
  importId: string;
  poNumber: string;
  state: ActiveState;
  epoch: number;
  /** Counts job runs, this one included. */
  run: number;
  cartEpoch: number | undefined;
  cartNumber: string | undefined;
  rebuilds: number;
  looks: number;
  failures: number;
  /** Milliseconds since the first call in a row that failed to reach the service; 0 when the last one did. */
  failingForMs: number;
  /** Order numbers that stood there before our first change; undefined = not looked yet. */
  baseline: string[] | undefined;
  approvals: Approvals;
  quoteOnly: boolean;
  /** Its purchase file went on changing after it was picked up, so that lines may be missing. */
  fileGrew: boolean;
  /** A quote whose PO number has a live order: both would use the same cart, and the order goes first. */
  orderIsLive: boolean;
  cancelling: boolean;
  options: Record<string, string | boolean>;
  createdAt: Date;
  intents: Intent[];
  lines: Line[];
  /** How often in a row the account had to pause; 0 since a call succeeded. What the service limits does not count. */
  accountPauses: number;
  /** The account was paused, and nobody has seen a call succeed since. */
  accountWasPaused: boolean;
  /**
   * Milliseconds since a changing call with an unclear outcome last ended, whichever purchase order of this PO number it
   * was made for. Undefined when there was none, and in states in which nothing new is built.
   */
  sinceUnclearMs: number | undefined;
}

/** What a person released, with the numbers as they stood then; those of a line by its row. */
export interface Approvals {
  unknownPrice?: Record<number, true>;
  /** Units. */
  backorder?: Record<number, number>;
  /** Decimal text. */
  price?: Record<number, string>;
  /** Integer text. */
  orderTotalCents?: string;
  /** A person compared the PO with its file, which had changed after it was picked up. */
  fileGrew?: boolean;
  /** Whatever stands ordered under the PO number is taken as this PO's. */
  orders?: boolean;
}

/** What is to be written when a PO moves, together with the outcome of the step that led there. */
export interface Move {
  state: PurchaseOrderState;
  /** `next`: a new attempt begins. */
  epoch: 'same' | 'next';
  waitMs: number;
  reason?: { code: string; text: string };
  cart?: { number: string } | 'gone';
  rebuilt?: boolean;
  /** Lookups made in the state so far; unchanged where it is not given. */
  looks?: number;
  /** A call did not reach the service: counts, and `failingForMs` runs. Otherwise both are cleared. */
  failed?: boolean;
  alarm?: string;
  /** Orders under the PO that are ours. */
  orders?: OrderAnswer[];
  orderNumber?: string;
}

export type Taken =
  | { kind: 'taken'; po: TakenPurchaseOrder }
  /** Not now: `waitMs` until it can be tried again. */
  | { kind: 'later'; waitMs: number; why: 'leased' | 'paused' | 'not_yet' }
  /** It belongs to an account that this process cannot place. */
  | { kind: 'not_served'; account: string }
  /** Nothing to do for this job: the PO is in another state, or gone. */
  | { kind: 'elsewhere'; state: PurchaseOrderState | undefined };

/** What placing needs of the ledger. Every write is conditional on id, state, epoch and lease. */
export interface PlacingLedger extends PauseLedger {
  /** Takes a lease on a PO of one of these accounts in one of these states that is due, whose account is not paused. */
  take(
    id: string,
    options: {
      owner: string;
      accounts: readonly string[];
      states: readonly ActiveState[];
      leaseMs: number;
      graceMs: number;
    },
  ): Promise<Taken>;
  /** Extends the lease; false when it is no longer ours. */
  renewLease(id: string, owner: string, leaseMs: number): Promise<boolean>;
  /** Commits an intent (and with it the baseline, or the state `submitting`). False when the lease was lost. */
  beginStep(
    po: TakenPurchaseOrder,
    owner: string,
    step: ChangingStep,
    also: { baseline?: string[]; state?: ActiveState },
  ): Promise<string | undefined>;
  /** Commits an outcome that is followed by further work under the same lease. False when the lease was lost. */
  endStep(po: TakenPurchaseOrder, owner: string, ended: EndedStep): Promise<boolean>;
  /**
   * Moves the PO, with the outcome that led there if any, in one transaction, and gives the lease back unless it is to
   * be kept. False when the lease was lost.
   */
  move(
    po: TakenPurchaseOrder,
    owner: string,
    move: Move,
    ended?: EndedStep,
    options?: { keepLease: boolean },
  ): Promise<boolean>;
  /**
   * Something that the service had answered with success could be read only this much later than the account's readLag
   * allows for. The longest is kept. True when it is longer than what was known.
   */
  noteReadLag(account: string, lagMs: number): Promise<boolean>;
}

export interface EndedStep {
  intentId: string;
  outcome: IntentOutcome;
  detail?: string | undefined;
  answers?: { rowNumber: number; answer: LineAnswer }[];
  refusal?: { rowNumber: number; message: string };
}
