import { attemptFactsOf } from './attempt-facts.ts';
import { decide } from './decide.ts';
import type { Step } from './decision.ts';
import { describeStep } from './describe-run.ts';
import { createLease } from './lease.ts';
import type { Pause } from './pauses.ts';
import { type BegunCall, makeCall, performCall } from './perform-call.ts';
import { performLookup } from './perform-lookup.ts';
import type { Findings, Performed, PlacingDeps, PlacingRun } from './placing-run.ts';
import { recordTransition } from './record-transition.ts';
import type { ActiveState, DueWork, PurchaseOrderState, TakenPurchaseOrder } from './types.ts';

export type Advanced =
  /** `next`: the POs that get a job now, this one included. `did`: the steps done, as text for people. */
  | { kind: 'transitioned'; state: PurchaseOrderState; waitMs: number; next: DueWork[]; did: string[] }
  | { kind: 'later'; waitMs: number; why: 'leased' | 'paused' | 'not_yet' }
  | { kind: 'not_served'; account: string }
  | { kind: 'elsewhere'; state: PurchaseOrderState | undefined }
  /** The lease was lost; its new owner continues. */
  | { kind: 'lost' };

/**
 * Takes a PO in one of these states and performs its next steps until it is ordered, ended, or has to wait. `decide`
 * says which; here an intent is committed before each call that changes something and its outcome after it (rule 1),
 * and nothing is sent or written without the lease (rule 10).
 *
 * Safe to call for any PO at any time, from any number of processes: one of them works, the others answer
 * `later` or `elsewhere`. Throws only when the ledger cannot be reached.
 *
 * @param account the PO's account, if the caller knows it; a PO of another account is not taken, and answered as `not_served`
 */
export const advance = async (
  deps: PlacingDeps,
  id: string,
  states: readonly ActiveState[],
  account?: string,
): Promise<Advanced> => {
  const { leaseMs, graceMs } = deps;
  const served = deps.accounts();
  // Sending Postgres a thousand account names costs as much as taking the PO.
  const accounts = account !== undefined && served.includes(account) ? [account] : served;
  const lease = createLease(deps.ledger, deps.clock, id, leaseMs, deps.newLeaseOwner);
  const { owner } = lease;
  try {
    const taken = await deps.ledger.take(id, { owner, accounts, states, leaseMs, graceMs });
    if (taken.kind !== 'taken') return taken;
    lease.keep();
    const { po } = taken;
    const advanced = await work(
      { deps, lease, api: deps.apiOf(po.account), rules: deps.rulesOf(po.account) },
      po,
    );
    // The ledger may still show the lease as ours, and a run that has ended must keep none.
    if (advanced.kind === 'lost') deps.abandoned?.(owner);
    return advanced;
  } catch (thrown) {
    // The ledger may have granted the lease without its answer arriving.
    deps.abandoned?.(owner);
    throw thrown;
  } finally {
    lease.stop();
  }
};

const nothingYet: Findings = { observation: { saw: 'nothing' }, reached: false };

/** Decides and acts until the PO needs no further step. Each write answers the PO as the ledger now has it. */
const work = async (run: PlacingRun, taken: TakenPurchaseOrder): Promise<Advanced> => {
  let po = taken;
  let findings = nothingYet;
  let reached = false;
  let opened: Pause | undefined;
  let begun: BegunCall | undefined;
  const did: string[] = [];
  for (;;) {
    const facts = attemptFactsOf(po, run.rules, { sinceTake: po.intents.slice(taken.intents.length) });
    const step = begun ? ({ do: 'begun', call: begun } as const) : decide(facts, findings.observation);
    if (step.do === 'lookup' || step.do === 'call' || step.do === 'begun') {
      const result = await perform(run, po, step, findings);
      begun = undefined;
      if (result.kind === 'lost') return result;
      if (result.kind === 'paused') {
        await run.deps.ledger.giveBack(po.id, run.lease.owner);
        return { kind: 'later', waitMs: 0, why: 'paused' };
      }
      if (result.kind === 'changed') {
        po = result.po;
        findings = nothingYet;
        continue;
      }
      ({ po, findings } = result);
      reached ||= findings.reached;
      opened = run.deps.circuit.note(po.account, findings, po.accountWasPaused && !reached) ?? opened;
    } else {
      did.push(...describeStep(po, step, findings));
      const recorded = await recordTransition(run, po, step, findings, { reached, opened });
      if (recorded.kind === 'transitioned') return { ...recorded, did };
      if (recorded.kind === 'lost') return recorded;
      ({ po, begun } = recorded);
      findings = nothingYet;
    }
  }
};

/** Makes a lookup or a call, after recording the outcome of the previous call. */
const perform = async (
  run: PlacingRun,
  po: TakenPurchaseOrder,
  step: Extract<Step, { do: 'lookup' | 'call' }> | { do: 'begun'; call: BegunCall },
  { ended, orderNumbers }: Findings,
): Promise<Performed> => {
  if (step.do === 'begun') return makeCall(run, po, step.call);
  const recorded = ended ? await run.deps.ledger.endStep(po, run.lease.owner, ended) : po;
  if (!recorded) return { kind: 'lost' };
  return step.do === 'lookup'
    ? performLookup(run, recorded, step.at)
    : performCall(run, recorded, step, orderNumbers);
};
