import { describe, expect, test } from 'vitest';
import {
  type CallKind,
  decide,
  type Observation,
  outcomeOf,
  type Standing,
  type Step,
} from '../../src/placing/decide.ts';
import type { CartSight, NewOrders } from '../../src/placing/observe.ts';
import type { ChangingStep, IntentOutcome } from '../../src/placing/types.ts';
import { cartCreated, itemsAdded, lastLook, ready, readyAgain, submitting, verifying } from './standings.ts';

const answer = (to: ChangingStep, kind: CallKind): Observation => ({ saw: 'answer', to, kind });
const stands = (orders: NewOrders, cart: CartSight): Observation => ({ saw: 'standing', orders, cart });
const nothing: Observation = { saw: 'nothing' };

const looks: Step = { do: 'look', at: 'orders_and_cart' };
const deletes: Step = { do: 'call', step: 'delete_cart' };
const creates: Step = { do: 'call', step: 'create_cart' };
const adds: Step = { do: 'call', step: 'add_items' };
const submits: Step = { do: 'call', step: 'submit_order' };
const rebuilds: Step = { do: 'ready', epoch: 'next', wait: 'late_effects', rebuilt: true };
const verifies: Step = { do: 'verify', wait: 'settle', counted: false };
const pauses: Step = { do: 'again', because: 'account', epoch: 'same' };
const pausesForNextEpoch: Step = { do: 'again', because: 'account', epoch: 'next' };
const retries: Step = { do: 'again', because: 'no_answer', epoch: 'same' };
const retriesOdd: Step = { do: 'again', because: 'odd_answer', epoch: 'same' };
const retriesReach: Step = { do: 'again', because: 'unreachable', epoch: 'same' };
const waitsForReads: Step = { do: 'again', because: 'lag', epoch: 'same' };
/** Lookups after which what cannot be read counts as gone. */
const lagLooks = 5;
const looksLater: Step = { do: 'again', because: 'reads', epoch: 'same' };
const holds = (code: Extract<Step, { do: 'hold' }>['code']): Step => ({ do: 'hold', code });

type Cell = [promise: string, standing: Standing, observation: Observation, step: Step];
const promises = (cells: Cell[]): void => {
  test.each(cells)('%s', (_, standing, observation, step) => {
    expect(decide(standing, observation)).toEqual(step);
  });
};

/** The standing in which a step is called. */
const calling: Record<ChangingStep, Standing> = {
  create_cart: ready({ create: 'unknown', cartMayBeOurs: true, firstLook: false }),
  add_items: cartCreated({ items: 'unknown' }),
  delete_cart: cartCreated({ items: 'unknown', deletion: 'unknown' }),
  submit_order: submitting(),
};

describe('the table of faults', () => {
  describe('POST carts', () => {
    promises([
      [
        'answered well: the cart is created',
        calling.create_cart,
        answer('create_cart', 'ok'),
        { do: 'cart_created', epoch: 'same', wait: 'none' },
      ],
      ['not reached: tried again', calling.create_cart, answer('create_cart', 'not_sent'), retriesReach],
      [
        'unknown: whatever it made is deleted first',
        calling.create_cart,
        answer('create_cart', 'unknown'),
        deletes,
      ],
      ['refused: the PO failed', calling.create_cart, answer('create_cart', 'refused'), { do: 'fail' }],
      ['404: the account pauses', calling.create_cart, answer('create_cart', 'not_found'), pauses],
      ['405 or 415: the account pauses', calling.create_cart, answer('create_cart', 'unsupported'), pauses],
      [
        '409: looked into once it can be read',
        calling.create_cart,
        answer('create_cart', 'conflict'),
        looksLater,
      ],
      [
        '409 and a new order: verified',
        ready({ create: 'contradicted' }),
        stands('equal', 'absent'),
        verifies,
      ],
      [
        '409 and no cart yet: what explains it may not be readable yet, so it is looked up again',
        ready({ create: 'contradicted' }),
        stands('none', 'absent'),
        waitsForReads,
      ],
      [
        '409 and still no cart: held',
        ready({ create: 'contradicted', looks: lagLooks }),
        stands('none', 'absent'),
        holds('po_refused'),
      ],
      [
        '409 and still no cart, where an earlier create may explain it: whatever it made is deleted',
        readyAgain({ create: 'contradicted', looks: lagLooks }),
        stands('none', 'absent'),
        deletes,
      ],
      [
        '409 and a cart of an unknown create of ours: rebuilt',
        readyAgain({ create: 'contradicted' }),
        stands('none', 'unreadable'),
        deletes,
      ],
      [
        '409 and a cart that no create of ours explains: held',
        ready({ create: 'contradicted' }),
        stands('none', 'equal'),
        holds('foreign_cart'),
      ],
      ['401, 403 or 407: the account pauses', calling.create_cart, answer('create_cart', 'denied'), pauses],
      ['429: the account pauses', calling.create_cart, answer('create_cart', 'limited'), pauses],
      [
        'a lone redirect or page: the PO is tried again, and the account goes on',
        calling.create_cart,
        answer('create_cart', 'misdirected'),
        retriesOdd,
      ],
      [
        'a redirect or a page again: the account pauses',
        { ...calling.create_cart, troubled: true },
        answer('create_cart', 'misdirected'),
        pauses,
      ],
    ]);
  });

  describe('POST items', () => {
    promises([
      [
        'answered well: submission comes next, once it can be read',
        calling.add_items,
        answer('add_items', 'ok'),
        { do: 'items_added', epoch: 'same', wait: 'reads' },
      ],
      ['not reached: tried again', calling.add_items, answer('add_items', 'not_sent'), retriesReach],
      ['unknown: the cart goes', calling.add_items, answer('add_items', 'unknown'), deletes],
      [
        'unknown, and the cart is gone: built again',
        calling.delete_cart,
        answer('delete_cart', 'ok'),
        rebuilds,
      ],
      ['refused: the cart goes', cartCreated({ items: 'refused' }), answer('add_items', 'refused'), deletes],
      [
        'refused, and the cart is gone: the PO failed',
        cartCreated({ items: 'refused' }),
        answer('delete_cart', 'ok'),
        { do: 'fail' },
      ],
      [
        '404: looked into once it can be read',
        cartCreated({ items: 'contradicted' }),
        answer('add_items', 'not_found'),
        looksLater,
      ],
      [
        '404 and the cart cannot be read: it may only lag behind, so it is looked up again',
        cartCreated({ items: 'contradicted' }),
        stands('none', 'absent'),
        waitsForReads,
      ],
      [
        '404 and the cart is gone for good: built again',
        cartCreated({ items: 'contradicted', looks: lagLooks }),
        stands('none', 'absent'),
        rebuilds,
      ],
      [
        '404 and the cart stands: it means the item, and the cart goes',
        cartCreated({ items: 'contradicted' }),
        stands('none', 'different'),
        deletes,
      ],
      [
        '404 for the item, and the cart is gone: the PO failed',
        cartCreated({ items: 'contradicted' }),
        answer('delete_cart', 'not_found'),
        { do: 'fail' },
      ],
      [
        '404 and a new order: verified',
        cartCreated({ items: 'contradicted' }),
        stands('equal', 'absent'),
        verifies,
      ],
      ['409: the cart goes', calling.add_items, answer('add_items', 'conflict'), deletes],
      ['401, 403 or 407: the account pauses', calling.add_items, answer('add_items', 'denied'), pauses],
      ['405 or 415: the account pauses', calling.add_items, answer('add_items', 'unsupported'), pauses],
      ['429: the account pauses', calling.add_items, answer('add_items', 'limited'), pauses],
      [
        'a lone redirect or page: the PO is tried again, and the account goes on',
        calling.add_items,
        answer('add_items', 'misdirected'),
        retriesOdd,
      ],
      [
        'a redirect or a page again: the account pauses',
        { ...calling.add_items, troubled: true },
        answer('add_items', 'misdirected'),
        pauses,
      ],
      [
        'a redirect or a page, after the wait: the cart goes',
        cartCreated({ items: 'unknown' }),
        nothing,
        deletes,
      ],
    ]);
  });

  describe('DELETE', () => {
    promises([
      ['404: done', calling.delete_cart, answer('delete_cart', 'not_found'), rebuilds],
      ['not reached: tried again', calling.delete_cart, answer('delete_cart', 'not_sent'), retriesReach],
      ['unknown: repeated', calling.delete_cart, answer('delete_cart', 'unknown'), retries],
      ['refused: held', calling.delete_cart, answer('delete_cart', 'refused'), holds('cart_not_deletable')],
      ['409: held', calling.delete_cart, answer('delete_cart', 'conflict'), holds('cart_not_deletable')],
      ['401, 403 or 407: the account pauses', calling.delete_cart, answer('delete_cart', 'denied'), pauses],
      ['405 or 415: the account pauses', calling.delete_cart, answer('delete_cart', 'unsupported'), pauses],
      ['429: the account pauses', calling.delete_cart, answer('delete_cart', 'limited'), pauses],
      [
        'a lone redirect or page: the PO is tried again, and the account goes on',
        calling.delete_cart,
        answer('delete_cart', 'misdirected'),
        retriesOdd,
      ],
      [
        'a redirect or a page again: the account pauses',
        { ...calling.delete_cart, troubled: true },
        answer('delete_cart', 'misdirected'),
        pauses,
      ],
    ]);
  });

  describe('POST orders', () => {
    promises([
      [
        'answered well: ordered',
        calling.submit_order,
        answer('submit_order', 'ok'),
        { do: 'ordered', epoch: 'same', wait: 'none' },
      ],
      [
        'not reached: tried again under a new epoch',
        calling.submit_order,
        answer('submit_order', 'not_sent'),
        { do: 'again', because: 'unreachable', epoch: 'next' },
      ],
      ['unknown: verified', calling.submit_order, answer('submit_order', 'unknown'), verifies],
      ['refused: verified', calling.submit_order, answer('submit_order', 'refused'), verifies],
      [
        'refused, no order, cart stands: the cart goes',
        lastLook({ submit: 'refused' }),
        stands('none', 'equal'),
        deletes,
      ],
      [
        'refused, no order, no cart: the PO failed',
        lastLook({ submit: 'refused' }),
        stands('none', 'absent'),
        { do: 'fail' },
      ],
      [
        'refused, and the cart is gone: the PO failed',
        lastLook({ submit: 'refused' }),
        answer('delete_cart', 'ok'),
        { do: 'fail' },
      ],
      [
        'refused, yet a new order stands: ordered',
        lastLook({ submit: 'refused' }),
        stands('equal', 'absent'),
        { do: 'ordered', epoch: 'same', wait: 'none' },
      ],
      ['404: verified', calling.submit_order, answer('submit_order', 'not_found'), verifies],
      ['409: verified', calling.submit_order, answer('submit_order', 'conflict'), verifies],
      [
        '404 or 409, no order, no cart: built again',
        lastLook({ submit: 'contradicted' }),
        stands('none', 'absent'),
        rebuilds,
      ],
      [
        '404 or 409, no order, cart stands: held',
        lastLook({ submit: 'contradicted' }),
        stands('none', 'equal'),
        holds('po_refused'),
      ],
      [
        '401, 403 or 407: the account pauses',
        calling.submit_order,
        answer('submit_order', 'denied'),
        pausesForNextEpoch,
      ],
      [
        '405 or 415: the account pauses',
        calling.submit_order,
        answer('submit_order', 'unsupported'),
        pausesForNextEpoch,
      ],
      [
        '429: not acted on, the account pauses',
        calling.submit_order,
        answer('submit_order', 'limited'),
        pausesForNextEpoch,
      ],
      [
        'a lone redirect or page: verified',
        calling.submit_order,
        answer('submit_order', 'misdirected'),
        verifies,
      ],
      [
        'a redirect or a page again: the account pauses, and it is verified',
        submitting({ troubled: true }),
        answer('submit_order', 'misdirected'),
        { ...verifies, pause: true } as Step,
      ],
    ]);
  });

  describe('GET', () => {
    const failed = (kind: Exclude<CallKind, 'ok' | 'not_found'>): Observation => ({
      saw: 'failed_look',
      kind,
    });
    for (const standing of [ready(), cartCreated({ items: 'contradicted' }), itemsAdded(), verifying()]) {
      describe(`when ${standing.state}`, () => {
        promises([
          ['not reached: tried again', standing, failed('not_sent'), retriesReach],
          ['unknown: tried again', standing, failed('unknown'), retries],
          ['refused: held', standing, failed('refused'), holds('lookup_refused')],
          ['409: held', standing, failed('conflict'), holds('lookup_refused')],
          ['401, 403 or 407: the account pauses', standing, failed('denied'), pauses],
          ['405 or 415: the account pauses', standing, failed('unsupported'), pauses],
          ['429: the account pauses', standing, failed('limited'), pauses],
          ['a lone redirect or page: tried again', standing, failed('misdirected'), retriesOdd],
          [
            'a redirect or a page again: the account pauses',
            { ...standing, troubled: true },
            failed('misdirected'),
            pauses,
          ],
        ]);
      });
    }
  });
});

describe('rule 1: a step without an outcome may have acted', () => {
  promises([
    [
      'killed while creating: what it made is deleted, without a look',
      readyAgain({ create: 'unknown' }),
      nothing,
      deletes,
    ],
    ['killed while adding: the cart goes', cartCreated({ items: 'unknown' }), nothing, deletes],
    [
      'killed while deleting an unknown cart: deletes on',
      readyAgain({ deletion: 'unknown' }),
      nothing,
      deletes,
    ],
    [
      'killed while deleting for a refused item: deletes on',
      cartCreated({ items: 'contradicted', deletion: 'unknown' }),
      nothing,
      deletes,
    ],
    [
      'killed while deleting a different cart: deletes on',
      itemsAdded({ deletion: 'unknown' }),
      nothing,
      deletes,
    ],
    ['killed while submitting: verified', submitting(), nothing, verifies],
    [
      'killed after some lines were clearly taken: the others follow',
      cartCreated({ items: 'partial' }),
      nothing,
      adds,
    ],
  ]);
});

describe('rule 2: looks before the first change', () => {
  promises([
    ['a new PO is looked at', ready(), nothing, looks],
    ['an attempt after the first is looked at too', readyAgain(), nothing, looks],
    ['nothing there: the cart is created', ready(), stands('none', 'absent'), creates],
    ...(['equal', 'more', 'less', 'unreadable'] as const).map(
      (orders): Cell => [
        `orders that are not ours (${orders}): held`,
        ready(),
        stands(orders, 'absent'),
        holds('already_ordered'),
      ],
    ),
    [
      'numbers are re-used, an order for something else: recorded, the cart is created',
      ready({ poNumbersReused: true }),
      stands('more', 'absent'),
      creates,
    ],
    [
      'numbers are re-used, an order that shows less: it may be this very PO, held',
      ready({ poNumbersReused: true }),
      stands('less', 'absent'),
      holds('already_ordered'),
    ],
    [
      'numbers are re-used, an order for exactly this: held',
      ready({ poNumbersReused: true }),
      stands('equal', 'absent'),
      holds('already_ordered'),
    ],
    [
      'numbers are re-used, an order that cannot be read: held',
      ready({ poNumbersReused: true }),
      stands('unreadable', 'absent'),
      holds('already_ordered'),
    ],
    [
      'numbers are re-used, an order that came after the first look: held',
      readyAgain({ poNumbersReused: true }),
      stands('more', 'absent'),
      holds('already_ordered'),
    ],
    [
      'an earlier submission may have made the order: verified',
      readyAgain({ mayHaveOrdered: true }),
      stands('equal', 'absent'),
      verifies,
    ],
    [
      'a cart that no create of ours explains: held, not deleted',
      ready(),
      stands('none', 'equal'),
      holds('foreign_cart'),
    ],
    [
      'a cart that an earlier create of ours explains: deleted',
      readyAgain(),
      stands('none', 'different'),
      deletes,
    ],
  ]);
});

describe('rule 3: carts are rebuilt, never patched', () => {
  promises([
    [
      'no rebuild is left: held, and the cart is gone',
      cartCreated({ items: 'unknown', rebuildsLeft: 0 }),
      answer('delete_cart', 'ok'),
      { do: 'hold', code: 'service_unstable', cartGone: true },
    ],
    ...(['absent', 'incomplete'] as const).flatMap((cart): Cell[] => [
      [
        `the cart is ${cart} before submission: it may only lag behind, so it is looked up again`,
        itemsAdded(),
        stands('none', cart),
        waitsForReads,
      ],
      [
        `the cart is still ${cart} before submission: deleted and built again`,
        itemsAdded({ looks: lagLooks }),
        stands('none', cart),
        deletes,
      ],
    ]),
    [
      'a call for this PO number may still take effect: nothing is built until it cannot',
      readyAgain({ lateEffects: true }),
      nothing,
      { do: 'again', because: 'late_effects', epoch: 'same' },
    ],
    [
      'a call for an earlier PO of this number may still take effect: nothing is built until it cannot',
      ready({ lateEffects: true }),
      nothing,
      { do: 'again', because: 'late_effects', epoch: 'same' },
    ],
    ['nothing can take effect any more: looked at before the cart is made', readyAgain(), nothing, looks],
    [
      'a cart with other lines before submission: deleted',
      itemsAdded(),
      stands('none', 'different'),
      deletes,
    ],
  ]);
});

describe('rule 5: guards hold before submission', () => {
  promises([
    ['a guard holds', itemsAdded({ guard: true }), stands('none', 'equal'), holds('guard')],
    [
      'a guard holds only what would be submitted',
      itemsAdded({ guard: true }),
      stands('none', 'different'),
      deletes,
    ],
    [
      'an order that stands is verified, guard or not',
      itemsAdded({ guard: true }),
      stands('equal', 'equal'),
      verifies,
    ],
  ]);
});

describe('rule 6: looks directly before each submission', () => {
  promises([
    ['looked at', itemsAdded(), nothing, looks],
    ['nothing new and the cart as built: submitted', itemsAdded(), stands('none', 'equal'), submits],
    ['the cart cannot be read: submitted', itemsAdded(), stands('none', 'unreadable'), submits],
    ...(['equal', 'more', 'less', 'unreadable'] as const).map(
      (orders): Cell => [
        `a new order (${orders}): verified`,
        itemsAdded(),
        stands(orders, 'equal'),
        verifies,
      ],
    ),
    [
      'submitted in this epoch already: verified, never again',
      itemsAdded({ submit: 'unknown' }),
      nothing,
      verifies,
    ],
  ]);
});

describe('rule 7: an unknown submission is verified', () => {
  const counted: Step = { do: 'verify', wait: 'settle', counted: true };
  promises([
    ['the first looks ask for the PO', verifying({ looks: 0 }), nothing, { do: 'look', at: 'orders' }],
    ['the last look asks everywhere', verifying({ looks: 2 }), nothing, { do: 'look', at: 'everywhere' }],
    [
      'an equal new order: ordered',
      verifying(),
      stands('equal', 'absent'),
      { do: 'ordered', epoch: 'same', wait: 'none' },
    ],
    [
      'more than the file asks for: held with an alarm',
      verifying(),
      stands('more', 'absent'),
      { do: 'hold', code: 'duplicate_suspected', alarm: true },
    ],
    ['absent at the first look: looked at again', verifying({ looks: 0 }), stands('none', 'absent'), counted],
    [
      'absent at the second look: looked at again',
      verifying({ looks: 1 }),
      stands('none', 'absent'),
      counted,
    ],
    ['less at the first look: looked at again', verifying({ looks: 0 }), stands('less', 'absent'), counted],
    [
      'another one than the file asks for, adopted by a person: ordered',
      verifying({ ordersAdopted: true }),
      stands('less', 'equal'),
      { do: 'ordered', epoch: 'same', wait: 'none' },
    ],
    [
      'none though a person adopted it: held, and nothing is sent',
      lastLook({ ordersAdopted: true }),
      stands('none', 'equal'),
      holds('submission_unknown'),
    ],
    ['less at the last look: held', lastLook(), stands('less', 'absent'), holds('cannot_verify')],
    ['unreadable at the last look: held', lastLook(), stands('unreadable', 'absent'), holds('cannot_verify')],
    [
      'absent and the cart as built: submitted again under a new epoch',
      lastLook(),
      stands('none', 'equal'),
      { do: 'items_added', epoch: 'next', wait: 'none' },
    ],
    [
      'absent and a cart that cannot be read: submitted again under a new epoch',
      lastLook(),
      stands('none', 'unreadable'),
      { do: 'items_added', epoch: 'next', wait: 'none' },
    ],
    ['absent and no cart: held', lastLook(), stands('none', 'absent'), holds('submission_unknown')],
    ['absent and another cart: held', lastLook(), stands('none', 'different'), holds('submission_unknown')],
    [
      'absent where submission keeps the cart: held',
      lastLook({ submissionConsumesCart: false }),
      stands('none', 'equal'),
      holds('submission_unknown'),
    ],
    [
      'absent after too many submissions: held',
      lastLook({ submissionsLeft: 0 }),
      stands('none', 'equal'),
      holds('service_unstable'),
    ],
    [
      'nothing there, and only an earlier epoch submitted: held',
      lastLook({ submit: 'none' }),
      stands('none', 'equal'),
      holds('submission_unknown'),
    ],
    [
      'nothing there any more, and we never submitted: held',
      lastLook({ submit: 'none', mayHaveOrdered: false }),
      stands('none', 'equal'),
      holds('cannot_verify'),
    ],
  ]);
});

describe('rule 11: cancelling and quotes leave no cart and place no order', () => {
  const cancels: Step = { do: 'cancel' };
  promises([
    ['nothing was sent: cancelled', ready({ cancelling: true }), nothing, cancels],
    ['a cart may stand: looked at first', readyAgain({ cancelling: true }), nothing, looks],
    ['our cart stands: deleted', readyAgain({ cancelling: true }), stands('none', 'equal'), deletes],
    ['no cart stands: cancelled', readyAgain({ cancelling: true }), stands('none', 'absent'), cancels],
    [
      "somebody else's cart stands: cancelled, and it stays",
      readyAgain({ cancelling: true, cartMayBeOurs: false, mayHaveOrdered: true }),
      stands('none', 'equal'),
      cancels,
    ],
    ['a cart was created: deleted', cartCreated({ cancelling: true }), nothing, deletes],
    ['the cart is gone: cancelled', cartCreated({ cancelling: true }), answer('delete_cart', 'ok'), cancels],
    [
      'an unknown cart may still come: looked for once more',
      readyAgain({ create: 'unknown', cancelling: true }),
      answer('delete_cart', 'not_found'),
      rebuilds,
    ],
    ['all lines are in: never submitted', itemsAdded({ cancelling: true }), stands('none', 'equal'), deletes],
    [
      'all lines are in, but the cart cannot be read: deleted all the same, then cancelled',
      itemsAdded({ cancelling: true }),
      stands('none', 'absent'),
      deletes,
    ],
    [
      'an order stands: verified, not cancelled',
      itemsAdded({ cancelling: true }),
      stands('equal', 'absent'),
      verifies,
    ],
    ['a quote: the cart goes, unsubmitted', itemsAdded({ quoteOnly: true }), nothing, deletes],
    [
      'a quote, and its cart is gone: finished',
      itemsAdded({ quoteOnly: true }),
      answer('delete_cart', 'ok'),
      { do: 'finish_quote' },
    ],
    [
      'a quote whose number has an order: ended',
      ready({ quoteOnly: true }),
      stands('equal', 'absent'),
      cancels,
    ],
    [
      'a quote that the service refused because of an order: ended, not taken for that order',
      ready({ quoteOnly: true, create: 'contradicted' }),
      stands('equal', 'absent'),
      cancels,
    ],
    [
      'a quote whose number has an order, and its own cart: deleted',
      readyAgain({ quoteOnly: true }),
      stands('equal', 'equal'),
      deletes,
    ],
    [
      'a quote whose number has an order at a service that takes several: built all the same',
      ready({ quoteOnly: true, poNumbersReused: true }),
      stands('equal', 'absent'),
      { do: 'call', step: 'create_cart' },
    ],
    [
      'a quote whose lines are unknown: built again',
      cartCreated({ quoteOnly: true, items: 'unknown' }),
      answer('delete_cart', 'ok'),
      rebuilds,
    ],
  ]);
});

describe('rule 13: what is out of reach for too long is held, not failed', () => {
  const gone = (standing: Standing): Standing => ({ ...standing, outOfPatience: true });
  promises([
    ...(Object.keys(calling) as ChangingStep[]).map(
      (step): Cell => [
        `${step} not reached`,
        gone(calling[step]),
        answer(step, 'not_sent'),
        holds('service_unreachable'),
      ],
    ),
    [
      'a deletion without an answer',
      gone(calling.delete_cart),
      answer('delete_cart', 'unknown'),
      holds('service_unreachable'),
    ],
    [
      'a look not reached',
      gone(ready()),
      { saw: 'failed_look', kind: 'not_sent' },
      holds('service_unreachable'),
    ],
    [
      'a look without an answer',
      gone(verifying()),
      { saw: 'failed_look', kind: 'unknown' },
      holds('service_unreachable'),
    ],
    [
      'a submission without an answer is verified all the same',
      gone(submitting()),
      answer('submit_order', 'unknown'),
      verifies,
    ],
  ]);
});

describe('what an answer says about the effect', () => {
  const outcomes: Record<ChangingStep, Record<CallKind, IntentOutcome>> = {
    create_cart: {
      ok: 'done',
      refused: 'refused',
      not_found: 'not_acted',
      conflict: 'contradicted',
      denied: 'not_acted',
      limited: 'not_acted',
      unsupported: 'not_acted',
      not_sent: 'not_acted',
      misdirected: 'unknown',
      unknown: 'unknown',
    },
    add_items: {
      ok: 'done',
      refused: 'refused',
      not_found: 'contradicted',
      conflict: 'unknown',
      denied: 'partial',
      limited: 'partial',
      unsupported: 'partial',
      not_sent: 'partial',
      misdirected: 'unknown',
      unknown: 'unknown',
    },
    delete_cart: {
      ok: 'done',
      refused: 'refused',
      not_found: 'done',
      conflict: 'contradicted',
      denied: 'not_acted',
      limited: 'not_acted',
      unsupported: 'not_acted',
      not_sent: 'not_acted',
      misdirected: 'unknown',
      unknown: 'unknown',
    },
    submit_order: {
      ok: 'done',
      refused: 'refused',
      not_found: 'contradicted',
      conflict: 'contradicted',
      denied: 'not_acted',
      limited: 'not_acted',
      unsupported: 'not_acted',
      not_sent: 'not_acted',
      misdirected: 'unknown',
      unknown: 'unknown',
    },
  };
  test.each(Object.entries(outcomes))('%s', (step, byKind) => {
    for (const [kind, outcome] of Object.entries(byKind)) {
      expect([kind, outcomeOf(step as ChangingStep, kind as CallKind)]).toEqual([kind, outcome]);
    }
  });
});
