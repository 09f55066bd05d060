import { describe, expect, test } from 'vitest';
import { isClosedDay, readOpeningTimes, whyClosed } from '../../src/config/opening-hours.ts';

const chicago = {
  timeZone: 'America/Chicago',
  open: '08:00-17:00',
  closedOn: ['sat', '12-25', '2026-11-26'],
};

describe('an account is open by the clock of its time zone', () => {
  test.each([
    ['2026-11-23T13:59:00Z', 'schedule.open is 08:00-17:00 (America/Chicago)'],
    ['2026-11-23T14:00:00Z', undefined],
    ['2026-11-23T22:59:59Z', undefined],
    // Closed after 17:00.
    ['2026-11-23T23:00:00Z', 'schedule.open is 08:00-17:00 (America/Chicago)'],
    // Daylight saving time.
    ['2026-07-20T13:00:00Z', undefined],
    ['2026-11-28T18:00:00Z', '2026-11-28 is a day in schedule.closedOn (sat)'],
    ['2030-12-25T18:00:00Z', '2030-12-25 is a day in schedule.closedOn (12-25)'],
    ['2026-11-26T18:00:00Z', '2026-11-26 is a day in schedule.closedOn (2026-11-26)'],
    ['2027-11-26T18:00:00Z', undefined],
  ])('%s: %s', (at, why) => {
    expect(whyClosed(chicago, new Date(at))).toBe(why);
  });
});

test('hours can pass midnight, and an account without any is always open', () => {
  const night = { timeZone: 'UTC', open: '22:00-06:00', closedOn: [] };
  const openAt = (hour: string) => whyClosed(night, new Date(`2026-11-23T${hour}:00Z`)) === undefined;
  expect(['21:59', '22:00', '23:30', '00:00', '05:59', '06:00'].map(openAt)).toEqual([
    ...[false, true, true, true, true, false],
  ]);
  expect(whyClosed({ timeZone: 'UTC', open: undefined, closedOn: [] }, new Date())).toBeUndefined();
});

test('a day can end at 24:00', () => {
  const evening = { timeZone: 'UTC', open: '08:00-24:00', closedOn: [] };
  const openAt = (time: string) => whyClosed(evening, new Date(`2026-11-23T${time}Z`)) === undefined;
  expect(['00:00:00', '07:59:00', '08:00:00', '23:59:59'].map(openAt)).toEqual([false, false, true, true]);
});

test('times and days that do not exist are not accepted', () => {
  expect(
    ['8-17', '08:00', '24:00-08:00', '08:00-24:01', '08:00-08:00', '08:00-12:00-17:00', ''].map(
      readOpeningTimes,
    ),
  ).toEqual(Array.from({ length: 7 }));
  expect(['02-29', '2028-02-29', 'sun'].map(isClosedDay)).toEqual([true, true, true]);
  expect(['02-30', '2026-02-29', '13-01', 'Sunday', '2026-11', ''].map(isClosedDay)).toEqual(
    Array.from({ length: 6 }, () => false),
  );
});
