import { describe } from 'vitest';
import type { Observation, Step } from '../../src/placing/decision.ts';
import { lastLookup, submitting, verifying } from './attempt-facts.ts';
import { found, given, holds, nothing, promises, verifies } from './decide-cells.ts';

describe('rule 7: an unclear submission is looked up at once, and verified unless its order is there', () => {
  const failures = ['unknown', 'not_sent', 'denied', 'limited', 'refused', 'misdirected'] as const;
  promises([
    ...given(submitting({ submit: 'unknown' }), [
      [
        'an order with the file’s quantities: ordered',
        found('equal', 'absent'),
        { do: 'ordered', epoch: 'same', wait: 'none' },
      ],
      ...(['none', 'more', 'less', 'unreadable'] as const).map((orders): [string, Observation, Step] => [
        `${orders}: verified`,
        found(orders, 'absent'),
        verifies,
      ]),
      ...failures.map((kind): [string, Observation, Step] => [
        `a lookup that fails (${kind}): verified`,
        { saw: 'failed_lookup', kind },
        verifies,
      ]),
      ['killed in between: verified', nothing, verifies],
    ]),
  ]);
});

describe('rule 7: an unknown submission is verified', () => {
  const counted: Step = { do: 'verify', wait: 'spaced', counted: true };
  promises([
    ['the first lookups ask for the PO', verifying({ lookups: 0 }), nothing, { do: 'lookup', at: 'orders' }],
    [
      'the last lookup asks everywhere',
      verifying({ lookups: 2 }),
      nothing,
      { do: 'lookup', at: 'everywhere' },
    ],
    ...given(verifying(), [
      [
        'an equal new order: ordered',
        found('equal', 'absent'),
        { do: 'ordered', epoch: 'same', wait: 'none' },
      ],
      [
        'more than the file asks for: held with an alarm',
        found('more', 'absent'),
        { do: 'hold', code: 'duplicate_suspected', alarm: true },
      ],
    ]),
    [
      'no order at the first lookup: looked up again',
      verifying({ lookups: 0 }),
      found('none', 'absent'),
      counted,
    ],
    [
      'no order at the second lookup: looked up again',
      verifying({ lookups: 1 }),
      found('none', 'absent'),
      counted,
    ],
    [
      'less at the first lookup: looked up again',
      verifying({ lookups: 0 }),
      found('less', 'absent'),
      counted,
    ],
    [
      'an order that differs from the file, adopted by a person: ordered',
      verifying({ ordersAdopted: true }),
      found('less', 'equal'),
      { do: 'ordered', epoch: 'same', wait: 'none' },
    ],
    [
      'no order although a person adopted it: held, and nothing is sent',
      lastLookup({ ordersAdopted: true }),
      found('none', 'equal'),
      holds('submission_unknown'),
    ],
    ...given(lastLookup(), [
      ['less at the last lookup: held', found('less', 'absent'), holds('cannot_verify')],
      ['unreadable at the last lookup: held', found('unreadable', 'absent'), holds('cannot_verify')],
      [
        'no order and the cart as built: submitted again in a new epoch',
        found('none', 'equal'),
        { do: 'items_added', epoch: 'next', wait: 'none' },
      ],
      [
        'no order and a cart that cannot be read: submitted again in a new epoch',
        found('none', 'unreadable'),
        { do: 'items_added', epoch: 'next', wait: 'none' },
      ],
      ['no order and no cart: held', found('none', 'absent'), holds('submission_unknown')],
      ['no order and a different cart: held', found('none', 'different'), holds('submission_unknown')],
    ]),
    [
      'no order where submission keeps the cart: held',
      lastLookup({ submissionConsumesCart: false }),
      found('none', 'equal'),
      holds('submission_unknown'),
    ],
    [
      'no order after too many submissions: held',
      lastLookup({ submissionsLeft: 0 }),
      found('none', 'equal'),
      holds('service_unstable'),
    ],
    [
      'no order, and only an earlier epoch submitted: held',
      lastLookup({ submit: 'none' }),
      found('none', 'equal'),
      holds('submission_unknown'),
    ],
    [
      'no order any more, and we never submitted: held',
      lastLookup({ submit: 'none', mayHaveOrdered: false }),
      found('none', 'equal'),
      holds('cannot_verify'),
    ],
  ]);
});
