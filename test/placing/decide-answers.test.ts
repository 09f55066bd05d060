import { describe, expect, test } from 'vitest';
import { intentOutcomeOf } from '../../src/placing/after-answer.ts';
import type { CallKind, Observation, Step } from '../../src/placing/decision.ts';
import type { ChangingStep, IntentOutcome } from '../../src/placing/types.ts';
import {
  cartCreated,
  itemsAdded,
  lastLookup,
  ready,
  readyAgain,
  submitting,
  verifying,
} from './attempt-facts.ts';
import {
  accountCells,
  answer,
  calling,
  deletes,
  found,
  given,
  holds,
  looksUpAgain,
  looksUpLater,
  lookupsDuringLag,
  nothing,
  pauses,
  pausesForNextEpoch,
  promises,
  rebuilds,
  retries,
  retriesConnection,
  retriesOdd,
  verifies,
} from './decide-cells.ts';

describe('the table of faults', () => {
  describe('POST carts', () => {
    promises([
      ...accountCells('create_cart'),
      ...given(calling.create_cart, [
        [
          'answered: the cart is created',
          answer('create_cart', 'ok'),
          { do: 'cart_created', epoch: 'same', wait: 'none' },
        ],
        ['unknown: whatever it created is deleted first', answer('create_cart', 'unknown'), deletes],
        [
          'refused: looked up once reads are current, because an order may be the reason',
          answer('create_cart', 'refused'),
          looksUpLater,
        ],
        ['404: the account pauses', answer('create_cart', 'not_found'), pauses],
        ['409: looked up once reads are current', answer('create_cart', 'conflict'), looksUpLater],
      ]),
      ...given(ready({ create: 'contradicted' }), [
        ['409 and an order, at the first lookup: held', found('equal', 'absent'), holds('already_ordered')],
        [
          '409 and no cart yet: reads may lag, so it is looked up again',
          found('none', 'absent'),
          looksUpAgain,
        ],
      ]),
      [
        '409 and a new order: verified',
        ready({ create: 'contradicted', firstLookup: false }),
        found('equal', 'absent'),
        verifies,
      ],
      [
        '409 and still no cart: held',
        ready({ create: 'contradicted', lookups: lookupsDuringLag }),
        found('none', 'absent'),
        holds('po_refused'),
      ],
      [
        '409 and still no cart, but an earlier create may explain it: whatever it created is deleted',
        readyAgain({ create: 'contradicted', lookups: lookupsDuringLag }),
        found('none', 'absent'),
        deletes,
      ],
      [
        '409 and a cart that an unclear create of ours explains: rebuilt',
        readyAgain({ create: 'contradicted' }),
        found('none', 'unreadable'),
        deletes,
      ],
      [
        '409 and a cart that no create of ours explains: held',
        ready({ create: 'contradicted' }),
        found('none', 'equal'),
        holds('foreign_cart'),
      ],
    ]);
  });

  describe('POST items', () => {
    promises([
      ...accountCells('add_items'),
      ...given(calling.add_items, [
        [
          'answered: submission comes next, once reads are current',
          answer('add_items', 'ok'),
          { do: 'items_added', epoch: 'same', wait: 'reads' },
        ],
        ['unknown: the cart is deleted', answer('add_items', 'unknown'), deletes],
      ]),
      [
        'unknown, and the cart is deleted: rebuilt',
        calling.delete_cart,
        answer('delete_cart', 'ok'),
        rebuilds,
      ],
      ...given(cartCreated({ items: 'refused' }), [
        ['refused: the cart is deleted', answer('add_items', 'refused'), deletes],
        ['refused, and the cart is deleted: the PO fails', answer('delete_cart', 'ok'), { do: 'fail' }],
      ]),
      ...given(cartCreated({ items: 'contradicted' }), [
        ['404: looked up once reads are current', answer('add_items', 'not_found'), looksUpLater],
        [
          '404 and the cart cannot be read: reads may lag, so it is looked up again',
          found('none', 'absent'),
          looksUpAgain,
        ],
      ]),
      [
        '404 and the cart is really gone: rebuilt',
        cartCreated({ items: 'contradicted', lookups: lookupsDuringLag }),
        found('none', 'absent'),
        rebuilds,
      ],
      ...given(cartCreated({ items: 'contradicted' }), [
        [
          '404 and the cart exists: the item is meant, and the cart is deleted',
          found('none', 'different'),
          deletes,
        ],
        [
          '404 for the item, and the cart is deleted: the PO fails',
          answer('delete_cart', 'not_found'),
          { do: 'fail' },
        ],
        ['404 and a new order: verified', found('equal', 'absent'), verifies],
      ]),
      ['409: the cart is deleted', calling.add_items, answer('add_items', 'conflict'), deletes],
      [
        'a redirect or web page, after the wait: the cart is deleted',
        cartCreated({ items: 'unknown' }),
        nothing,
        deletes,
      ],
    ]);
  });

  describe('DELETE', () => {
    promises([
      ...accountCells('delete_cart'),
      ...given(calling.delete_cart, [
        ['404: done', answer('delete_cart', 'not_found'), rebuilds],
        ['unknown: repeated', answer('delete_cart', 'unknown'), retries],
        ['refused: held', answer('delete_cart', 'refused'), holds('cart_not_deletable')],
        ['409: held', answer('delete_cart', 'conflict'), holds('cart_not_deletable')],
      ]),
    ]);
  });

  describe('POST orders', () => {
    promises([
      ...given(calling.submit_order, [
        ['answered: ordered', answer('submit_order', 'ok'), { do: 'ordered', epoch: 'same', wait: 'none' }],
        [
          'not reached: retried in a new epoch',
          answer('submit_order', 'not_sent'),
          { do: 'retry', because: 'unreachable', epoch: 'next' },
        ],
        ['unknown: looked up at once', answer('submit_order', 'unknown'), { do: 'lookup', at: 'orders' }],
        ['refused: verified', answer('submit_order', 'refused'), verifies],
      ]),
      ...given(lastLookup({ submit: 'refused' }), [
        ['refused, no order, but a cart: the cart is deleted', found('none', 'equal'), deletes],
        ['refused, no order, no cart: the PO fails', found('none', 'absent'), { do: 'fail' }],
        ['refused, and the cart is deleted: the PO fails', answer('delete_cart', 'ok'), { do: 'fail' }],
        [
          'refused, but a new order exists: ordered',
          found('equal', 'absent'),
          { do: 'ordered', epoch: 'same', wait: 'none' },
        ],
      ]),
      ...given(calling.submit_order, [
        ['404: verified', answer('submit_order', 'not_found'), verifies],
        ['409: verified', answer('submit_order', 'conflict'), verifies],
      ]),
      ...given(lastLookup({ submit: 'contradicted' }), [
        ['404 or 409, no order, no cart: rebuilt', found('none', 'absent'), rebuilds],
        ['404 or 409, no order, but a cart: held', found('none', 'equal'), holds('po_refused')],
      ]),
      ...given(calling.submit_order, [
        ['401, 403 or 407: the account pauses', answer('submit_order', 'denied'), pausesForNextEpoch],
        ['405 or 415: the account pauses', answer('submit_order', 'unsupported'), pausesForNextEpoch],
        ['429: it did not act, the account pauses', answer('submit_order', 'limited'), pausesForNextEpoch],
        ['a single redirect or web page: verified', answer('submit_order', 'misdirected'), verifies],
      ]),
      [
        'another redirect or web page: the account pauses, and the PO is verified',
        submitting({ troubled: true }),
        answer('submit_order', 'misdirected'),
        { ...verifies, pause: true } as Step,
      ],
    ]);
  });

  describe('GET', () => {
    const failed = (kind: Exclude<CallKind, 'ok' | 'not_found'>): Observation => ({
      saw: 'failed_lookup',
      kind,
    });
    for (const facts of [ready(), cartCreated({ items: 'contradicted' }), itemsAdded(), verifying()]) {
      describe(`when ${facts.state}`, () => {
        promises([
          ...given(facts, [
            ['not reached: retried', failed('not_sent'), retriesConnection],
            ['unknown: retried', failed('unknown'), retries],
            ['refused: held', failed('refused'), holds('lookup_refused')],
            ['409: held', failed('conflict'), holds('lookup_refused')],
            ['401, 403 or 407: the account pauses', failed('denied'), pauses],
            ['405 or 415: the account pauses', failed('unsupported'), pauses],
            ['429: the account pauses', failed('limited'), pauses],
            ['a single redirect or web page: retried', failed('misdirected'), retriesOdd],
          ]),
          [
            'another redirect or web page: the account pauses',
            { ...facts, troubled: true },
            failed('misdirected'),
            pauses,
          ],
        ]);
      });
    }
  });
});

describe('the outcome that each answer means', () => {
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
      expect([kind, intentOutcomeOf(step as ChangingStep, kind as CallKind)]).toEqual([kind, outcome]);
    }
  });
});
