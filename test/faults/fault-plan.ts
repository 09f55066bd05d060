import { cuts, endpoints, type FaultRuleInput, faultKinds } from '../../src/service/fault-rules.ts';
import type { Quantities } from '../support/judge.ts';

/** POs and the faults of their calls; a PO's name describes its faults. */
export interface FaultPlan {
  pos: Map<string, Quantities>;
  faults: FaultRuleInput[];
}

/** How long the client waits for an answer; late effects come within twice this time (docs/promise.md). */
export const requestTimeoutMs = 1000;
const lateMs = 1500;

/** The faults that provoke calls which a PO without faults does not need. */
const provocations: Partial<Record<(typeof endpoints)[number], FaultRuleInput>> = {
  deleteCart: { endpoint: 'addItem', kind: '500-after', count: 1 },
  listOrders: { endpoint: 'submitOrder', kind: 'close-before', count: 1 },
};

/** A number below `below`, determined by seed and position. */
const pick = (seed: number, at: number, below: number): number =>
  ((seed * 2654435761 + at * 40503) >>> 8) % below;

const changing = ['createCart', 'addItem', 'deleteCart', 'submitOrder'] as const;
/** When a request takes effect, in request timeouts: from early to just within the limit that the promise assumes. */
const lateness = [0.1, 0.7, 1.3, 1.99];

/** Every changing call, cut off in every way, and taking effect late. */
export const planLateEffects = (): FaultPlan => {
  const pos = new Map<string, Quantities>();
  const faults: FaultRuleInput[] = [];
  for (const [at, endpoint] of changing.entries()) {
    for (const cutBy of cuts) {
      for (const [nth, timeouts] of lateness.entries()) {
        const poNumber = `${endpoint} ${cutBy} late ${timeouts}`;
        pos.set(poNumber, { [`A-${at}`]: 1 + nth, [`B-${nth}`]: 2, C: 3 });
        const provocation = provocations[endpoint];
        if (provocation) faults.push({ ...provocation, poNumber });
        const delayMs = timeouts * requestTimeoutMs;
        faults.push({ endpoint, kind: 'act-late', cutBy, delayMs, poNumber, count: 1 });
      }
    }
  }
  return { pos, faults };
};

/**
 * Every endpoint with every kind of fault. Seed 1 applies each fault once, to the first call; seed 2 to the
 * second call of that endpoint; from seed 3 on twice, together with another fault elsewhere.
 * @param third 0, 1 or 2 uses only a third of these pairs, in which each endpoint and each kind occurs
 */
export const planFaults = (seeds: readonly number[], third?: number): FaultPlan => {
  const pos = new Map<string, Quantities>();
  const faults: FaultRuleInput[] = [];
  for (const [at, endpoint] of endpoints.entries()) {
    for (const [nth, kind] of faultKinds.entries()) {
      if (third !== undefined && (at + nth) % 3 !== third) continue;
      for (const seed of seeds) {
        const poNumber = `${endpoint} ${kind} ${seed}`;
        pos.set(poNumber, { [`A-${at}`]: 1 + nth, [`B-${seed}`]: 2, [`C-${nth}`]: 3 });
        const fault = { kind, delayMs: kind === 'act-late' ? lateMs : 200, retryAfterSeconds: 1 };
        // A lookup by date range concerns no PO in particular.
        const whose = endpoint === 'listOrders' ? {} : { poNumber };
        const times = seed === 2 ? { skip: 1, count: 1 } : { count: seed > 2 ? 2 : 1 };
        const provocation = provocations[endpoint];
        if (provocation) faults.push({ ...provocation, poNumber });
        faults.push({ endpoint, ...fault, ...whose, ...(endpoint === 'listOrders' ? { count: 1 } : times) });
        if (seed > 2) {
          const elsewhere = endpoints[pick(seed, nth * 7 + at, endpoints.length - 1)]!;
          const other = faultKinds[pick(seed, at * 15 + nth, faultKinds.length)]!;
          faults.push({ endpoint: elsewhere, kind: other, poNumber, count: 1, delayMs: lateMs });
        }
      }
    }
  }
  return { pos, faults };
};
