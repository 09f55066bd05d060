import { describe, expect, test } from 'vitest';
import type { FailedCall, PoAnswer } from '../../src/dealer-api/answers.ts';
import { compactDay, listRange, shiftDay } from '../../src/placing/list-range.ts';

const first = new Date('2026-02-20T22:15:00Z');
const dayNumber = (day: string): number =>
  Date.parse(`${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`) / 86_400_000;

/** A service with one PO a day, which cannot answer for more than so many days at once. */
const service = (atMost: number, failed: FailedCall = { kind: 'unknown', message: 'timed out' }) => {
  const calls: [string, string][] = [];
  const listOrders = async (from: string, to: string) => {
    calls.push([from, to]);
    const days = dayNumber(to) - dayNumber(from) + 1;
    if (days > atMost) return failed;
    const value = Array.from({ length: days }, (_, at): PoAnswer => {
      const poNumber = compactDay(new Date((dayNumber(from) + at) * 86_400_000));
      return { poNumber, orders: [] } as unknown as PoAnswer;
    });
    return { kind: 'ok' as const, value };
  };
  return { api: { listOrders }, calls };
};

describe('a range of days', () => {
  test('is read by one call where that is answered', async () => {
    const { api, calls } = service(200);
    const read = await listRange(api, { first, last: shiftDay(first, 180) });
    expect(read).toMatchObject({ kind: 'ok', value: { length: 181 } });
    expect(calls).toEqual([['20260220', '20260819']]);
  });

  test.each([1, 2, 3, 7, 30])(
    'of any length is read whole, each day once, from a service that can answer for %i',
    async (atMost) => {
      for (let days = 1; days <= 70; days += 1) {
        const { api, calls } = service(atMost);
        const read = await listRange(api, { first, last: shiftDay(first, days - 1) });
        const expected = Array.from({ length: days }, (_, at) => compactDay(shiftDay(first, at)));
        expect(read.kind === 'ok' && read.value.map((po) => po.poNumber)).toEqual(expected);
        expect(calls.length).toBeLessThan(2 * Math.ceil((2 * days) / atMost));
      }
    },
  );

  test('whose calls are not answered at all costs a call for each halving', async () => {
    const { api, calls } = service(0);
    const failed = { kind: 'unknown', message: 'timed out' };
    expect(await listRange(api, { first, last: shiftDay(first, 63) })).toEqual({ kind: 'failed', failed });
    expect(calls).toHaveLength(7);
  });

  test.each([
    { kind: 'limited', waitMs: 1000, message: 'answered 429' },
    { kind: 'denied', status: 401, message: 'answered 401' },
    { kind: 'not_sent', message: 'refused' },
    { kind: 'refused', status: 400, message: 'no such day' },
  ] satisfies FailedCall[])('is not asked for in parts where the answer was $kind', async (failed) => {
    const { api, calls } = service(0, failed);
    expect(await listRange(api, { first, last: shiftDay(first, 9) })).toEqual({ kind: 'failed', failed });
    expect(calls).toHaveLength(1);
  });

  test('answered 404 has no orders', async () => {
    const { api } = service(0, { kind: 'not_found', message: 'no orders' });
    expect(await listRange(api, { first, last: shiftDay(first, 9) })).toEqual({ kind: 'ok', value: [] });
  });
});
