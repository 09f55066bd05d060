import type { DealerApi, FailedCall, OrderAnswer } from '../dealer-api/answers.ts';
import type { Logger } from '../logger.ts';
import type { Circuit } from './circuit.ts';
import type { Observation } from './decision.ts';
import type { FailedPlacingCall } from './failed-call.ts';
import type { Clock, Lease } from './lease.ts';
import { compactDay } from './list-range.ts';
import type { PlacingRules } from './options.ts';
import type { Resumed } from './pauses.ts';
import type { BegunStep, EndedStep, PlacingLedger } from './placing-ledger.ts';
import type { ReasonLog } from './reason-log.ts';
import type { TakenPurchaseOrder } from './types.ts';

/** Moments at which a crash must not harm a PO; the crash tests stop the process there. */
export type Checkpoint =
  /** An intent is in the ledger, its call is not sent yet. */
  | 'intent_committed'
  /** The call was answered, its outcome is not in the ledger yet. */
  | 'effect_done'
  /** The outcome and its transition are in the ledger, the next job is not enqueued yet. */
  | 'outcome_committed'
  /** One line is in the cart, the next one is not sent yet. */
  | 'between_items'
  /** Before a cart is deleted. */
  | 'rebuilding'
  /** Before a lookup of an unclear submission. */
  | 'verifying';

export interface PlacingDeps {
  ledger: PlacingLedger;
  /** The accounts whose POs this process can place now; it takes no PO of any other account. */
  accounts: () => readonly string[];
  apiOf: (account: string) => DealerApi;
  rulesOf: (account: string) => PlacingRules;
  leaseMs: number;
  /** Time from the end of a lease to its takeover: request timeout plus settle time of the slowest account. */
  graceMs: number;
  /** Called with the owner of a lease that this process no longer uses and could not release. */
  abandoned?: (owner: string) => void;
  /** A UUID that no other lease has. */
  newLeaseOwner?: () => string;
  logger: Logger;
  reasonLog: ReasonLog;
  clock: Clock;
  circuit: Circuit;
  /** Runs each state as a separate job, so that a paused queue holds its POs back. Otherwise one job takes its PO through all states. */
  jobPerStage?: boolean;
  resumed?: Resumed;
  /** True once this process is shutting down: it then releases a PO at the next transition. */
  stopping?: () => boolean;
  checkpoint?: (name: Checkpoint, poNumber: string) => Promise<void>;
}

/** Everything needed to work on one PO under its lease. */
export interface PlacingRun {
  deps: PlacingDeps;
  lease: Lease;
  api: DealerApi;
  rules: PlacingRules;
}

/** What the last lookup or call showed. The next write to the ledger records the part that must be kept. */
export interface Findings {
  observation: Observation;
  /** The service answered the lookup or call with success. */
  reached: boolean;
  /** The answer, if it was not a success. */
  failed?: FailedPlacingCall | undefined;
  /** Of a lookup: every order number under the PO, which is the record of rule 2 on the first lookup. */
  orderNumbers?: string[];
  /** Of a lookup: the orders that are not in that record. */
  newOrders?: OrderAnswer[];
  /** Of a call: its outcome, which is not in the ledger yet. */
  ended?: EndedStep;
  /** Of a successful create or submit call. */
  cartNumber?: string;
  orderNumber?: string;
}

/** A lookup or a call that was made, or why it was not. */
export type Performed =
  | { kind: 'done'; po: TakenPurchaseOrder; findings: Findings }
  | Exclude<BegunStep, { kind: 'begun' }>;

/**
 * The kind of a failed call or lookup. Rule 13: a 403 concerns the account only if the service also refuses to list
 * today's orders; otherwise it is a refusal of this PO.
 */
export const kindOf = async <F extends FailedCall>(
  { api, lease, deps }: PlacingRun,
  failed: F,
): Promise<F['kind'] | 'refused'> => {
  if (failed.kind !== 'denied' || failed.status !== 403) return failed.kind;
  const today = compactDay(deps.clock.date());
  const range = await api.listOrders(today, today, lease.holds);
  // Some services answer 404 for a day without orders.
  return range.kind === 'ok' || range.kind === 'not_found' ? 'refused' : failed.kind;
};
