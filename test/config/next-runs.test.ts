import { expect, test } from 'vitest';
import { lastRun, startOfDay } from '../../src/config/next-runs.ts';

const monday = (time: string): Date => new Date(`2026-11-23T${time}Z`);

test('the last time of a schedule, the one before it, and the beginning of a day, in a time zone', () => {
  const workdays = ['30 9 * * 1-5', 'America/Chicago'] as const;
  // Monday, 9:30 in Chicago.
  expect(lastRun(...workdays, monday('15:30:00'))).toEqual(monday('15:30:00'));
  expect(lastRun(...workdays, monday('15:29:59.999'))).toEqual(new Date('2026-11-20T15:30:00Z'));
  expect(lastRun(...workdays, monday('15:30:00'), 2)).toEqual(new Date('2026-11-20T15:30:00Z'));
  expect(startOfDay('America/Chicago', monday('05:59:00'))).toEqual(new Date('2026-11-22T06:00:00Z'));
});
