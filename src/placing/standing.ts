import type { Standing } from './decide.ts';
import { findGuardHold } from './guards.ts';
import { lateEffectsMs, type PlacingRules } from './options.ts';
import type { Intent, TakenPurchaseOrder } from './types.ts';

/** Submissions of unknown outcome after which a PO is held as service_unstable. */
const submissionsAllowed = 5;

const outcomeOf = (intent: Intent | undefined) => (intent ? (intent.outcome ?? 'unknown') : 'none');

const mayHaveActed = (intent: Intent): boolean =>
  intent.outcome === undefined || intent.outcome === 'unknown' || intent.outcome === 'done';

/**
 * Whether a create intent explains a cart that stands there. A deletion that was done ends that; of a create
 * whose outcome is unknown only a later epoch's, since its effect may come after the deletion (rule 3).
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

/** What the decision needs to know, out of what the ledger has. */
export const standingOf = (po: TakenPurchaseOrder, rules: PlacingRules): Standing => {
  const lastOf = (step: Intent['step'], sinceEpoch: number) =>
    outcomeOf(po.intents.findLast((intent) => intent.step === step && intent.epoch >= sinceEpoch));
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
    mayHaveOrdered: submissions.some((intent) => mayHaveActed(intent) || intent.outcome === 'contradicted'),
    firstLook: po.baseline === undefined,
    looks: po.looks,
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
