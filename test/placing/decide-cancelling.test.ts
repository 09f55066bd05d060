import { describe } from 'vitest';
import type { Step } from '../../src/placing/decision.ts';
import { cartCreated, itemsAdded, ready, readyAgain } from './attempt-facts.ts';
import {
  answer,
  deletes,
  found,
  given,
  looksUp,
  nothing,
  promises,
  rebuilds,
  rebuildsLater,
  verifies,
} from './decide-cells.ts';

describe('rule 11: cancelling and quotes leave no cart and place no order', () => {
  const cancels: Step = { do: 'cancel' };
  promises([
    ['nothing was sent: cancelled', ready({ cancelling: true }), nothing, cancels],
    ...given(readyAgain({ cancelling: true }), [
      ['a cart may exist: looked up first', nothing, looksUp],
      ['our cart exists: deleted', found('none', 'equal'), deletes],
      ['no cart exists: cancelled', found('none', 'absent'), cancels],
    ]),
    [
      "somebody else's cart exists: cancelled, and the cart stays",
      readyAgain({ cancelling: true, cartMayBeOurs: false, mayHaveOrdered: true }),
      found('none', 'equal'),
      cancels,
    ],
    ...given(cartCreated({ cancelling: true }), [
      ['a cart was created: deleted', nothing, deletes],
      ['the cart is deleted: cancelled', answer('delete_cart', 'ok'), cancels],
    ]),
    [
      'an unclear cart may still appear: looked up once more',
      readyAgain({ create: 'unknown', cancelling: true }),
      answer('delete_cart', 'not_found'),
      rebuildsLater,
    ],
    ...given(itemsAdded({ cancelling: true }), [
      ['all lines are added: never submitted', found('none', 'equal'), deletes],
      [
        'all lines are added, but the cart cannot be read: deleted anyway, then cancelled',
        found('none', 'absent'),
        deletes,
      ],
      ['an order exists: verified, not cancelled', found('equal', 'absent'), verifies],
    ]),
    ...given(itemsAdded({ quoteOnly: true }), [
      ['a quote: the cart is deleted, never submitted', nothing, deletes],
      ['a quote, and its cart is deleted: finished', answer('delete_cart', 'ok'), { do: 'finish_quote' }],
    ]),
    [
      'a quote whose number has an order: ended',
      ready({ quoteOnly: true }),
      found('equal', 'absent'),
      cancels,
    ],
    [
      'a quote that the service refused because of an order: ended, never counted as that order',
      ready({ quoteOnly: true, create: 'contradicted' }),
      found('equal', 'absent'),
      cancels,
    ],
    [
      'a quote whose number has an order, and its own cart: deleted',
      readyAgain({ quoteOnly: true }),
      found('equal', 'equal'),
      deletes,
    ],
    [
      'a quote whose number has an order at a service that accepts several: built anyway',
      ready({ quoteOnly: true, poNumbersReused: true }),
      found('equal', 'absent'),
      { do: 'call', step: 'create_cart', baseline: 'found' },
    ],
    [
      'a quote whose lines are unclear: rebuilt',
      cartCreated({ quoteOnly: true, items: 'unknown' }),
      answer('delete_cart', 'ok'),
      rebuilds,
    ],
  ]);
});
