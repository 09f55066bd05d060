import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decide } from '../../src/placing/decide.ts';
import type { AttemptFacts, CallKind, Observation, Step } from '../../src/placing/decision.ts';
import { activeStates, type ChangingStep } from '../../src/placing/types.ts';

const outcome = fc.constantFrom('none', 'done', 'partial', 'not_acted', 'refused', 'contradicted', 'unknown');
const kinds: CallKind[] = [
  'ok',
  'not_found',
  'refused',
  'conflict',
  'denied',
  'limited',
  'unsupported',
  'misdirected',
  'not_sent',
  'unknown',
];
const steps: ChangingStep[] = ['create_cart', 'add_items', 'delete_cart', 'submit_order'];

/** All combinations of facts, even those that no ledger can contain. */
const anyFacts = fc.record({
  state: fc.constantFrom(...activeStates),
  create: outcome,
  items: outcome,
  submit: outcome,
  deletion: outcome,
  cartMayBeOurs: fc.boolean(),
  mayHaveOrdered: fc.boolean(),
  firstLookup: fc.boolean(),
  ordersCanWait: fc.boolean(),
  cartIsFresh: fc.boolean(),
  lookups: fc.nat(7),
  rebuildsLeft: fc.integer({ min: -1, max: 5 }),
  submissionsLeft: fc.integer({ min: -1, max: 5 }),
  troubled: fc.boolean(),
  outOfPatience: fc.boolean(),
  cancelling: fc.boolean(),
  quoteOnly: fc.boolean(),
  fileGrew: fc.boolean(),
  guard: fc.boolean(),
  lateEffects: fc.boolean(),
  lateCreation: fc.boolean(),
  begunEarly: fc.boolean(),
  ordersAdopted: fc.boolean(),
  poNumbersReused: fc.boolean(),
  submissionConsumesCart: fc.boolean(),
  createRefusesExistingCart: fc.boolean(),
  cartProvesNoOrder: fc.boolean(),
}) as fc.Arbitrary<AttemptFacts>;

const anyLookup: fc.Arbitrary<Observation> = fc.record({
  saw: fc.constant('lookup' as const),
  orders: fc.constantFrom('none', 'equal', 'more', 'less', 'unreadable'),
  cart: fc.constantFrom('absent', 'incomplete', 'equal', 'different', 'unreadable'),
});
const anyCart: fc.Arbitrary<Observation> = fc.record({
  saw: fc.constant('cart' as const),
  cart: fc.constantFrom('absent', 'incomplete', 'equal', 'different', 'unreadable'),
  ours: fc.boolean(),
});
const anyObservation: fc.Arbitrary<Observation> = fc.oneof(
  fc.constant({ saw: 'nothing' as const }),
  anyLookup,
  anyCart,
  fc.record({
    saw: fc.constant('failed_lookup' as const),
    kind: fc.constantFrom(...kinds.filter((kind) => kind !== 'ok' && kind !== 'not_found')),
  }) as fc.Arbitrary<Observation>,
  fc.record({
    saw: fc.constant('answer' as const),
    to: fc.constantFrom(...steps),
    kind: fc.constantFrom(...kinds),
  }),
);

const runs = { numRuns: 20_000, seed: 4 };
const always = (
  promise: string,
  holds: (facts: AttemptFacts, observation: Observation, step: Step) => void,
) =>
  test(promise, () => {
    fc.assert(
      fc.property(anyFacts, anyObservation, (facts, observation) =>
        holds(facts, observation, decide(facts, observation)),
      ),
      runs,
    );
  });
const calls = (step: Step, what: ChangingStep): boolean => step.do === 'call' && step.step === what;

always('every combination of facts and observation has a next step', (_s, _o, step) => {
  expect(step).toMatchObject({ do: expect.any(String) });
});

always('the same facts and observation always have the same next step', (facts, observation, step) => {
  expect(decide(structuredClone(facts), structuredClone(observation))).toEqual(step);
});

always(
  'submits only after a lookup that found no new order and no other cart',
  (facts, observation, step) => {
    if (!calls(step, 'submit_order')) return;
    expect(facts.state).toBe('items_added');
    if (observation.saw === 'cart') {
      expect(observation).toMatchObject({ cart: 'equal', ours: true });
      const proven = {
        cartProvesNoOrder: true,
        cartIsFresh: true,
        firstLookup: false,
        mayHaveOrdered: false,
      };
      expect(facts).toMatchObject(proven);
      return;
    }
    const { orders, cart } = observation as Extract<Observation, { saw: 'lookup' }>;
    const asBefore = facts.firstLookup && facts.poNumbersReused && orders === 'more';
    expect(orders === 'none' || asBefore).toBe(true);
    expect(['equal', 'unreadable']).toContain(cart);
  },
);

always('the first submission records the orders that existed before it', (facts, _o, step) => {
  if (calls(step, 'submit_order') && facts.firstLookup) expect(step).toMatchObject({ baseline: 'found' });
});

always(
  'records that no order existed only if the service refuses to create a cart beside one',
  (facts, _o, step) => {
    if (step.do !== 'call' || step.baseline !== 'none') return;
    expect(facts).toMatchObject({ create: 'done', cartProvesNoOrder: true, firstLookup: true });
  },
);

always('never submits what a guard holds or a person cancels', (facts, _o, step) => {
  if (calls(step, 'submit_order')) expect([facts.guard, facts.cancelling]).toEqual([false, false]);
});

always(
  'never submits a PO that its file may contain only in part, whatever else is known',
  (facts, observation, step) => {
    if (!facts.fileGrew) return;
    expect(calls(step, 'submit_order')).toBe(false);
    const unsubmitted = ['ready', 'cart_created', 'items_added'].includes(facts.state);
    if (observation.saw === 'nothing' && unsubmitted && facts.submit === 'none' && !facts.quoteOnly) {
      if (!facts.cancelling) expect(step).toEqual({ do: 'hold', code: 'file_grew' });
    }
  },
);

always('never submits a quote, and never counts an order as its own', (facts, observation, step) => {
  if (!facts.quoteOnly) return;
  expect(calls(step, 'submit_order')).toBe(false);
  if (observation.saw === 'lookup') expect(step.do).not.toBe('ordered');
});

always(
  'creates a cart only after a lookup that found none, or where the service refuses a second one',
  (facts, observation, step) => {
    if (!calls(step, 'create_cart')) return;
    expect(facts.state).toBe('ready');
    if (observation.saw === 'nothing') {
      expect(facts).toMatchObject({ ordersCanWait: true, createRefusesExistingCart: true });
      return;
    }
    expect(observation).toMatchObject({ cart: 'absent' });
    if (observation.saw === 'cart') expect(facts.ordersCanWait).toBe(true);
    else expect(facts.cancelling).toBe(false);
  },
);

always('submits nothing while a sent call may still take effect', (facts, observation, step) => {
  if (!facts.lateEffects) return;
  expect(calls(step, 'submit_order')).toBe(false);
  // A lookup now may be outdated at the submission.
  if (facts.state === 'items_added' && observation.saw === 'nothing') expect(step.do).not.toBe('lookup');
});

always('submits a cart that was built early only if its items were read', (facts, observation, step) => {
  if (!facts.begunEarly || !calls(step, 'submit_order')) return;
  expect(observation).toMatchObject({ saw: 'lookup', cart: 'equal' });
});

always('fails only for a refusal that no earlier call can have caused', (facts, _, step) => {
  if (step.do === 'fail' && facts.submit === 'none') expect(facts.begunEarly).toBe(false);
});

always(
  'looks for the cart of a cancelled PO only when it can no longer appear',
  (facts, observation, step) => {
    if (!facts.cancelling || !facts.lateEffects || facts.state !== 'ready') return;
    if (observation.saw === 'nothing') expect(step.do).not.toBe('lookup');
  },
);

always('missing data never leads to a second order', (facts, observation, step) => {
  // A quote orders nothing.
  if (facts.quoteOnly) return;
  if (observation.saw !== 'lookup' || facts.state !== 'ready' || !calls(step, 'create_cart')) return;
  expect(['none', 'more']).toContain(observation.orders);
});

always('deletes no existing cart of a PO that was never attempted', (facts, observation, step) => {
  const untouched = facts.state === 'ready' && !facts.cartMayBeOurs && facts.deletion === 'none';
  if (untouched && facts.create === 'none' && observation.saw !== 'answer') {
    expect(calls(step, 'delete_cart')).toBe(false);
  }
});

always(
  'orders only on evidence from the service: an answered submission, an equal new order, or one that a person adopts',
  (facts, observation, step) => {
    if (step.do !== 'ordered') return;
    const submitted =
      observation.saw === 'answer' && observation.to === 'submit_order' && observation.kind === 'ok';
    const found =
      observation.saw === 'lookup' &&
      (observation.orders === 'equal' || (facts.ordersAdopted && observation.orders !== 'none'));
    expect(submitted || found).toBe(true);
  },
);

always('fails, cancels or finishes a quote only if no new order was found', (facts, observation, step) => {
  // Orders from before our first change are not new, and an order ends a quote with its number.
  if ((facts.firstLookup && facts.poNumbersReused) || facts.quoteOnly) return;
  if (step.do !== 'fail' && step.do !== 'cancel' && step.do !== 'finish_quote') return;
  if (observation.saw === 'lookup') expect(observation.orders).toBe('none');
});

always(
  'changes nothing at the service while it verifies an order that a person adopts',
  (facts, observation, step) => {
    if (facts.state !== 'verifying' || !facts.ordersAdopted || observation.saw === 'answer') return;
    expect(['lookup', 'verify', 'ordered', 'hold', 'retry']).toContain(step.do);
  },
);

/** The two lookups and calls of one run, as `advance` makes them for a PO that it has just taken. */
test('never submits twice in an epoch, for any observation', () => {
  fc.assert(
    fc.property(anyFacts, anyLookup, (facts, lookup) => {
      fc.pre(facts.submit !== 'none');
      const first = decide(facts, { saw: 'nothing' });
      expect(calls(first, 'submit_order')).toBe(false);
      if (facts.state === 'items_added') expect(first).toMatchObject({ do: 'verify' });
      else expect(calls(decide(facts, lookup), 'submit_order')).toBe(false);
    }),
    runs,
  );
});

always('ends no PO whose cart may still appear', (facts, observation, step) => {
  if (observation.saw !== 'answer' || !facts.lateEffects || !facts.cartMayBeOurs) return;
  // Effects of a submission are awaited longer.
  if (facts.submit === 'refused' || observation.to === 'submit_order') return;
  expect(['fail', 'cancel', 'finish_quote']).not.toContain(step.do);
});
