import { describe, expect, test } from 'vitest';
import type { FailedPlacingCall } from '../../src/placing/failed-call.ts';
import { holdReasons } from '../../src/placing/hold-reasons.ts';
import {
  type TransitionInput,
  type TransitionStep,
  transitionFor,
} from '../../src/placing/transition-for.ts';
import type { TakenPurchaseOrder } from '../../src/placing/types.ts';
import { intent, line, order, taken } from './lines.ts';
import { rules } from './rules.ts';

const lagging = { ...rules, readLagMs: 700 };
const lateEffectsMs = 2 * lagging.requestTimeoutMs + lagging.readLagMs;
const limited: FailedPlacingCall = {
  kind: 'limited',
  waitMs: 7000,
  message: 'answered 429',
  call: 'create_cart',
};
const failed = 'Creating its cart was answered 429';

const of = (
  step: TransitionStep,
  po: Partial<TakenPurchaseOrder> = {},
  shown: Partial<Omit<TransitionInput, 'po' | 'rules'>> = {},
) => transitionFor(step, { po: taken(po), rules: lagging, ...shown });

describe('a step to another state', () => {
  test('ready: rebuilds under the next epoch once nothing late can act', () => {
    expect(of({ do: 'ready', epoch: 'next', wait: 'late_effects', rebuilt: true })).toEqual({
      transition: {
        state: 'ready',
        epoch: 'next',
        waitMs: lateEffectsMs,
        cart: 'gone',
        rebuilt: true,
        lookups: 0,
      },
    });
  });

  test('cart_created: with the number of the cart', () => {
    expect(of({ do: 'cart_created', epoch: 'same', wait: 'none' }, {}, { cartNumber: 'C-1' })).toEqual({
      transition: {
        state: 'cart_created',
        epoch: 'same',
        waitMs: 0,
        cart: { number: 'C-1' },
        lookups: 0,
      },
    });
  });

  test('items_added: once it can be read', () => {
    const { transition } = of({ do: 'items_added', epoch: 'same', wait: 'reads' });
    expect(transition).toMatchObject({ state: 'items_added', waitMs: 700 });
  });

  test('ordered: with the number that was answered, or the orders that were found', () => {
    const step = { do: 'ordered', epoch: 'same', wait: 'none' } as const;
    const found = [order('O-2', [])];
    expect(of(step, {}, { orderNumber: 'O-1', newOrders: found }).transition).toMatchObject({
      orderNumber: 'O-1',
    });
    expect(of(step, {}, { orderNumber: 'O-1' }).transition.orders).toBeUndefined();
    expect(of(step, {}, { newOrders: found }).transition.orders).toEqual(found);
  });
});

describe('verify', () => {
  const step = { do: 'verify', wait: 'spaced', counted: true } as const;

  test('counts lookups from its beginning', () => {
    expect(of(step, { state: 'items_added', lookups: 4 }).transition.lookups).toBe(0);
    expect(of(step, { state: 'verifying', lookups: 1 }).transition).toMatchObject({
      state: 'verifying',
      lookups: 2,
      waitMs: lagging.settleMs / 4,
    });
    expect(of({ ...step, counted: false }, { state: 'verifying', lookups: 1 }).transition.lookups).toBe(1);
  });

  test('pauses the account only when the decision requires it', () => {
    expect(of(step, {}, { failed: limited }).pause).toBeUndefined();
    expect(of({ ...step, pause: true }, {}, { failed: limited }).pause).toMatchObject({ firstMs: 7000 });
  });
});

describe('hold', () => {
  test.each(['foreign_cart', 'po_refused'] as const)(
    '%s: meaning and advice, with what the service answered',
    (code) => {
      const { transition } = of({ do: 'hold', code }, {}, { failed: limited });
      const { meaning, advice } = holdReasons[code];
      const reason = { code, text: `${meaning} ${advice} (${failed})` };
      expect(transition).toEqual({ state: 'held', epoch: 'same', waitMs: 0, lookups: 0, reason });
    },
  );

  test('quotes the answer of this epoch, and none of an earlier one', () => {
    const intents = [
      intent('create_cart', 'contradicted', 0, 'long ago'),
      intent('create_cart', 'contradicted', 1, 'just now'),
    ];
    const text = (epoch: number) =>
      of({ do: 'hold', code: 'po_refused' }, { epoch, intents }).transition.reason?.text;
    expect(text(1)).toMatch(/\(Creating its cart failed: just now\)$/);
    expect(text(2)).not.toMatch(/long ago|just now/);
  });

  test('of a refused lookup names the lookup', () => {
    const text = (call: 'order' | 'date_range' | 'cart') =>
      of({ do: 'hold', code: 'lookup_refused' }, {}, { failed: { ...limited, call } }).transition.reason
        ?.text;
    expect(text('order')).toContain('show the orders');
    expect(text('date_range')).toContain('list the orders');
    expect(text('cart')).toContain('show the cart');
  });

  test('with an alarm raises its text as the alarm; with its cart gone forgets the cart', () => {
    const { transition } = of({ do: 'hold', code: 'duplicate_suspected', alarm: true });
    expect(transition.alarm).toBe(transition.reason?.text);
    expect(of({ do: 'hold', code: 'service_unstable', cartGone: true }).transition.cart).toBe('gone');
  });

  test('of a quote never advises to adopt', () => {
    const { transition } = of({ do: 'hold', code: 'already_ordered' }, { quoteOnly: true });
    expect(transition.reason?.text).toMatch(/cannot be quoted. Cancel this quote.$/);
  });

  test('by a guard names the guard', () => {
    const { transition } = of({ do: 'hold', code: 'guard' }, { lines: [line({ answer: {} })] });
    expect(transition.reason?.code).toBe('unknown_price');
  });
});

describe('an end', () => {
  test('fail: with the service’s words of this epoch', () => {
    const intents = [intent('add_items', 'refused', 0, 'row 2: no such item')];
    expect(of({ do: 'fail' }, { intents }).transition).toMatchObject({
      state: 'failed',
      cart: 'gone',
      reason: { code: 'refused_by_service', text: 'The service refused it: row 2: no such item' },
    });
    expect(of({ do: 'fail' }).transition.reason?.text).toBe('The service refused it.');
  });

  test.each([
    [{ cancelling: true }, 'cancelled'],
    [{ quoteOnly: true, cancelling: true }, 'cancelled'],
    [{ quoteOnly: true, orderIsLive: true }, 'order_exists'],
    [{ quoteOnly: true, cancelling: true, orderIsLive: true }, 'order_exists'],
  ])('cancel of %o is %s', (po, code) => {
    expect(of({ do: 'cancel' }, po).transition).toMatchObject({
      state: 'cancelled',
      cart: 'gone',
      reason: { code },
    });
  });

  test('finish_quote: cancelled, as quoted', () => {
    expect(of({ do: 'finish_quote' }).transition).toMatchObject({
      state: 'cancelled',
      reason: { code: 'quoted' },
    });
  });
});

describe('retry', () => {
  const retry = (because: Extract<TransitionStep, { do: 'retry' }>['because']) =>
    ({ do: 'retry', because, epoch: 'same' }) as const;

  test('stays in its state, and after a submission that did not act in the one before it', () => {
    expect(of(retry('reads'), { state: 'cart_created' }).transition.state).toBe('cart_created');
    expect(of(retry('reads'), { state: 'submitting' }).transition.state).toBe('items_added');
  });

  test.each([
    ['reads', { waitMs: 700 }],
    ['late_effects', { waitMs: lateEffectsMs - 500 }],
    ['lag', { waitMs: 4000, lookups: 3 }],
    ['no_answer', { waitMs: 8000, failed }],
    ['odd_answer', { waitMs: 8000, failed }],
    ['account', { waitMs: 0 }],
    ['unreachable', { waitMs: 0, failed }],
  ] as const)('because of %s waits as that reason asks', (because, transition) => {
    const po = { lookups: 2, failures: 3, sinceUnclearMs: 500 };
    const found = of(retry(because), po, { failed: limited }).transition;
    expect(found).toMatchObject(transition);
    expect('failed' in found).toBe('failed' in transition);
  });

  test('pauses the account for what concerns the account, and for nothing else', () => {
    const pausing = (['account', 'unreachable'] as const).map((because) =>
      of(retry(because), {}, { failed: limited }),
    );
    for (const { pause } of pausing) expect(pause).toMatchObject({ code: 'rate_limited' });
    for (const because of ['reads', 'late_effects', 'lag', 'no_answer', 'odd_answer'] as const) {
      expect(of(retry(because), {}, { failed: limited }).pause).toBeUndefined();
    }
  });
});
