import { describe } from 'vitest';
import type { AttemptFacts, Step } from '../../src/placing/decision.ts';
import type { ChangingStep } from '../../src/placing/types.ts';
import { cartCreated, itemsAdded, ready, readyAgain, submitting, verifying } from './attempt-facts.ts';
import {
  adds,
  answer,
  type Cell,
  calling,
  creates,
  deletes,
  found,
  given,
  holds,
  looksUp,
  looksUpAgain,
  lookupsDuringLag,
  nothing,
  promises,
  recordsAnd,
  submits,
  verifies,
} from './decide-cells.ts';

describe('rule 1: a step without an outcome may have acted', () => {
  promises([
    [
      'killed while creating: whatever it created is deleted, without a lookup',
      readyAgain({ create: 'unknown' }),
      nothing,
      deletes,
    ],
    ['killed while adding: the cart is deleted', cartCreated({ items: 'unknown' }), nothing, deletes],
    [
      'killed while deleting an unclear cart: deletes it again',
      readyAgain({ deletion: 'unknown' }),
      nothing,
      deletes,
    ],
    [
      'killed while deleting for a refused item: deletes the cart again',
      cartCreated({ items: 'contradicted', deletion: 'unknown' }),
      nothing,
      deletes,
    ],
    [
      'killed while deleting a different cart: deletes it again',
      itemsAdded({ deletion: 'unknown' }),
      nothing,
      deletes,
    ],
    ['killed while submitting: verified', submitting(), nothing, verifies],
    [
      'killed after some lines were added for certain: the others follow',
      cartCreated({ items: 'partial' }),
      nothing,
      adds,
    ],
  ]);
});

describe('rule 2: a lookup precedes the first change', () => {
  promises([
    ['a new PO is looked up', ready(), nothing, looksUp],
    ['every later attempt is looked up, too', readyAgain(), nothing, looksUp],
    [
      'no order and no cart: recorded, and the cart is created',
      ready(),
      found('none', 'absent'),
      recordsAnd('create_cart'),
    ],
    [
      'no order and no cart in a later attempt: the cart is created',
      readyAgain(),
      found('none', 'absent'),
      creates,
    ],
    ...(['equal', 'more', 'less', 'unreadable'] as const).map(
      (orders): Cell => [
        `orders that are not ours (${orders}): held`,
        ready(),
        found(orders, 'absent'),
        holds('already_ordered'),
      ],
    ),
    ...given(ready({ poNumbersReused: true }), [
      [
        'reused numbers, an order for something else: recorded, and the cart is created',
        found('more', 'absent'),
        recordsAnd('create_cart'),
      ],
      [
        'reused numbers, an order that shows less: it may be this PO, held',
        found('less', 'absent'),
        holds('already_ordered'),
      ],
      ['reused numbers, an order for exactly this: held', found('equal', 'absent'), holds('already_ordered')],
      [
        'reused numbers, an order that cannot be read: held',
        found('unreadable', 'absent'),
        holds('already_ordered'),
      ],
    ]),
    [
      'reused numbers, an order that appeared after the first lookup: held',
      readyAgain({ poNumbersReused: true }),
      found('more', 'absent'),
      holds('already_ordered'),
    ],
    [
      'an earlier submission may have made the order: verified',
      readyAgain({ mayHaveOrdered: true }),
      found('equal', 'absent'),
      verifies,
    ],
    [
      'a cart that no create of ours explains: held, not deleted',
      ready(),
      found('none', 'equal'),
      holds('foreign_cart'),
    ],
    [
      'a cart that an earlier create of ours explains: deleted',
      readyAgain(),
      found('none', 'different'),
      deletes,
    ],
  ]);
});

const waitsForLateEffects: Step = { do: 'retry', because: 'late_effects', epoch: 'same' };

describe('rule 3: carts are rebuilt, never patched', () => {
  promises([
    [
      'no rebuild is left: held, and the cart is deleted',
      cartCreated({ items: 'unknown', rebuildsLeft: 0 }),
      answer('delete_cart', 'ok'),
      { do: 'hold', code: 'service_unstable', cartGone: true },
    ],
    ...(['absent', 'incomplete'] as const).flatMap((cart): Cell[] => [
      [
        `the cart is ${cart} before submission: reads may lag, so it is looked up again`,
        itemsAdded(),
        found('none', cart),
        looksUpAgain,
      ],
      [
        `the cart is still ${cart} before submission: deleted and rebuilt`,
        itemsAdded({ lookups: lookupsDuringLag }),
        found('none', cart),
        deletes,
      ],
    ]),
    [
      'an earlier call may still take effect: the cart is built at once',
      readyAgain({ lateEffects: true }),
      nothing,
      looksUp,
    ],
    [
      'a creation without a lookup before it may still make a cart: nothing is looked up until it no longer can',
      ready({ createRefusesExistingCart: true, lateEffects: true, lateCreation: true }),
      nothing,
      waitsForLateEffects,
    ],
    [
      'only a line may still be added, to a cart that is deleted: the cart is built at once',
      ready({ createRefusesExistingCart: true, lateEffects: true }),
      nothing,
      looksUp,
    ],
    [
      'and nothing is looked up for its submission until it no longer can',
      itemsAdded({ lateEffects: true }),
      nothing,
      waitsForLateEffects,
    ],
    ['then its items are read', itemsAdded({ begunEarly: true }), nothing, looksUp],
    ['equal: submitted', itemsAdded({ begunEarly: true }), found('none', 'equal'), submits],
    [
      'not readable: rebuilt once more, because an earlier call may have changed it',
      itemsAdded({ begunEarly: true }),
      found('none', 'unreadable'),
      deletes,
    ],
    [
      'which counts as no rebuild',
      itemsAdded({ begunEarly: true, rebuildsLeft: 0 }),
      answer('delete_cart', 'ok'),
      { do: 'ready', epoch: 'next', wait: 'reads' },
    ],
    [
      'a cancelled PO ends only when no earlier call can create a cart any more',
      readyAgain({ cancelling: true, lateEffects: true }),
      nothing,
      waitsForLateEffects,
    ],
    ['a cart with other lines before submission: deleted', itemsAdded(), found('none', 'different'), deletes],
  ]);
});

describe('rule 5: guards hold before submission', () => {
  promises([
    ...given(itemsAdded({ guard: true }), [
      ['a guard holds', found('none', 'equal'), holds('guard')],
      ['a guard holds only what would be submitted', found('none', 'different'), deletes],
      ['an existing order is verified, with or without a guard', found('equal', 'equal'), verifies],
    ]),
  ]);
});

describe('rule 6: a lookup directly precedes each submission', () => {
  promises([
    ...given(itemsAdded(), [
      ['looked up', nothing, looksUp],
      ['no new order and the cart as built: submitted', found('none', 'equal'), submits],
      ['the cart cannot be read: submitted', found('none', 'unreadable'), submits],
    ]),
    ...(['equal', 'more', 'less', 'unreadable'] as const).map(
      (orders): Cell => [`a new order (${orders}): verified`, itemsAdded(), found(orders, 'equal'), verifies],
    ),
    [
      'already submitted in this epoch: verified, never submitted again',
      itemsAdded({ submit: 'unknown' }),
      nothing,
      verifies,
    ],
  ]);
});

describe('rule 13: what cannot be reached for too long is held, not failed', () => {
  const gone = (facts: AttemptFacts): AttemptFacts => ({ ...facts, outOfPatience: true });
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
      'a lookup not reached',
      gone(ready()),
      { saw: 'failed_lookup', kind: 'not_sent' },
      holds('service_unreachable'),
    ],
    [
      'a lookup without an answer',
      gone(verifying()),
      { saw: 'failed_lookup', kind: 'unknown' },
      holds('service_unreachable'),
    ],
    [
      'a submission whose lookup gets no answer is verified anyway',
      gone(submitting()),
      { saw: 'failed_lookup', kind: 'unknown' },
      verifies,
    ],
  ]);
});
