import { describe } from 'vitest';
import type { Observation } from '../../src/placing/decision.ts';
import { cartCreated, itemsAdded, ready } from './attempt-facts.ts';
import {
  adds,
  answer,
  type Cell,
  creates,
  deletes,
  found,
  given,
  holds,
  looksAtCart,
  looksUp,
  looksUpAgain,
  looksUpLater,
  lookupsDuringLag,
  nothing,
  promises,
  rebuilds,
  rebuildsLater,
  recordsAnd,
  submits,
  verifies,
} from './decide-cells.ts';

const cartSeen = (cart: Extract<Observation, { saw: 'cart' }>['cart'], ours = true): Observation => ({
  saw: 'cart',
  cart,
  ours,
});

describe('rule 2: orders that can wait are looked up once, before submission', () => {
  const waiting = ready({ ordersCanWait: true });
  const fails = { do: 'fail' } as const;
  const triesAgainLater = { do: 'ready', epoch: 'next', wait: 'late_effects' } as const;
  const looksForOrders = { do: 'lookup', at: 'orders' } as const;
  promises([
    ...given(waiting, [
      ['only the cart is looked up', nothing, looksAtCart],
      ['no cart: it is created', cartSeen('absent', false), creates],
      ...(['incomplete', 'equal', 'different', 'unreadable'] as const).map(
        (cart): [string, Observation, typeof looksUp] => [
          `a cart (${cart}): the orders are looked up, too`,
          cartSeen(cart, false),
          looksUp,
        ],
      ),
      ['the creation is refused: an order may be the reason', answer('create_cart', 'refused'), looksUpLater],
      ['the result of the creation is unknown: deleted', answer('create_cart', 'unknown'), deletes],
    ]),
    ...given(ready({ create: 'refused' }), [
      ['the creation was refused, then a crash: looked up, nothing is deleted', nothing, looksUp],
      ['refused because of an order: held', found('equal', 'absent'), holds('already_ordered')],
      ['refused because of a cart: held', found('none', 'equal'), holds('foreign_cart')],
      ['refused, without an order or a cart: the PO fails', found('none', 'absent'), fails],
    ]),
    ...given(ready({ create: 'refused', begunEarly: true, firstLookup: false }), [
      [
        'refused while an earlier call could act: tried again when none can',
        found('none', 'absent'),
        triesAgainLater,
      ],
    ]),
    ...given(itemsAdded({ firstLookup: true }), [
      ['before submission everything is looked up', nothing, looksUp],
      ['no order: recorded, and submitted', found('none', 'equal'), recordsAnd('submit_order')],
      ...(['equal', 'more', 'less', 'unreadable'] as const).map(
        (orders): [string, Observation, typeof deletes] => [
          `an order (${orders}) is not ours: the cart is deleted`,
          found(orders, 'equal'),
          deletes,
        ],
      ),
      [
        'an equal order in place of our cart: looked up again, as reads may lag',
        found('equal', 'absent'),
        looksUpAgain,
      ],
      ['another order in place of our cart: deleted', found('less', 'absent'), deletes],
      ['then the next attempt finds the order, and holds the PO', answer('delete_cart', 'ok'), rebuilds],
    ]),
    [
      'an equal order, and our cart is still gone: somebody submitted it, verified',
      itemsAdded({ firstLookup: true, lookups: lookupsDuringLag }),
      found('equal', 'absent'),
      verifies,
    ],
    ...given(cartCreated({ firstLookup: true, items: 'refused' }), [
      ['a refused line: an order may be the reason', nothing, looksForOrders],
      ['no order: recorded, and the cart is deleted', found('none', 'absent'), recordsAnd('delete_cart')],
      ['an order: the cart is deleted', found('equal', 'absent'), deletes],
      ['then the PO does not fail, but is looked up', answer('delete_cart', 'ok'), rebuilds],
    ]),
    [
      'a refused line and a deletion without an answer: deleted again',
      cartCreated({ firstLookup: true, items: 'refused', deletion: 'unknown' }),
      nothing,
      deletes,
    ],
    [
      'a refused line, and no order existed: the PO fails',
      cartCreated({ items: 'refused' }),
      answer('delete_cart', 'ok'),
      fails,
    ],
  ]);
});

describe('rule 2: where creation refuses a standing cart, it takes the place of the lookup', () => {
  const declared = { createRefusesExistingCart: true };
  const unclear = ready({ ...declared, create: 'unknown', cartMayBeOurs: true });
  const later = ready({ ...declared, cartMayBeOurs: true, rebuildsLeft: 4 });
  promises([
    ['the cart is created at once', ready({ ...declared, ordersCanWait: true }), nothing, creates],
    ['where the orders cannot wait, all is looked up', ready(declared), nothing, looksUp],
    ...given(unclear, [
      [
        'the result of the creation is unknown: nothing is deleted before a lookup',
        answer('create_cart', 'unknown'),
        rebuildsLater,
      ],
      ['killed while creating: nothing is deleted before a lookup', nothing, rebuildsLater],
    ]),
    [
      'then an empty cart is ours: deleted',
      later,
      { saw: 'lookup', orders: 'none', cart: 'incomplete', emptyCart: true },
      recordsAnd('delete_cart'),
    ],
    ...(['incomplete', 'equal', 'different', 'unreadable'] as const).map(
      (cart): Cell => [
        `a cart with lines or unreadable ones (${cart}) may be somebody else’s: held`,
        later,
        found('none', cart),
        holds('foreign_cart'),
      ],
    ),
  ]);
});

describe('rule 6: an untouched cart of our own proves that nothing was ordered', () => {
  const declared = { cartProvesNoOrder: true, cartIsFresh: true };
  promises([
    [
      'creation succeeded: no order existed, which is recorded',
      cartCreated({ ...declared, firstLookup: true }),
      nothing,
      { do: 'call', step: 'add_items', baseline: 'none' },
    ],
    ['it is not declared: nothing is recorded', cartCreated({ firstLookup: true }), nothing, adds],
    ...given(itemsAdded(declared), [
      ['only the cart is looked up', nothing, looksAtCart],
      ['our cart with the file’s lines: submitted', cartSeen('equal'), submits],
      ['a cart with another number, or none: everything is looked up', cartSeen('equal', false), looksUp],
      ...(['absent', 'incomplete', 'different', 'unreadable'] as const).map(
        (cart): [string, Observation, typeof looksUp] => [
          `${cart}: everything is looked up`,
          cartSeen(cart),
          looksUp,
        ],
      ),
    ]),
    [
      'a guard holds, as after any lookup',
      itemsAdded({ ...declared, guard: true }),
      cartSeen('equal'),
      holds('guard'),
    ],
    ...(
      [
        ['the cart is from an earlier lease', { cartIsFresh: false }],
        ['an earlier submission may have acted', { mayHaveOrdered: true }],
        ['the cart is from an earlier epoch', { create: 'none' }],
        ['the orders before were never known', { firstLookup: true }],
        ['the manners are not declared', { cartProvesNoOrder: false }],
      ] as const
    ).map(
      ([why, over]): Cell => [
        `${why}: everything is looked up`,
        itemsAdded({ ...declared, ...over }),
        nothing,
        looksUp,
      ],
    ),
  ]);
});
