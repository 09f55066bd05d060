import { describe, expect, test } from 'vitest';
import type { FailedCall, PoAnswer } from '../../src/dealer-api/answers.ts';
import { compactDay, dayOf, listRange, readRange, startOfDay } from '../../src/placing/list-range.ts';

const first = dayOf(new Date('2026-02-20T22:15:00Z'));
const dayNumber = (day: string): number =>
  Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`) / 86_400_000;

/** A service with one PO a day that cannot answer for more than `atMost` days at once. */
const service = (atMost: number, failed: FailedCall = { kind: 'unknown', message: 'timed out' }) => {
  const calls: [string, string][] = [];
  const listOrders = async (from: string, to: string) => {
    calls.push([from, to]);
    const days = dayNumber(to) - dayNumber(from) + 1;
    if (days > atMost) return failed;
    const value = Array.from({ length: days }, (_, at): PoAnswer => {
      const poNumber = compactDay(startOfDay(dayNumber(from) + at));
      return { poNumber, orders: [] } as unknown as PoAnswer;
    });
    return { kind: 'ok' as const, value };
  };
  return { api: { listOrders }, calls };
};

describe('a range of days', () => {
  test('is read by one call where that is answered', async () => {
    const { api, calls } = service(200);
    const read = await listRange(api, { first, last: first + 180 });
    expect(read).toMatchObject({ kind: 'ok', value: { length: 181 } });
    expect(calls).toEqual([['20260220', '20260819']]);
  });

  test.each([1, 2, 3, 7, 30])(
    'of any length is read whole, each day once, from a service that can answer for %i',
    async (atMost) => {
      for (let days = 1; days <= 70; days += 1) {
        const { api, calls } = service(atMost);
        const read = await listRange(api, { first, last: first + days - 1 });
        const expected = Array.from({ length: days }, (_, at) => compactDay(startOfDay(first + at)));
        expect(read.kind === 'ok' && read.value.map((po) => po.poNumber)).toEqual(expected);
        expect(calls.length).toBeLessThan(2 * Math.ceil((2 * days) / atMost));
      }
    },
  );

  test.each([
    { kind: 'unknown', message: 'timed out' },
    { kind: 'refused', status: 400, message: 'no such day' },
  ] satisfies FailedCall[])('whose calls are all $kind costs a call for each halving', async (failed) => {
    const { api, calls } = service(0, failed);
    expect(await listRange(api, { first, last: first + 63 })).toEqual({ kind: 'failed', failed });
    expect(calls).toHaveLength(7);
  });

  test.each([
    { kind: 'limited', waitMs: 1000, message: 'answered 429' },
    { kind: 'denied', status: 401, message: 'answered 401' },
    { kind: 'not_sent', message: 'refused' },
  ] satisfies FailedCall[])('is not asked for in parts where the answer was $kind', async (failed) => {
    const { api, calls } = service(0, failed);
    expect(await listRange(api, { first, last: first + 9 })).toEqual({ kind: 'failed', failed });
    expect(calls).toHaveLength(1);
  });

  test('answered 404 has no orders', async () => {
    const { api } = service(0, { kind: 'not_found', message: 'no orders' });
    expect(await listRange(api, { first, last: first + 9 })).toEqual({ kind: 'ok', value: [] });
  });

  test('is read in parts of a known length, and reports what it learned', async () => {
    const { api, calls } = service(10);
    const days = { first, last: first + 29 };
    expect(await readRange(api, days, { longest: 10 })).toMatchObject({
      longestRead: 10,
      shortestTooLong: undefined,
    });
    expect(calls).toHaveLength(3);
    expect(await readRange(api, days, { longest: 20 })).toMatchObject({
      longestRead: 10,
      shortestTooLong: 20,
    });
    expect(calls).toHaveLength(3 + 4);
  });

  test('with days that cannot be read: the others are, up to a limit', async () => {
    const full = new Set([first + 3, first + 17, first + 22]);
    let calls = 0;
    const api = {
      listOrders: async (from: string, to: string) => {
        calls += 1;
        if ([...full].some((day) => day >= dayNumber(from) && day <= dayNumber(to)))
          return { kind: 'unknown' as const, message: 'timed out' };
        return service(100).api.listOrders(from, to);
      },
    };
    const days = { first, last: first + 30 };
    const whole = await readRange(api, days, { unreadable: 3 });
    expect(whole).toMatchObject({ failed: undefined, unreadSince: first + 22, shortestTooLong: undefined });
    expect(whole.unreadDays.map(({ day }) => day)).toEqual([first + 22, first + 17, first + 3]);
    expect(whole.answers.map((po) => dayNumber(po.poNumber!))).toEqual(
      Array.from({ length: 31 }, (_, at) => first + at).filter((day) => !full.has(day)),
    );
    expect(calls).toBeLessThan(3 * 12);
    calls = 0;
    const known = await readRange(api, days, { leaveOut: full });
    expect(known).toMatchObject({ failed: undefined, unreadSince: first + 22, unreadDays: [] });
    expect(known.answers).toEqual(whole.answers);
    expect(calls).toBe(4);
    const some = await readRange(api, days, { unreadable: 1 });
    expect(some).toMatchObject({ failed: { kind: 'unknown' }, unreadSince: first + 22 });
    expect(some.answers.map((po) => dayNumber(po.poNumber!))).toEqual(
      Array.from({ length: 13 }, (_, at) => first + 18 + at).filter((day) => !full.has(day)),
    );
  });

  test('with a day that cannot be read, from a service that answers a few days at a time: both are told apart', async () => {
    const bad = first + 11;
    const api = {
      listOrders: async (from: string, to: string) =>
        dayNumber(from) <= bad && dayNumber(to) >= bad
          ? { kind: 'unknown' as const, message: 'timed out' }
          : service(8).api.listOrders(from, to),
    };
    const read = await readRange(api, { first, last: first + 30 }, { unreadable: 2 });
    expect(read).toMatchObject({ failed: undefined, unreadDays: [{ day: bad }] });
    expect(read.shortestTooLong).toBeGreaterThan(8);
    expect(read.answers).toHaveLength(30);
    expect(read.longestRead).toBeGreaterThan(3);
  });
});
