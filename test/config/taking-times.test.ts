import { expect, test } from 'vitest';
import { lastTake, neverTakesWhileOpen } from '../../src/config/taking-times.ts';

const hours = { timeZone: 'UTC', open: '08:00-17:00', closedOn: ['sat', 'sun'] };
const takeAt = (takeFiles: string, now: string, more: object = {}) => {
  const take = lastTake({ ...hours, takeFiles, ...more }, new Date(`${now}:00Z`));
  return take && `${take.at.toISOString().slice(0, 16)}${take.atOpening ? ' opening' : ''}`;
};

test.each([
  // 2026-11-23 is a Monday.
  ['a run while open', '0 12 * * *', '2026-11-24T13:00', '2026-11-24T12:00'],
  ['after closing', '0 12 * * *', '2026-11-24T20:00', '2026-11-24T12:00'],
  [
    'a run after closing is due at the next opening',
    '0 18 * * *',
    '2026-11-24T08:00',
    '2026-11-24T08:00 opening',
  ],
  ['also later that day', '0 18 * * *', '2026-11-24T16:00', '2026-11-24T08:00 opening'],
  ['not before', '0 18 * * *', '2026-11-24T23:00', '2026-11-24T08:00 opening'],
  ['over a weekend', '0 18 * * *', '2026-11-22T12:00', '2026-11-20T08:00 opening'],
  ['after a weekend', '0 18 * * 5', '2026-11-23T09:00', '2026-11-23T08:00 opening'],
  ['no run while it was closed', '0 12 * * 5', '2026-11-24T09:00', '2026-11-20T12:00'],
])('%s: %s at %s', (_what, pattern, now, due) => {
  expect(takeAt(pattern, now)).toBe(due);
});

test('an account that is always open takes files by the clock alone, one that is always closed never', () => {
  const always = { open: undefined, closedOn: [] };
  expect(takeAt('0 18 * * *', '2026-11-24T12:00', always)).toBe('2026-11-23T18:00');
  const never = { open: undefined, closedOn: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] };
  expect(takeAt('0 18 * * *', '2026-11-24T12:00', never)).toBeUndefined();
});

test('it is known whether a pattern only has runs while the account is closed', () => {
  const now = new Date('2026-11-24T12:00Z');
  const never = (takeFiles: string) => neverTakesWhileOpen({ ...hours, takeFiles }, now);
  expect(['0 18 * * 1-5', '0 12 * * 6', '0 12 * * *', '* * * * *'].map(never)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
