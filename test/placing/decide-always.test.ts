import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { AttemptFacts, CallKind, Observation, Step } from '../../src/placing/decide.ts';
import { decide } from '../../src/placing/decide.ts';
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
  ordersAdopted: fc.boolean(),
  poNumbersReused: fc.boolean(),
  submissionConsumesCart: fc.boolean(),
}) as fc.Arbitrary<AttemptFacts>;

const anyLookup: fc.Arbitrary<Observation> = fc.record({
  saw: fc.constant('lookup' as const),
  orders: fc.constantFrom('none', 'equal', 'more', 'less', 'unreadable'),
  cart: fc.constantFrom('absent', 'incomplete', 'equal', 'different', 'unreadable'),
});
const anyObservation: fc.Arbitrary<Observation> = fc.oneof(
  fc.constant({ saw: 'nothing' as const }),
  anyLookup,
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
    expect(observation).toMatchObject({ saw: 'lookup', orders: 'none' });
    expect(['equal', 'unreadable']).toContain((observation as { cart: string }).cart);
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

always('creates a cart only after a lookup that found none', (facts, observation, step) => {
  if (!calls(step, 'create_cart')) return;
  expect([facts.state, facts.cancelling]).toEqual(['ready', false]);
  expect(observation).toMatchObject({ saw: 'lookup', cart: 'absent' });
});

always('builds no cart while a sent call may still take effect', (facts, observation, step) => {
  if (!facts.lateEffects || observation.saw !== 'nothing' || facts.state !== 'ready') return;
  expect(calls(step, 'create_cart')).toBe(false);
  expect(step.do).not.toBe('lookup');
});

always('every rebuild waits until no call for the old cart can take effect', (_s, _o, step) => {
  if (step.do === 'ready') expect(step.wait).toBe('late_effects');
});

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

/** The two lookups and calls of one run: what `advance` does with a PO that it has just taken. */
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
