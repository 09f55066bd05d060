import type { ItemAnswer } from '../dealer-api/answers.ts';
import type { PauseLedger } from './pauses.ts';
import type {
  ActiveState,
  ChangingStep,
  DueWork,
  IntentOutcome,
  PurchaseOrderState,
  TakenPurchaseOrder,
  Transition,
} from './types.ts';

export type Taken =
  | { kind: 'taken'; po: TakenPurchaseOrder }
  /** Not now: try again after `waitMs`. */
  | { kind: 'later'; waitMs: number; why: 'leased' | 'paused' | 'not_yet' }
  /** It belongs to an account that this process cannot place. */
  | { kind: 'not_served'; account: string }
  /** Nothing to do for this job: the PO is in another state or does not exist. */
  | { kind: 'elsewhere'; state: PurchaseOrderState | undefined };

/** The part of the ledger that placing uses. Every write is conditional on ID, state, epoch and lease. */
export interface PlacingLedger extends PauseLedger {
  /** Takes the lease of a PO that is due, in one of these states, and of one of these accounts that is not paused. */
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
  /** Extends a lease that has not ended; false when it has ended or is no longer ours. */
  renewLease(id: string, owner: string, leaseMs: number): Promise<boolean>;
  /** Ends a lease under which no call is open: none was begun, or each has its outcome. */
  giveBack(id: string, owner: string): Promise<void>;
  /** Commits an intent, and with it the baseline or the state `submitting`; or says why the step must not begin. */
  beginStep(
    po: TakenPurchaseOrder,
    owner: string,
    step: ChangingStep,
    also: { baseline?: string[]; state?: ActiveState; timeoutMs?: number },
  ): Promise<BegunStep>;
  /** Commits an outcome and keeps the lease. Answers the PO as it now is; undefined when the lease was lost. */
  endStep(po: TakenPurchaseOrder, owner: string, ended: EndedStep): Promise<TakenPurchaseOrder | undefined>;
  /**
   * Writes a transition and the outcome that led to it, if any, in one transaction, and releases the lease. Undefined
   * when the lease was lost.
   */
  transition(
    po: TakenPurchaseOrder,
    owner: string,
    transition: Transition,
    ended?: EndedStep,
  ): Promise<Released | undefined>;
  /**
   * The same, but keeps the lease, and commits the intent of the call that follows at once, unless a person has asked for
   * something or paused the account meanwhile. Answers the PO as it now is; undefined when the lease was lost.
   */
  transitionKeepingLease(
    po: TakenPurchaseOrder,
    owner: string,
    transition: Transition & { state: ActiveState },
    ended?: EndedStep,
    begin?: NextCall,
  ): Promise<KeptLease | undefined>;
  /** Records how long a successful change took to become readable. Keeps the longest; true if this is a new maximum. */
  noteReadLag(account: string, lagMs: number): Promise<boolean>;
}

/** The call that follows a transition at once. A submission never does: a lookup precedes it (rule 6). */
export interface NextCall {
  step: Exclude<ChangingStep, 'submit_order'>;
  baseline?: string[];
  timeoutMs?: number;
}

export interface KeptLease {
  po: TakenPurchaseOrder;
  /** The intent of the call that was asked for; undefined: it did not begin. */
  intentId: string | undefined;
}

/** Whether a step may begin. */
export type BegunStep =
  /** `po`: as it now is, with the intent. */
  | { kind: 'begun'; intentId: string; po: TakenPurchaseOrder }
  /** A person has asked for something meanwhile, or its file has turned out to be incomplete: decide again. */
  | { kind: 'changed'; po: TakenPurchaseOrder }
  /** A person has paused the account: nothing more is sent. */
  | { kind: 'paused' }
  /** The lease is no longer ours. */
  | { kind: 'lost' };

export interface EndedStep {
  intentId: string;
  outcome: IntentOutcome;
  detail?: string | undefined;
  answers?: { rowNumber: number; answer: ItemAnswer }[];
  refusal?: { rowNumber: number; message: string };
}

/** What follows a transition that releases the lease. */
export interface Released {
  /** The PO gets a job in the queue, if it has a next step. */
  queued: boolean;
  /** Other POs of the account that get a job now. */
  next: DueWork[];
}
