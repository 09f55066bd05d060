import { expect, test } from 'vitest';
import { knownElsewhere, knownOf, type StoredValues } from '../../../src/intake/layouts/known-values.ts';

const knownIn = (...layouts: StoredValues[]) =>
  [...(knownElsewhere(layouts.map((values) => ({ known: knownOf(values) }))).get('status') ?? [])].map(
    ([value]) => value,
  );

test('a value that is ordered in the files of other headers is known', () => {
  expect(knownIn({ status: { open: 'seen' } }, { status: { new: 'order' } })).toEqual(['open', 'new']);
});

test.each(['leave_out', 'ask', 'pieces 12'] as const)(
  'one that a person answered otherwise for one of them (%s) is not, whichever came first',
  (answer) => {
    expect(knownIn({ status: { dz: answer } }, { status: { dz: 'seen', ea: 'seen' } })).toEqual(['ea']);
    expect(knownIn({ status: { dz: 'order', ea: 'seen' } }, { status: { dz: answer } })).toEqual(['ea']);
  },
);

test('one that says not to order never is: that it was ordered once is about the files of that header', () => {
  expect(knownIn({ status: { cancelled: 'order', 'do not ship': 'seen', open: 'seen' } })).toEqual(['open']);
});

test('a column without a name is another one in each kind of file', () => {
  const known = knownElsewhere([{ known: knownOf({ column4: { x: 'order' }, status: { open: 'seen' } }) }]);
  expect([...known.keys()]).toEqual(['status']);
});

test('below a header that says not to order, only a blank cell and a no are known', () => {
  const values = knownOf({
    donotship: { x: 'seen', true: 'order', '': 'seen', false: 'seen' },
    status: { open: 'seen' },
  });
  const known = knownElsewhere([{ header: ['PO', 'Do not ship', 'Status'], known: values }]);
  expect([...known].map(([column, seen]) => [column, [...seen.keys()]])).toEqual([
    ['donotship', ['', 'false']],
    ['status', ['open']],
  ]);
});
