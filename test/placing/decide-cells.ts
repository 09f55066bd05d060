import { expect, test } from 'vitest';
import type { CartComparison, OrdersComparison } from '../../src/placing/compare.ts';
import { decide } from '../../src/placing/decide.ts';
import type { CallKind, Observation, Step } from '../../src/placing/decision.ts';
import type { ChangingStep } from '../../src/placing/types.ts';
import { cartCreated, ready, submitting } from './attempt-facts.ts';

export const answer = (to: ChangingStep, kind: CallKind): Observation => ({ saw: 'answer', to, kind });
export const found = (orders: OrdersComparison, cart: CartComparison): Observation => ({
  saw: 'lookup',
  orders,
  cart,
});
export const nothing: Observation = { saw: 'nothing' };

export const looksUp: Step = { do: 'lookup', at: 'orders_and_cart' };
export const deletes: Step = { do: 'call', step: 'delete_cart' };
export const creates: Step = { do: 'call', step: 'create_cart' };
/** A call that records the orders found by the lookup. */
export const recordsAnd = (step: ChangingStep): Step => ({ do: 'call', step, baseline: 'found' });
export const looksAtCart: Step = { do: 'lookup', at: 'cart' };
export const adds: Step = { do: 'call', step: 'add_items' };
export const submits: Step = { do: 'call', step: 'submit_order' };
export const rebuilds: Step = { do: 'ready', epoch: 'next', wait: 'reads', rebuilt: true };
export const rebuildsLater: Step = { do: 'ready', epoch: 'next', wait: 'late_effects', rebuilt: true };
export const verifies: Step = { do: 'verify', wait: 'settle', counted: false };
export const pauses: Step = { do: 'retry', because: 'account', epoch: 'same' };
export const pausesForNextEpoch: Step = { do: 'retry', because: 'account', epoch: 'next' };
export const retries: Step = { do: 'retry', because: 'no_answer', epoch: 'same' };
export const retriesOdd: Step = { do: 'retry', because: 'odd_answer', epoch: 'same' };
export const retriesConnection: Step = { do: 'retry', because: 'unreachable', epoch: 'same' };
export const looksUpAgain: Step = { do: 'retry', because: 'lag', epoch: 'same' };
/** After this many lookups, an unreadable cart counts as gone. */
export const lookupsDuringLag = 5;
export const looksUpLater: Step = { do: 'retry', because: 'reads', epoch: 'same' };
export const holds = (code: Extract<Step, { do: 'hold' }>['code']): Step => ({ do: 'hold', code });

type Facts = Parameters<typeof decide>[0];
export type Cell = [promise: string, facts: Facts, observation: Observation, step: Step];
/** Cells that share the facts. */
export const given = (
  facts: Facts,
  cells: [promise: string, observation: Observation, step: Step][],
): Cell[] => cells.map(([promise, observation, step]) => [promise, facts, observation, step]);

export const promises = (cells: Cell[]): void => {
  test.each(cells)('%s', (_, facts, observation, step) => {
    expect(decide(facts, observation)).toEqual(step);
  });
};

/** The facts that lead to each call. */
export const calling: Record<ChangingStep, Facts> = {
  create_cart: ready({ create: 'unknown', cartMayBeOurs: true, firstLookup: false }),
  add_items: cartCreated({ items: 'unknown' }),
  delete_cart: cartCreated({ items: 'unknown', deletion: 'unknown' }),
  submit_order: submitting(),
};

/** Answers that concern only the account, the connection or a proxy, not the PO. */
export const accountCells = (step: ChangingStep): Cell[] => [
  ['not reached: retried', calling[step], answer(step, 'not_sent'), retriesConnection],
  ['401, 403 or 407: the account pauses', calling[step], answer(step, 'denied'), pauses],
  ['405 or 415: the account pauses', calling[step], answer(step, 'unsupported'), pauses],
  ['429: the account pauses', calling[step], answer(step, 'limited'), pauses],
  [
    'a single redirect or web page: the PO is retried, and the account continues',
    calling[step],
    answer(step, 'misdirected'),
    retriesOdd,
  ],
  [
    'another redirect or web page: the account pauses',
    { ...calling[step], troubled: true },
    answer(step, 'misdirected'),
    pauses,
  ],
];
