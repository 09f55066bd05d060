import { describe, expect, test } from 'vitest';
import { standingOf } from '../../src/placing/standing.ts';
import type { Intent } from '../../src/placing/types.ts';
import { intent, line, taken } from './lines.ts';
import { rules } from './rules.ts';

const standing = (intents: Intent[], over: Parameters<typeof taken>[0] = {}) =>
  standingOf(taken({ intents, ...over }), rules);

describe('intents', () => {
  test('one without an outcome is unknown', () => {
    expect(standing([intent('create_cart', undefined)]).create).toBe('unknown');
    expect(standing([intent('submit_order', undefined)]).submit).toBe('unknown');
  });

  test('only those of this epoch tell where this attempt stands', () => {
    const before = [intent('create_cart', 'unknown', 0), intent('submit_order', 'unknown', 0)];
    expect(standing(before, { epoch: 1 })).toMatchObject({ create: 'none', submit: 'none' });
  });

  test('one that certainly did not act is as good as none', () => {
    const intents = [intent('create_cart', 'not_acted'), intent('submit_order', 'not_acted')];
    expect(standing(intents)).toMatchObject({ create: 'none', submit: 'none', mayHaveOrdered: false });
  });

  test('of the items, those of the cart that stands count, also in a later epoch', () => {
    const intents = [intent('add_items', 'refused', 0), intent('add_items', 'done', 1)];
    expect(standing(intents, { epoch: 2, cartEpoch: 1 }).items).toBe('done');
    expect(standing(intents, { epoch: 2, cartEpoch: 2 }).items).toBe('none');
  });

  test('the last of a step counts', () => {
    const intents = [intent('add_items', 'partial'), intent('add_items', undefined)];
    expect(standing(intents, { cartEpoch: 0 }).items).toBe('unknown');
  });
});

describe('what a create of ours explains', () => {
  const ours = (...intents: Intent[]) => standing(intents, { epoch: 9 }).cartMayBeOurs;

  test.each(['done', 'unknown', undefined] as const)('a cart, when its outcome is %s', (outcome) => {
    expect(ours(intent('create_cart', outcome))).toBe(true);
  });

  test.each(['not_acted', 'refused', 'contradicted'] as const)(
    'nothing, when its outcome is %s',
    (outcome) => {
      expect(ours(intent('create_cart', outcome))).toBe(false);
    },
  );

  test('nothing after the cart was deleted', () => {
    expect(ours(intent('create_cart', 'done'), intent('delete_cart', 'done'))).toBe(false);
  });

  test('a cart still, after a deletion of unknown outcome', () => {
    expect(ours(intent('create_cart', 'done'), intent('delete_cart', 'unknown'))).toBe(true);
  });

  test("a late cart after the first deletion, and nothing after a later epoch's", () => {
    const late = [intent('create_cart', 'unknown', 0), intent('delete_cart', 'done', 0)];
    expect(ours(...late)).toBe(true);
    expect(ours(...late, intent('delete_cart', 'done', 1))).toBe(false);
  });

  test('the next cart, whatever became of the one before', () => {
    expect(
      ours(
        intent('create_cart', 'done', 0),
        intent('delete_cart', 'done', 0),
        intent('create_cart', 'done', 1),
      ),
    ).toBe(true);
  });
});

describe('submissions', () => {
  test('any of any epoch that may have acted may have ordered', () => {
    const may = (outcome: Intent['outcome']) =>
      standing([intent('submit_order', outcome, 0)], { epoch: 3 }).mayHaveOrdered;
    expect([undefined, 'unknown', 'done', 'contradicted'].map((outcome) => may(outcome as 'done'))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect([may('refused'), may('not_acted')]).toEqual([false, false]);
  });

  test('those that did not act cost no attempt', () => {
    const intents = [intent('submit_order', 'not_acted', 0), intent('submit_order', 'unknown', 1)];
    expect(standing(intents).submissionsLeft).toBe(standing([]).submissionsLeft - 1);
  });
});

test('a call with an unclear outcome may take effect until twice the request timeout and the read lag are over', () => {
  const lagging = { ...rules, readLagMs: 700 };
  const after = (sinceUnclearMs: number | undefined) =>
    standingOf(taken({ sinceUnclearMs }), lagging).lateEffects;
  const boundMs = 2 * lagging.requestTimeoutMs + lagging.readLagMs;
  expect([after(undefined), after(0), after(boundMs - 1), after(boundMs)]).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test('a guard holds what is about to be submitted, and nothing before that', () => {
  const unpriced = { lines: [line({ answer: {} })] };
  expect(standing([], { state: 'items_added', ...unpriced }).guard).toBe(true);
  expect(standing([], { state: 'cart_created', ...unpriced }).guard).toBe(false);
});

test('patience runs out after the time that the account allows, not before', () => {
  expect(standing([], { failingForMs: rules.unreachableAllowedMs }).outOfPatience).toBe(false);
  expect(standing([], { failingForMs: rules.unreachableAllowedMs + 1 }).outOfPatience).toBe(true);
});
