import type { AttemptFacts } from './decide.ts';
import { findGuardHold } from './guards.ts';
import { lateEffectsMs, type PlacingRules } from './options.ts';
import type { Intent, IntentOutcome, TakenPurchaseOrder } from './types.ts';

/** Submissions of unknown outcome after which a PO is held as service_unstable. */
const submissionsAllowed = 5;

/** Outcomes of a submission that cannot have made an order. The ledger's SQL reads them from here. */
export const certainlyNotOrdered: readonly IntentOutcome[] = ['not_acted', 'refused'];

const knownOutcome = (intent: Intent | undefined) => (intent ? (intent.outcome ?? 'unknown') : 'none');

const mayHaveActed = (intent: Intent): boolean =>
  intent.outcome === undefined || intent.outcome === 'unknown' || intent.outcome === 'done';

/**
 * Whether a create intent explains a cart that exists. A successful deletion ends that; after a create call with an unknown
 * outcome only a deletion of a later epoch does, because the call may take effect after the first deletion (rule 3).
 */
const cartMayBeOurs = (intents: readonly Intent[]): boolean =>
  intents.some(
    (create, at) =>
      create.step === 'create_cart' &&
      mayHaveActed(create) &&
      !intents
        .slice(at + 1)
        .some(
          (later) =>
            later.step === 'delete_cart' &&
            later.outcome === 'done' &&
            (create.outcome === 'done' || later.epoch > create.epoch),
        ),
  );

/**
 * Nothing was sent for the PO or, unclearly, for another one of its number, and no person has decided about it. Quotes and
 * accounts with reused numbers are looked up first in any case.
 */
const isUntouched = (po: TakenPurchaseOrder, rules: PlacingRules): boolean =>
  po.epoch === 0 &&
  po.baseline === undefined &&
  po.sinceUnclearMs === undefined &&
  po.intents.every((intent) => intent.outcome === 'not_acted') &&
  !po.quoteOnly &&
  !po.cancelling &&
  !rules.poNumbersReused;

/**
 * The facts that a decision needs, from the PO as the ledger has it.
 *
 * @param sinceTake the intents of this lease
 */
export const attemptFactsOf = (
  po: TakenPurchaseOrder,
  rules: PlacingRules,
  { sinceTake = [] }: { sinceTake?: readonly Intent[] } = {},
): AttemptFacts => {
  const lastOf = (step: Intent['step'], sinceEpoch: number) =>
    knownOutcome(po.intents.findLast((intent) => intent.step === step && intent.epoch >= sinceEpoch));
  const submissions = po.intents.filter((intent) => intent.step === 'submit_order');
  const create = lastOf('create_cart', po.epoch);
  const submit = lastOf('submit_order', po.epoch);
  const lateEffects = po.sinceUnclearMs !== undefined && po.sinceUnclearMs < lateEffectsMs(rules);
  // A cart that is built at once may meet one that an earlier create call makes only now.
  const mayStillAppear =
    lateEffects && po.intents.some((one) => one.step === 'create_cart' && knownOutcome(one) === 'unknown');
  return {
    state: po.state,
    create: create === 'not_acted' ? 'none' : create,
    cartIsFresh: sinceTake.some(({ step, outcome }) => step === 'create_cart' && outcome === 'done'),
    items: lastOf('add_items', po.cartEpoch ?? po.epoch),
    submit: submit === 'not_acted' ? 'none' : submit,
    deletion: lastOf('delete_cart', po.epoch),
    cartMayBeOurs: cartMayBeOurs(po.intents) || mayStillAppear,
    mayHaveOrdered: submissions.some(({ outcome }) => !certainlyNotOrdered.includes(outcome ?? 'unknown')),
    firstLookup: po.baseline === undefined,
    untouched: isUntouched(po, rules),
    lookups: po.lookups,
    rebuildsLeft: rules.rebuildsAllowed - po.rebuilds,
    submissionsLeft:
      submissionsAllowed - submissions.filter((intent) => intent.outcome !== 'not_acted').length,
    troubled: po.failures > 0 || po.accountPauses > 0,
    outOfPatience: po.failingForMs > rules.unreachableAllowedMs,
    cancelling: po.cancelling || po.orderIsLive,
    quoteOnly: po.quoteOnly,
    fileGrew: po.fileGrew && po.approvals.fileGrew !== true,
    guard: po.state === 'items_added' && findGuardHold(po.lines, rules.guards, po.approvals) !== undefined,
    lateEffects,
    // A cart that was created after the PO was taken is younger than that.
    cartBuiltEarly:
      po.sinceUnclearMs !== undefined && po.sinceUnclearMs - (po.sinceCreatedMs ?? 0) < lateEffectsMs(rules),
    ordersAdopted: po.approvals.orders === true,
    poNumbersReused: rules.poNumbersReused,
    submissionConsumesCart: rules.submissionConsumesCart,
    createRefusesExistingCart: rules.createRefusesExistingCart,
    cartProvesNoOrder: rules.createRefusesOrderedPo && rules.submissionConsumesCart && !rules.poNumbersReused,
  };
};
