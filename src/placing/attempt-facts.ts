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

/** The facts that a decision needs, from the PO as the ledger has it. */
export const attemptFactsOf = (po: TakenPurchaseOrder, rules: PlacingRules): AttemptFacts => {
  const lastOf = (step: Intent['step'], sinceEpoch: number) =>
    knownOutcome(po.intents.findLast((intent) => intent.step === step && intent.epoch >= sinceEpoch));
  const submissions = po.intents.filter((intent) => intent.step === 'submit_order');
  const create = lastOf('create_cart', po.epoch);
  const submit = lastOf('submit_order', po.epoch);
  return {
    state: po.state,
    create: create === 'not_acted' ? 'none' : create,
    items: lastOf('add_items', po.cartEpoch ?? po.epoch),
    submit: submit === 'not_acted' ? 'none' : submit,
    deletion: lastOf('delete_cart', po.epoch),
    cartMayBeOurs: cartMayBeOurs(po.intents),
    mayHaveOrdered: submissions.some(({ outcome }) => !certainlyNotOrdered.includes(outcome ?? 'unknown')),
    firstLookup: po.baseline === undefined,
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
    lateEffects: po.sinceUnclearMs !== undefined && po.sinceUnclearMs < lateEffectsMs(rules),
    ordersAdopted: po.approvals.orders === true,
    poNumbersReused: rules.poNumbersReused,
    submissionConsumesCart: rules.submissionConsumesCart,
  };
};
