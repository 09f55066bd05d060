import type { AttemptFacts, HoldCode, RetryReason, Step } from './decision.ts';
import type { ChangingStep } from './types.ts';

export const call = (step: ChangingStep): Step => ({ do: 'call', step });
/** Rule 2: a call after a lookup of the orders; the first such call records them. */
export const callAfterLookup = (s: AttemptFacts, step: ChangingStep): Step =>
  s.firstLookup ? { do: 'call', step, baseline: 'found' } : call(step);
export const lookUp = (at: Extract<Step, { do: 'lookup' }>['at']): Step => ({ do: 'lookup', at });
export const hold = (code: HoldCode): Step => ({ do: 'hold', code });
export const retry = (because: RetryReason, epoch: 'same' | 'next' = 'same'): Step => ({
  do: 'retry',
  because,
  epoch,
});
export const startVerifying: Step = { do: 'verify', wait: 'settle', counted: false };

/** Lookups before an order counts as missing after an unclear submission (rule 7). */
export const lookupsNeeded = 3;

/** Repeated lookups before our own cart counts as gone rather than as not readable yet: 31 s in all. */
const lagLookups = 5;

/** Rule 3: our own cart may be unreadable only because reads lag, and waiting is cheaper than a rebuild. */
export const onceReadable = (s: AttemptFacts, step: Step): Step =>
  s.lookups < lagLookups ? retry('lag') : step;

export const whilePatient = (s: AttemptFacts, step: Step): Step =>
  s.outOfPatience ? hold('service_unreachable') : step;

/** Rule 3: a cart is never patched. It is deleted and built again under the next epoch. */
const rebuildCart: Step = { do: 'ready', epoch: 'next', wait: 'reads', rebuilt: true };
/** The rebuild when a lookup must first show what an unclear call made. */
export const rebuildLater: Step = { ...rebuildCart, wait: 'late_effects' };
/** Not counted as a rebuild: the effect of an earlier call does not mean that the service is unstable. */
const rebuildUncounted: Step = { do: 'ready', epoch: 'next', wait: 'reads' };
export const rebuild = (s: AttemptFacts): Step => {
  if (s.begunEarly && s.items === 'done') return rebuildUncounted;
  return s.rebuildsLeft > 0 ? rebuildCart : { do: 'hold', code: 'service_unstable', cartGone: true };
};

/** A refusal counts only once no earlier call can have caused it, by creating a cart or a line late. */
export const failRefused = (s: AttemptFacts): Step =>
  s.begunEarly ? { ...rebuildUncounted, wait: 'late_effects' } : atTheEnd(s, { do: 'fail' });

/** The purpose of the deletion is derived from the facts, so a crash in between changes nothing. */
export const afterDeletion = (s: AttemptFacts): Step => {
  // A cart whose creation is unknown may still appear: one more lookup follows.
  if (s.cancelling) return s.create === 'unknown' ? rebuildLater : atTheEnd(s, { do: 'cancel' });
  // If an order exists under the number, the lookup of the next attempt holds the PO (rule 2).
  const mayFail = !s.firstLookup;
  if (mayFail && (s.items === 'refused' || s.items === 'contradicted')) return failRefused(s);
  if (s.submit === 'refused') return { do: 'fail' };
  if (s.quoteOnly && s.items === 'done') return atTheEnd(s, { do: 'finish_quote' });
  return rebuild(s);
};

/** A cart must not appear after its PO has ended, so the deletion is repeated once no call can still create one. */
const atTheEnd = (s: AttemptFacts, end: Step): Step =>
  s.lateEffects && s.cartMayBeOurs ? retry('late_effects') : end;

/** Rule 2: no lookup has shown whether a cart existed before the first create call. */
export const createdUnseen = (s: AttemptFacts): boolean => s.createRefusesExistingCart && s.firstLookup;

/** A PO fails only when it is known that no order exists under its number: a restored ledger may have forgotten it. */
export const afterRefusedLine = (s: AttemptFacts): Step =>
  s.firstLookup && s.deletion === 'none' ? lookUp('orders') : call('delete_cart');
