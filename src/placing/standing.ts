import type { Standing } from './decide.ts';
import { findGuardHold } from './guards.ts';
import type { PlacingRules } from './options.ts';
import type { Intent, TakenPurchaseOrder } from './types.ts';

/** Submissions of unknown outcome after which a PO is held as service_unstable. */
const submissionsAllowed = 5;

const outcomeOf = (intent: Intent | undefined) => (intent ? (intent.outcome ?? 'unknown') : 'none');

/** What the decision needs to know, out of what the ledger has. */
export const standingOf = (po: TakenPurchaseOrder, rules: PlacingRules): Standing => {
  const last = (match: (intent: Intent) => boolean) => po.intents.findLast(match);
  const mayHaveActed = (intent: Intent) =>
    intent.outcome === undefined || intent.outcome === 'unknown' || intent.outcome === 'done';
  const submissions = po.intents.filter((intent) => intent.step === 'submit_order');
  const create = outcomeOf(last((intent) => intent.step === 'create_cart' && intent.epoch === po.epoch));
  const submit = outcomeOf(last((intent) => intent.step === 'submit_order' && intent.epoch === po.epoch));
  return {
    state: po.state,
    create: create === 'not_acted' ? 'none' : create,
    items: outcomeOf(
      last((intent) => intent.step === 'add_items' && intent.epoch >= (po.cartEpoch ?? po.epoch)),
    ),
    submit: submit === 'not_acted' ? 'none' : submit,
    cartMayBeOurs: po.intents.some((intent) => intent.step === 'create_cart' && mayHaveActed(intent)),
    mayHaveOrdered: submissions.some((intent) => mayHaveActed(intent) || intent.outcome === 'contradicted'),
    firstLook: po.baseline === undefined,
    looks: po.looks,
    rebuildsLeft: rules.rebuildsAllowed - po.rebuilds,
    submissionsLeft:
      submissionsAllowed - submissions.filter((intent) => intent.outcome !== 'not_acted').length,
    outOfPatience: po.failingForMs > rules.unreachableAllowedMs,
    cancelling: po.cancelling,
    quoteOnly: po.quoteOnly,
    guard: po.state === 'items_added' && findGuardHold(po.lines, rules.guards, po.approvals) !== undefined,
    poNumbersReused: rules.poNumbersReused,
    submissionConsumesCart: rules.submissionConsumesCart,
  };
};
