import type { AttemptFacts } from './decision.ts';
import { findGuardHold } from './guards.ts';
import { lateEffectsMs, laterByMs, type PlacingRules } from './options.ts';
import type { Intent, IntentOutcome, TakenPurchaseOrder } from './types.ts';

/** Number of submissions with an unknown outcome after which a PO is held as service_unstable. */
const submissionsAllowed = 5;

/** Outcomes of a submission that cannot have made an order. The ledger's SQL reads them from here. */
export const certainlyNotOrdered: readonly IntentOutcome[] = ['not_acted', 'refused'];

const knownOutcome = (intent: Intent | undefined) => (intent ? (intent.outcome ?? 'unknown') : 'none');

const mayHaveActed = (intent: Intent): boolean =>
  intent.outcome === undefined || intent.outcome === 'unknown' || intent.outcome === 'done';

/**
 * Whether a create intent explains a cart that exists. A deletion that succeeded ends that, once it has certainly taken
 * effect; after a create call with an unclear outcome only if it began when that call could no longer act (rule 3). Both
 * may take twice as long as ever expected: a busy service that is a little late must not hold the PO.
 */
const cartMayBeOurs = (intents: readonly Intent[], boundMs: number): boolean =>
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
            (later.endedAgoMs ?? 0) >= 2 * boundMs &&
            (create.outcome === 'done' || (create.endedAgoMs ?? 0) - (later.begunAgoMs ?? 0) >= 2 * boundMs),
        ),
  );

/**
 * Whether an unclear call that may still take effect can make a cart: a creation of this PO, or a call for another PO of its
 * number, whose kind is not known here.
 */
const mayCreateLate = (intents: readonly Intent[], rules: PlacingRules): boolean => {
  const boundMs = lateEffectsMs(rules);
  const late = intents.filter(
    (intent) =>
      knownOutcome(intent) === 'unknown' && (intent.endedAgoMs ?? 0) - laterByMs(intent, rules) < boundMs,
  );
  return late.length === 0 || late.some(({ step }) => step === 'create_cart');
};

/**
 * Milliseconds since a changing call with an unclear outcome last ended, for any purchase order of this PO number, as if all had
 * been sent with the present timeout; undefined without such a call.
 */
export const sinceUnclear = (
  { sinceUnclearMs, unclearTimeoutMs }: Pick<TakenPurchaseOrder, 'sinceUnclearMs' | 'unclearTimeoutMs'>,
  rules: PlacingRules,
): number | undefined =>
  sinceUnclearMs === undefined
    ? undefined
    : sinceUnclearMs - laterByMs({ timeoutMs: unclearTimeoutMs }, rules);

/** Nothing was sent for the PO, and no call for another PO of its number has an unclear outcome. */
const isFirstAttempt = ({ epoch, sinceUnclearMs, intents }: TakenPurchaseOrder): boolean =>
  epoch === 0 && sinceUnclearMs === undefined && intents.every(({ outcome }) => outcome === 'not_acted');

/**
 * The last attempt ended because a line may or may not have been in its cart, and that cart is gone. Any other end needs a
 * lookup: it met an order, a refusal, or a cart that may be somebody else's.
 */
const isRebuild = ({ epoch, intents }: TakenPurchaseOrder): boolean => {
  const acted = intents.filter(({ outcome }) => outcome !== 'not_acted');
  const last = acted.filter((intent) => intent.epoch === epoch - 1);
  const outcomes = (step: Intent['step']) => last.filter((intent) => intent.step === step).map(knownOutcome);
  return (
    acted.every((intent) => intent.epoch < epoch && intent.step !== 'submit_order') &&
    outcomes('create_cart').at(-1) === 'done' &&
    outcomes('add_items').at(-1) === 'unknown' &&
    outcomes('delete_cart').at(-1) === 'done'
  );
};

/** Quotes, accounts with reused numbers, and POs that a person has decided about are always looked up first. */
const ordersCanWait = (po: TakenPurchaseOrder, rules: PlacingRules): boolean =>
  po.baseline === undefined &&
  !po.quoteOnly &&
  !po.cancelling &&
  !rules.poNumbersReused &&
  (isFirstAttempt(po) || isRebuild(po));

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
  const lastIntent = (step: Intent['step'], sinceEpoch: number) =>
    po.intents.findLast((intent) => intent.step === step && intent.epoch >= sinceEpoch);
  const lastOf = (step: Intent['step'], sinceEpoch: number) => knownOutcome(lastIntent(step, sinceEpoch));
  const submissions = po.intents.filter((intent) => intent.step === 'submit_order');
  const create = lastOf('create_cart', po.epoch);
  const submit = lastOf('submit_order', po.epoch);
  const boundMs = lateEffectsMs(rules);
  const sinceUnclearMs = sinceUnclear(po, rules);
  const lateEffects = sinceUnclearMs !== undefined && sinceUnclearMs < boundMs;
  const createdAgoMs = lastIntent('create_cart', po.cartEpoch ?? po.epoch)?.begunAgoMs ?? 0;
  return {
    state: po.state,
    create: create === 'not_acted' ? 'none' : create,
    cartIsFresh: sinceTake.some(({ step, outcome }) => step === 'create_cart' && outcome === 'done'),
    items: lastOf('add_items', po.cartEpoch ?? po.epoch),
    submit: submit === 'not_acted' ? 'none' : submit,
    deletion: lastOf('delete_cart', po.epoch),
    cartMayBeOurs: cartMayBeOurs(po.intents, boundMs),
    mayHaveOrdered: submissions.some(({ outcome }) => !certainlyNotOrdered.includes(outcome ?? 'unknown')),
    firstLookup: po.baseline === undefined,
    ordersCanWait: ordersCanWait(po, rules),
    lookups: po.lookups,
    rebuildsLeft: rules.rebuildsAllowed - po.rebuilds,
    submissionsLeft:
      submissionsAllowed - submissions.filter((intent) => intent.outcome !== 'not_acted').length,
    troubled: po.failures > 0 || po.accountPauses > 0,
    outOfPatience: po.failingForMs > rules.unreachableAllowedMs,
    cancelling: po.cancelling || po.orderIsLive,
    holding: po.holding,
    quoteOnly: po.quoteOnly,
    fileGrew: po.fileGrew && po.approvals.fileGrew !== true,
    guard: po.state === 'items_added' && findGuardHold(po.lines, rules.guards, po.approvals) !== undefined,
    lateEffects,
    lateCreation: lateEffects && mayCreateLate(po.intents, rules),
    begunEarly: sinceUnclearMs !== undefined && sinceUnclearMs - createdAgoMs < boundMs,
    ordersAdopted: po.approvals.orders === true,
    poNumbersReused: rules.poNumbersReused,
    submissionConsumesCart: rules.submissionConsumesCart,
    createRefusesExistingCart: rules.createRefusesExistingCart,
    cartProvesNoOrder: rules.createRefusesOrderedPo && rules.submissionConsumesCart && !rules.poNumbersReused,
  };
};
