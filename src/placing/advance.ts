import { attemptFactsOf } from './attempt-facts.ts';
import { decide } from './decide.ts';
import { createLease } from './lease.ts';
import { performCall } from './perform-call.ts';
import { performLookup } from './perform-lookup.ts';
import type { Findings, PlacingDeps, PlacingRun } from './placing-run.ts';
import { recordTransition } from './record-transition.ts';
import type { ActiveState, PurchaseOrderState, TakenPurchaseOrder } from './types.ts';

export type Advanced =
  /** `run` is the number of its next job run. */
  | { kind: 'transitioned'; state: PurchaseOrderState; waitMs: number; run: number }
  | { kind: 'later'; waitMs: number; why: 'leased' | 'paused' | 'not_yet' }
  | { kind: 'not_served'; account: string }
  | { kind: 'elsewhere'; state: PurchaseOrderState | undefined }
  /** The lease was lost on the way: its new owner continues. */
  | { kind: 'lost' };

/**
 * Takes a PO in one of these states and performs its next steps until it is ordered, ended, or has to wait. `decide`
 * says which; here an intent is committed before each call that changes something and its outcome after it (rule 1),
 * and nothing is sent or written without the lease (rule 10).
 *
 * Safe to call for any PO at any time, from any number of processes: one of them works, the others answer
 * `later` or `elsewhere`. Throws only when the ledger cannot be reached.
 */
export const advance = async (
  deps: PlacingDeps,
  id: string,
  states: readonly ActiveState[],
): Promise<Advanced> => {
  const { leaseMs, graceMs } = deps;
  const lease = createLease(deps.ledger, deps.clock, id, leaseMs);
  const { owner } = lease;
  const taken = await deps.ledger.take(id, { owner, accounts: deps.accounts(), states, leaseMs, graceMs });
  if (taken.kind !== 'taken') return taken;
  const { account } = taken.po;
  lease.keep();
  try {
    return await work({ deps, lease, api: deps.apiOf(account), rules: deps.rulesOf(account) }, taken.po);
  } finally {
    lease.stop();
  }
};

const nothingYet: Findings = { observation: { saw: 'nothing' }, reached: false };

/** Decides and acts, again and again. After each write the PO is what the ledger says that it now is. */
const work = async (run: PlacingRun, taken: TakenPurchaseOrder): Promise<Advanced> => {
  let po = taken;
  let findings = nothingYet;
  let reached = false;
  for (;;) {
    const step = decide(attemptFactsOf(po, run.rules), findings.observation);
    if (step.do === 'lookup' || step.do === 'call') {
      const { ended, orderNumbers } = findings;
      const recorded = ended ? await run.deps.ledger.endStep(po, run.lease.owner, ended) : po;
      if (!recorded) return { kind: 'lost' };
      const result =
        step.do === 'lookup'
          ? await performLookup(run, recorded, step.at)
          : await performCall(run, recorded, step.step, orderNumbers);
      if (!result) return { kind: 'lost' };
      ({ po, findings } = result);
      reached ||= findings.reached;
    } else {
      const recorded = await recordTransition(run, po, step, findings, reached);
      if (recorded.kind !== 'continues') return recorded;
      po = recorded.po;
      findings = nothingYet;
    }
  }
};
