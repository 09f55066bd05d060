import { expect, test } from 'vitest';
import { type PendingPo, pendingSentence } from '../../src/placing/pending-words.ts';

const po = (over: Partial<PendingPo> = {}): PendingPo => ({
  account: 'north',
  state: 'ready',
  mayHaveOrdered: false,
  mayHaveCart: false,
  paused: undefined,
  served: true,
  ...over,
});
const withCart = po({ state: 'items_added', mayHaveCart: true });
const submitted = po({ state: 'verifying', mayHaveOrdered: true, mayHaveCart: true });

test.each<[string, PendingPo[], string]>([
  ['without a cart', [po()], 'It has no cart: a worker marks it as cancelled.'],
  ['several without carts', [po(), po()], 'They have no carts: a worker marks them as cancelled.'],
  ['with a cart', [withCart], 'A worker deletes its cart first.'],
  ['one of two with a cart', [withCart, po()], 'A worker deletes the cart of 1 of them first.'],
  ['several with carts', [withCart, withCart], 'A worker deletes their carts first.'],
  ['submitted', [submitted], 'Its submission was sent before: if it is ordered, an alarm says so.'],
  [
    'some submitted',
    [submitted, submitted, withCart],
    'A worker deletes the cart of 1 of them first. The submissions of 2 of them were sent before: if one is ordered, an alarm says so.',
  ],
])('a cancellation of what is %s', (_, pos, sentence) => {
  expect(pendingSentence('cancel', pos)).toBe(sentence);
});

test('a hold says who carries it out', () => {
  expect(pendingSentence('hold', [po({ state: 'cart_created' })])).toBe(
    'The worker that processes it does so at the next step.',
  );
  expect(pendingSentence('hold', [])).toBe('');
});

test('what keeps workers from it is said once for each account, with what to do', () => {
  const south = { account: 'south', served: false };
  expect(pendingSentence('cancel', [po({ paused: 'operator' }), po({ paused: 'operator' }), po(south)])).toBe(
    'They have no carts: a worker marks them as cancelled. The account north is paused: nothing new begins until a person resumes it in the console or with `cartwright accounts resume north`. No worker that places POs of south is running. Start one with `cartwright up`.',
  );
  expect(pendingSentence('hold', [po({ paused: 'service' })])).toMatch(
    /The account north is paused for now, so this happens when its pause ends\.$/,
  );
});
