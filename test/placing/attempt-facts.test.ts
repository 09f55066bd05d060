import { describe, expect, test } from 'vitest';
import { attemptFactsOf } from '../../src/placing/attempt-facts.ts';
import type { Intent } from '../../src/placing/types.ts';
import { intent, line, taken } from './lines.ts';
import { rules } from './rules.ts';

const factsOf = (intents: Intent[], over: Parameters<typeof taken>[0] = {}) =>
  attemptFactsOf(taken({ intents, ...over }), rules);

describe('an intent', () => {
  test('without an outcome counts as unknown', () => {
    expect(factsOf([intent('create_cart', undefined)]).create).toBe('unknown');
    expect(factsOf([intent('submit_order', undefined)]).submit).toBe('unknown');
  });

  test('counts only in its own epoch', () => {
    const before = [intent('create_cart', 'unknown', 0), intent('submit_order', 'unknown', 0)];
    expect(factsOf(before, { epoch: 1 })).toMatchObject({ create: 'none', submit: 'none' });
  });

  test('that certainly did not act does not count', () => {
    const intents = [intent('create_cart', 'not_acted'), intent('submit_order', 'not_acted')];
    expect(factsOf(intents)).toMatchObject({ create: 'none', submit: 'none', mayHaveOrdered: false });
  });

  test('to add items counts for its cart, even in a later epoch', () => {
    const intents = [intent('add_items', 'refused', 0), intent('add_items', 'done', 1)];
    expect(factsOf(intents, { epoch: 2, cartEpoch: 1 }).items).toBe('done');
    expect(factsOf(intents, { epoch: 2, cartEpoch: 2 }).items).toBe('none');
  });

  test('replaces an earlier one of the same step', () => {
    const intents = [intent('add_items', 'partial'), intent('add_items', undefined)];
    expect(factsOf(intents, { cartEpoch: 0 }).items).toBe('unknown');
  });
});

describe('a create call of ours explains', () => {
  const ours = (...intents: Intent[]) => factsOf(intents, { epoch: 9 }).cartMayBeOurs;

  test.each(['done', 'unknown', undefined] as const)('a cart, when its outcome is %s', (outcome) => {
    expect(ours(intent('create_cart', outcome))).toBe(true);
  });

  test.each(['not_acted', 'refused', 'contradicted'] as const)(
    'nothing, when its outcome is %s',
    (outcome) => {
      expect(ours(intent('create_cart', outcome))).toBe(false);
    },
  );

  const longMs = 2 * (2 * rules.requestTimeoutMs + rules.readLagMs);
  const ago = (of: Intent, begunAgoMs: number) => ({ ...of, begunAgoMs, endedAgoMs: begunAgoMs });

  test('a cart until its deletion has certainly taken effect', () => {
    const created = intent('create_cart', 'done');
    const deleted = intent('delete_cart', 'done');
    expect(ours(created, deleted)).toBe(true);
    expect(ours(created, ago(deleted, longMs - 1))).toBe(true);
    expect(ours(created, ago(deleted, longMs))).toBe(false);
  });

  test('a cart after a deletion with unknown outcome', () => {
    expect(ours(intent('create_cart', 'done'), ago(intent('delete_cart', 'unknown'), longMs))).toBe(true);
  });

  test('a late cart until a deletion that began when the call could no longer act', () => {
    const unclear = intent('create_cart', 'unknown', 0);
    const deleted = ago(intent('delete_cart', 'done', 1), longMs);
    expect(ours(ago(unclear, 2 * longMs), deleted)).toBe(false);
    expect(ours(ago(unclear, 2 * longMs - 1), deleted)).toBe(true);
  });

  test('the next cart, no matter what happened to the previous one', () => {
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
  test('that may have acted, in any epoch, may have ordered', () => {
    const may = (outcome: Intent['outcome']) =>
      factsOf([intent('submit_order', outcome, 0)], { epoch: 3 }).mayHaveOrdered;
    expect([undefined, 'unknown', 'done', 'contradicted'].map((outcome) => may(outcome as 'done'))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect([may('refused'), may('not_acted')]).toEqual([false, false]);
  });

  test('that did not act cost no attempt', () => {
    const intents = [intent('submit_order', 'not_acted', 0), intent('submit_order', 'unknown', 1)];
    expect(factsOf(intents).submissionsLeft).toBe(factsOf([]).submissionsLeft - 1);
  });
});

test('a call with an unclear outcome may take effect until twice the request timeout and the read lag are over', () => {
  const lagging = { ...rules, readLagMs: 700 };
  const after = (sinceUnclearMs: number | undefined) =>
    attemptFactsOf(taken({ sinceUnclearMs }), lagging).lateEffects;
  const boundMs = 2 * lagging.requestTimeoutMs + lagging.readLagMs;
  expect([after(undefined), after(0), after(boundMs - 1), after(boundMs)]).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test('an unclear call may make a cart late unless it is one for a cart of the PO itself', () => {
  const boundMs = 2 * rules.requestTimeoutMs + rules.readLagMs;
  const unclear = (step: Intent['step'], endedAgoMs = 0) => ({ ...intent(step, 'unknown'), endedAgoMs });
  const late = (intents: Intent[], sinceUnclearMs = 0) => factsOf(intents, { sinceUnclearMs }).lateCreation;
  expect(late([unclear('create_cart')])).toBe(true);
  expect(late([unclear('create_cart', 1), unclear('add_items')])).toBe(true);
  expect(late([unclear('add_items'), unclear('delete_cart')])).toBe(false);
  expect(late([unclear('create_cart', boundMs), unclear('add_items')])).toBe(false);
  // A call for another PO of this number.
  expect(late([])).toBe(true);
  expect(late([unclear('add_items', boundMs)])).toBe(true);
  expect(late([unclear('create_cart', boundMs)], boundMs)).toBe(false);
  expect(late([{ ...intent('create_cart', 'unknown'), outcome: undefined }])).toBe(true);
});

test('a guard holds a PO that is about to be submitted, and none before that', () => {
  const unpriced = { lines: [line({ answer: {} })] };
  expect(factsOf([], { state: 'items_added', ...unpriced }).guard).toBe(true);
  expect(factsOf([], { state: 'cart_created', ...unpriced }).guard).toBe(false);
});

test('a PO is held only after the service was unreachable for the time that the account allows', () => {
  expect(factsOf([], { failingForMs: rules.unreachableAllowedMs }).outOfPatience).toBe(false);
  expect(factsOf([], { failingForMs: rules.unreachableAllowedMs + 1 }).outOfPatience).toBe(true);
});

describe('the orders can wait until the lookup before submission', () => {
  const waits = (intents: Intent[], over: Parameters<typeof taken>[0] = {}, changed = {}) =>
    attemptFactsOf(taken({ intents, ...over }), { ...rules, ...changed }).ordersCanWait;
  const unclearLine = [
    intent('create_cart', 'done', 0),
    intent('add_items', 'unknown', 0),
    intent('delete_cart', 'done', 0),
  ];
  const again = { epoch: 1, sinceUnclearMs: 5 };

  test('in a first attempt, and after one whose cart was deleted because a line may be in it', () => {
    expect(waits([])).toBe(true);
    expect(waits([intent('create_cart', 'not_acted')])).toBe(true);
    expect(waits(unclearLine, again)).toBe(true);
    expect(waits([...unclearLine, intent('create_cart', 'not_acted', 1)], again)).toBe(true);
  });

  test('not after a creation that may have acted, or a call for another PO of the number', () => {
    for (const outcome of ['done', 'unknown', 'refused', 'contradicted', undefined] as const) {
      expect(waits([intent('create_cart', outcome)])).toBe(false);
      expect(waits([...unclearLine, intent('create_cart', outcome, 1)], again)).toBe(false);
    }
    expect(waits([], { sinceUnclearMs: 5 })).toBe(false);
  });

  const endings: [string, Intent[]][] = [
    ['its creation was unclear', [intent('create_cart', 'unknown', 0), intent('delete_cart', 'done', 0)]],
    ['its cart was complete', unclearLine.with(1, intent('add_items', 'done', 0))],
    ['a line was refused', unclearLine.with(1, intent('add_items', 'refused', 0))],
    ['the service showed no cart', unclearLine.with(1, intent('add_items', 'contradicted', 0))],
    ['its cart was not deleted', unclearLine.slice(0, 2)],
    ['the deletion was unclear', unclearLine.with(2, intent('delete_cart', 'unknown', 0))],
    ['a submission may have acted', [...unclearLine, intent('submit_order', 'unknown', 0)]],
    ['a submission was refused', [...unclearLine, intent('submit_order', 'refused', 0)]],
  ];
  test.each(endings)('not after an attempt that ended because %s', (_, intents) => {
    expect(waits(intents, again)).toBe(false);
  });

  test('not for a quote, a cancelled PO, a recorded baseline, or where numbers are reused', () => {
    for (const over of [{ quoteOnly: true }, { cancelling: true }, { baseline: [] }]) {
      expect(waits([], over)).toBe(false);
      expect(waits(unclearLine, { ...again, ...over })).toBe(false);
    }
    expect(waits([], {}, { poNumbersReused: true })).toBe(false);
  });
});
