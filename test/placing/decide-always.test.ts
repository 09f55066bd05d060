import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type CallKind,
  decide,
  type Observation,
  type Standing,
  type Step,
} from '../../src/placing/decide.ts';
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

/** Every standing at all, also those that no ledger would hold. */
const anyStanding = fc.record({
  state: fc.constantFrom(...activeStates),
  create: outcome,
  items: outcome,
  submit: outcome,
  deletion: outcome,
  cartMayBeOurs: fc.boolean(),
  mayHaveOrdered: fc.boolean(),
  firstLook: fc.boolean(),
  looks: fc.nat(7),
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
}) as fc.Arbitrary<Standing>;

const anyLook: fc.Arbitrary<Observation> = fc.record({
  saw: fc.constant('standing' as const),
  orders: fc.constantFrom('none', 'equal', 'more', 'less', 'unreadable'),
  cart: fc.constantFrom('absent', 'incomplete', 'equal', 'different', 'unreadable'),
});
const anyObservation: fc.Arbitrary<Observation> = fc.oneof(
  fc.constant({ saw: 'nothing' as const }),
  anyLook,
  fc.record({
    saw: fc.constant('failed_look' as const),
    kind: fc.constantFrom(...kinds.filter((kind) => kind !== 'ok' && kind !== 'not_found')),
  }) as fc.Arbitrary<Observation>,
  fc.record({
    saw: fc.constant('answer' as const),
    to: fc.constantFrom(...steps),
    kind: fc.constantFrom(...kinds),
  }),
);

const runs = { numRuns: 20_000, seed: 4 };
const always = (promise: string, holds: (standing: Standing, observation: Observation, step: Step) => void) =>
  test(promise, () => {
    fc.assert(
      fc.property(anyStanding, anyObservation, (standing, observation) =>
        holds(standing, observation, decide(standing, observation)),
      ),
      runs,
    );
  });
const calls = (step: Step, what: ChangingStep): boolean => step.do === 'call' && step.step === what;

always('every standing and every observation has a next step', (_s, _o, step) => {
  expect(step).toMatchObject({ do: expect.any(String) });
});

always('the same standing and observation have the same next step', (standing, observation, step) => {
  expect(decide(structuredClone(standing), structuredClone(observation))).toEqual(step);
});

always('submits only after a look that saw no new order and no other cart', (standing, observation, step) => {
  if (!calls(step, 'submit_order')) return;
  expect(standing.state).toBe('items_added');
  expect(observation).toMatchObject({ saw: 'standing', orders: 'none' });
  expect(['equal', 'unreadable']).toContain((observation as { cart: string }).cart);
});

always('never submits what a guard holds or a person cancels', (standing, _o, step) => {
  if (calls(step, 'submit_order')) expect([standing.guard, standing.cancelling]).toEqual([false, false]);
});

always(
  'never submits what its file may not have given whole, whatever else is known',
  (standing, observation, step) => {
    if (!standing.fileGrew) return;
    expect(calls(step, 'submit_order')).toBe(false);
    const unsubmitted = ['ready', 'cart_created', 'items_added'].includes(standing.state);
    if (observation.saw === 'nothing' && unsubmitted && standing.submit === 'none' && !standing.quoteOnly) {
      if (!standing.cancelling) expect(step).toEqual({ do: 'hold', code: 'file_grew' });
    }
  },
);

always(
  'never submits a quote, and takes no order that it sees for its own',
  (standing, observation, step) => {
    if (!standing.quoteOnly) return;
    expect(calls(step, 'submit_order')).toBe(false);
    if (observation.saw === 'standing') expect(step.do).not.toBe('ordered');
  },
);

always('creates only after a look that saw no cart', (standing, observation, step) => {
  if (!calls(step, 'create_cart')) return;
  expect([standing.state, standing.cancelling]).toEqual(['ready', false]);
  expect(observation).toMatchObject({ saw: 'standing', cart: 'absent' });
});

always(
  'builds nothing while something that was sent may still take effect',
  (standing, observation, step) => {
    if (!standing.lateEffects || observation.saw !== 'nothing' || standing.state !== 'ready') return;
    expect(calls(step, 'create_cart')).toBe(false);
    expect(step.do).not.toBe('look');
  },
);

always('every rebuild waits until nothing of the old cart can take effect', (_s, _o, step) => {
  if (step.do === 'ready') expect(step.wait).toBe('late_effects');
});

always(
  'of what was not shown, nothing follows that is ordered a second time',
  (standing, observation, step) => {
    // A quote orders nothing.
    if (standing.quoteOnly) return;
    if (observation.saw !== 'standing' || standing.state !== 'ready' || !calls(step, 'create_cart')) return;
    expect(['none', 'more']).toContain(observation.orders);
  },
);

always(
  'of a PO that was never tried, no cart is deleted that stands there',
  (standing, observation, step) => {
    const untouched = standing.state === 'ready' && !standing.cartMayBeOurs && standing.deletion === 'none';
    if (untouched && standing.create === 'none' && observation.saw !== 'answer') {
      expect(calls(step, 'delete_cart')).toBe(false);
    }
  },
);

always(
  "orders only on the service's word: an answered submission, an equal new order, or one that a person adopts",
  (standing, observation, step) => {
    if (step.do !== 'ordered') return;
    const submitted =
      observation.saw === 'answer' && observation.to === 'submit_order' && observation.kind === 'ok';
    const found =
      observation.saw === 'standing' &&
      (observation.orders === 'equal' || (standing.ordersAdopted && observation.orders !== 'none'));
    expect(submitted || found).toBe(true);
  },
);

always(
  'fails, cancels and finishes a quote only when no new order was seen',
  (standing, observation, step) => {
    // What stood there before our first change is not new, and an order ends a quote of its number.
    if ((standing.firstLook && standing.poNumbersReused) || standing.quoteOnly) return;
    if (step.do !== 'fail' && step.do !== 'cancel' && step.do !== 'finish_quote') return;
    if (observation.saw === 'standing') expect(observation.orders).toBe('none');
  },
);

always(
  'does nothing at the service while it verifies what a person adopts',
  (standing, observation, step) => {
    if (standing.state !== 'verifying' || !standing.ordersAdopted || observation.saw === 'answer') return;
    expect(['look', 'verify', 'ordered', 'hold', 'again']).toContain(step.do);
  },
);

/** The two looks and calls of one run: what `advance` does with a PO that it has just taken. */
test('never submits twice in an epoch, whatever was seen', () => {
  fc.assert(
    fc.property(anyStanding, anyLook, (standing, look) => {
      fc.pre(standing.submit !== 'none');
      const first = decide(standing, { saw: 'nothing' });
      expect(calls(first, 'submit_order')).toBe(false);
      if (standing.state === 'items_added') expect(first).toMatchObject({ do: 'verify' });
      else expect(calls(decide(standing, look), 'submit_order')).toBe(false);
    }),
    runs,
  );
});
