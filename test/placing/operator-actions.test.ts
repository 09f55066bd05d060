import { describe, expect, test } from 'vitest';
import { poActions } from '../../src/api-contract/action-words.ts';
import type { ActionPlan, ActionTarget } from '../../src/placing/action-target.ts';
import { type HoldReasonCode, holdReasons } from '../../src/placing/hold-reasons.ts';
import { type OperatorAction, planOperatorAction, statesFor } from '../../src/placing/operator-actions.ts';
import { activeStates } from '../../src/placing/types.ts';
import { allStates, heldTarget } from './action-target.ts';
import { line } from './lines.ts';

const codes = Object.keys(holdReasons) as HoldReasonCode[];
const held = (reasonCode: string | undefined, over: Partial<ActionTarget> = {}): ActionTarget =>
  heldTarget({
    reasonCode,
    lines: [line({ expectedPrice: '2.00', answer: { backorderQuantity: 1, dealerPrice: '3.00' } })],
    ...over,
  });
const planned = (action: OperatorAction, po: ActionTarget): ActionPlan | undefined => {
  const result = planOperatorAction(action, po);
  return result.kind === 'plan' ? result.plan : undefined;
};
/** A plan in short form: the state in which the PO continues, and `+1` for a new epoch. */
const inShort = (plan: ActionPlan | undefined) => plan && `${plan.state}${plan.nextEpoch ? ' +1' : ''}`;

// A separate list, so that every change of the table of hold reasons must be confirmed here.
const expected: Record<HoldReasonCode, { release: string | undefined; submitted?: string; adopt?: true }> = {
  backorder: { release: 'items_added +1' },
  price_above: { release: 'items_added +1' },
  order_total: { release: 'items_added +1' },
  unusual_quantity: { release: 'items_added +1' },
  unknown_price: { release: 'items_added +1' },
  conflicting_po: { release: 'ready +1' },
  similar_po: { release: 'ready +1' },
  was_cancelled: { release: 'ready +1' },
  restored_file: { release: 'ready +1' },
  question: { release: 'ready +1' },
  already_ordered: { release: undefined, adopt: true },
  foreign_cart: { release: 'ready +1' },
  service_unstable: { release: 'ready +1' },
  service_unreachable: { release: 'ready +1', submitted: 'verifying' },
  lookup_refused: { release: 'ready +1', submitted: 'verifying' },
  cart_not_deletable: { release: 'ready +1' },
  po_refused: { release: 'ready +1' },
  duplicate_suspected: { release: 'verifying', adopt: true },
  cannot_verify: { release: 'verifying', adopt: true },
  on_hold: { release: 'ready +1' },
  file_grew: { release: 'ready +1' },
  submission_unknown: { release: 'verifying', adopt: true },
};

describe.each([...codes, 'a_code_of_another_version', undefined])('a PO held as %s', (code) => {
  const { release, submitted, adopt } = expected[code as HoldReasonCode] ?? { release: 'ready +1' };

  test('is released as its reason says', () => {
    expect(inShort(planned('release', held(code)))).toBe(release);
    expect(inShort(planned('release', held(code, { mayHaveOrdered: true })))).toBe(submitted ?? release);
  });

  test('stays cancelled when it is released', () => {
    const plan = planned('release', held(code, { cancelling: true }));
    if (plan) expect(plan.cancelling).toBe(true);
  });

  test('adopts an order only where there may be one, and never as a quote', () => {
    const plan = planned('adopt', held(code));
    expect(inShort(plan)).toBe(adopt ? 'verifying' : undefined);
    if (plan) expect(plan.approvals).toEqual({ orders: true });
    expect(planned('adopt', held(code, { quoteOnly: true }))).toBeUndefined();
  });

  test('is submitted again only after an unclear submission', () => {
    expect(inShort(planned('submit_again', held(code)))).toBe(
      code === 'submission_unknown' ? 'ready +1' : undefined,
    );
  });

  test('is cancelled: at the service where it is its own, and only here where it may be ordered', () => {
    const untouched = { state: 'cancelled', nextEpoch: false, reason: { code: 'dismissed' } };
    const viaService = { state: 'ready', nextEpoch: false, cancelling: true, reason: undefined };
    expect(planned('cancel', held(code))).toMatchObject(code === 'conflicting_po' ? untouched : viaService);
    expect(planned('cancel', held(code, { mayHaveOrdered: true }))).toMatchObject(untouched);
  });

  test('is not retried', () => {
    expect(planned('retry', held(code))).toBeUndefined();
  });
});

test.each([
  ['backorder', { backorder: { 2: 1 } }],
  ['price_above', { price: { 2: '3.00' } }],
  ['order_total', { orderTotalCents: '300', unpriced: {} }],
  ['unusual_quantity', { unusualQuantity: { 2: true } }],
  ['unknown_price', { unknownPrice: {} }],
  ['file_grew', { fileGrew: true }],
] as const)('a release from %s approves what was shown, and nothing else', (code, approvals) => {
  expect(planned('release', held(code))?.approvals).toEqual({ orders: false, ...approvals });
});

describe.each(allStates.filter((state) => state !== 'held'))('a PO that is %s', (state) => {
  const possible = (over: Partial<ActionTarget>) =>
    poActions.filter(
      (action) => planOperatorAction(action, held(undefined, { state, ...over })).kind !== 'not_possible',
    );
  const isActive = (activeStates as readonly string[]).includes(state);

  test('allows only the actions of its state', () => {
    const ended = { failed: ['retry', 'settle', 'assign'], rejected: ['settle', 'assign'] } as Partial<
      Record<string, string[]>
    >;
    expect(possible({})).toEqual(isActive ? ['hold', 'cancel'] : (ended[state] ?? []));
    // A reason code left from an earlier hold changes nothing.
    for (const reasonCode of codes) expect(possible({ reasonCode })).toEqual(possible({}));
  });

  test('settles its alarm, whatever its state, while there is one', () => {
    const alarm = 'The service shows larger quantities.';
    if (state === 'rejected') return;
    expect(planOperatorAction('settle', held(undefined, { state, alarm }))).toEqual({
      kind: 'settle',
      takesBack: false,
      alarm,
    });
  });

  test('is settled once, and that is taken back only then', () => {
    const needed = state === 'failed' || state === 'rejected';
    expect(possible({}).includes('settle')).toBe(needed);
    expect(possible({})).not.toContain('unsettle');
    expect(possible({ settled: true })).toContain('unsettle');
    expect(possible({ settled: true })).not.toContain('settle');
    expect(possible({ settled: true })).not.toContain('assign');
    if (needed) expect(possible({ reasonCode: 'corrected' })).toEqual([]);
  });

  test('is cancelled or held at any time while it is in progress, but not twice', () => {
    for (const over of [{ mayHaveOrdered: true }, { leased: true }])
      expect(possible(over)).toEqual(possible({}));
    if (!isActive) return;
    expect(possible({ cancelling: true })).toEqual([]);
    expect(possible({ holding: true, leased: true })).toEqual(['cancel']);
  });

  test('is held at once where no worker has it and nothing was submitted, otherwise at its next step', () => {
    const hold = (over: Partial<ActionTarget>) =>
      planOperatorAction('hold', held(undefined, { state, ...over }));
    const beforeSubmission = ['ready', 'cart_created', 'items_added'].includes(state);
    const wish = { kind: 'wish', wish: 'hold' };
    if (beforeSubmission)
      expect(hold({})).toMatchObject({ kind: 'plan', plan: { state: 'held', reason: { code: 'on_hold' } } });
    else if (isActive) expect(hold({})).toEqual(wish);
    if (isActive)
      for (const over of [{ leased: true }, { mayHaveOrdered: true }]) expect(hold(over)).toEqual(wish);
  });
});

test('an action is offered for every state in which it can be possible', () => {
  for (const action of poActions) {
    for (const state of allStates) {
      for (const reasonCode of [...codes, undefined]) {
        if (planOperatorAction(action, held(reasonCode, { state })).kind !== 'not_possible')
          expect(statesFor(action)).toContain(state);
      }
    }
  }
});
