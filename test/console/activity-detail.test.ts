import { expect, test } from 'vitest';
import { activityDetail } from '../../src/api-contract/activity-words.ts';

test.each([
  [
    'answered',
    { column: 'Unit', value: 'DZ', answer: 'pieces', pieces: 12 },
    '"Unit" says "DZ": one is 12 pieces',
  ],
  [
    'answered',
    { column: 'Status', value: 'Void', answer: 'leave_out', wholeColumn: true },
    '"Status" says "Void": leave them out, and so with all others of this column',
  ],
  ['layout_agreed', { name: 'weekly', version: 2, kind: 'order' }, 'layout "weekly", version 2'],
  ['read_again', { fileName: 'a.csv', withdrawn: 2 }, '2 POs were withdrawn'],
  ['sign_in', { user: 'ada' }, undefined],
  ['answered', { column: 'Unit', value: '', answer: 'ask' }, '"Unit" is blank: ask each time'],
  ['answered', null, undefined],
])('the list of Activity says what %s was about: %j', (action, detail, said) => {
  expect(activityDetail(action, detail)).toBe(said);
});
