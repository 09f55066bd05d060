import { expect, test } from 'vitest';
import {
  dueAt,
  mergeSections,
  retryMs,
  sectionsOf,
  settlePauses,
  wants,
} from '../../src/notify/plan-messages.ts';
import { afterQuietHours } from '../../src/notify/quiet-hours.ts';
import type { NotificationEvent } from '../../src/notify/types.ts';

const at = (time: string): Date => new Date(`2026-11-23T${time}Z`);
let ids = 0;
const event = (over: Partial<NotificationEvent> = {}): NotificationEvent => {
  ids += 1;
  return {
    ...{ id: String(ids), at: at('10:00:00'), kind: 'po_held', account: 'north', subject: `PO-${ids}` },
    ...{ detail: 'backorder', purchaseOrderId: null, importId: null },
    ...over,
  };
};
const always = { quietHours: undefined, timeZone: 'UTC' };
const nights = { quietHours: { from: 20 * 60, to: 6 * 60 + 30 }, timeZone: 'America/Chicago' };
const digestMs = 900_000;

test('of two summaries that could not be delivered only the later one is sent', () => {
  const summary = (ordered: number, until: string) => ({
    ...{ kind: 'summary' as const, account: 'north', count: 1, counts: { ordered }, first: [] },
    ...{ from: until, until },
  });
  const [early, late] = [summary(7, '2026-11-23T07:00:00Z'), summary(3, '2026-11-24T07:00:00Z')];
  expect(mergeSections([early, late])).toEqual([late]);
  expect(mergeSections([late, early])).toEqual([late]);
});

test('300 events are one section with a count, counts by reason and the first ten', () => {
  const events = Array.from({ length: 300 }, (_, n) =>
    event({ subject: `H-${n + 1}`, detail: n < 250 ? 'backorder' : 'order_total' }),
  );
  const [section, ...others] = sectionsOf(events);
  expect(others).toEqual([]);
  expect(section).toMatchObject({ count: 300, counts: { backorder: 250, order_total: 50 } });
  expect(section!.first.map(({ subject }) => subject)).toEqual(
    Array.from({ length: 10 }, (_, n) => `H-${n + 1}`),
  );
  const twice = mergeSections([section!, ...sectionsOf([event({ at: at('11:00:00') })])]);
  expect(twice).toHaveLength(1);
  expect(twice[0]).toMatchObject({ count: 301, until: '2026-11-23T11:00:00.000Z' });
  expect(twice[0]!.first).toHaveLength(10);
});

test('a route gets its accounts and severities, or exactly the events that it lists', () => {
  const route = { events: undefined, severity: 'warning', accounts: ['north'] } as const;
  expect(wants(route, event())).toBe(true);
  expect(wants(route, event({ account: 'south' }))).toBe(false);
  expect(wants(route, event({ account: null, kind: 'disk_full' }))).toBe(true);
  expect(wants(route, event({ kind: 'report_written' }))).toBe(false);
  expect(wants({ ...route, severity: 'alarm' }, event())).toBe(false);
  expect(wants({ ...route, events: ['report_written'] }, event({ kind: 'report_written' }))).toBe(true);
  expect(wants({ ...route, events: ['report_written'] }, event({ kind: 'disk_full' }))).toBe(false);
});

test('the first message comes within seconds, the next of its kind after the digest, alarms after a minute', () => {
  const now = at('10:00:02');
  const first = { kind: 'po_held', now, openedAt: now, lastSealedAt: undefined, digestMs } as const;
  expect(dueAt(always, first)).toEqual(at('10:00:04.500'));
  // Continuing events delay it by up to five minutes, and no longer than the digest would.
  expect(dueAt(always, { ...first, openedAt: at('09:56:00') })).toEqual(at('10:00:04.500'));
  expect(dueAt(always, { ...first, openedAt: at('09:55:00') })).toEqual(at('10:00:00'));
  expect(dueAt(always, { ...first, openedAt: at('09:59:00'), digestMs: 60_000 })).toEqual(at('10:00:00'));
  // Alarms do not wait for the end of a burst.
  expect(dueAt(always, { ...first, kind: 'order_alarm', openedAt: at('09:59:59') })).toEqual(at('10:00:02'));
  const again = { ...first, lastSealedAt: at('09:59:00') };
  expect(dueAt(always, again)).toEqual(at('10:14:00'));
  expect(dueAt(always, { ...again, kind: 'order_alarm', lastSealedAt: at('09:59:30') })).toEqual(
    at('10:00:30'),
  );
  expect(dueAt(always, { ...again, kind: 'report_written' })).toEqual(at('10:00:04.500'));
});

test('quiet hours put everything but alarms off to their end, in the time zone of the route', () => {
  // 22:00 in Chicago.
  const night = at('04:00:00');
  const held = { kind: 'po_held', now: night, openedAt: night, lastSealedAt: undefined, digestMs } as const;
  expect(dueAt(nights, held)).toEqual(at('12:30:00'));
  expect(dueAt(nights, { ...held, kind: 'order_in_doubt' })).toEqual(at('04:00:02.500'));
  expect(afterQuietHours(at('18:00:00'), nights)).toEqual(at('18:00:00'));
  // The clocks go back at 2:00 of this night.
  const change = new Date('2026-11-01T03:00:00Z');
  expect(afterQuietHours(change, nights)).toEqual(new Date('2026-11-01T12:30:00Z'));
});

test('a short pause is told to nobody; one that lasts is told, and its end', () => {
  const paused = (time: string, account = 'north') =>
    event({ kind: 'account_paused', at: at(time), account, subject: account });
  const resumed = (time: string, account = 'north') =>
    event({ kind: 'account_resumed', at: at(time), account, subject: account });
  const short = [paused('10:00:00'), resumed('10:00:30')];
  expect(settlePauses(short, at('10:00:31'), 60_000)).toEqual({ ready: [], over: short });
  const young = [paused('10:00:00')];
  expect(settlePauses(young, at('10:00:59'), 60_000)).toEqual({ ready: [], over: [] });
  expect(settlePauses(young, at('10:01:00'), 60_000)).toEqual({ ready: young, over: [] });
  const long = [paused('10:00:00'), paused('10:00:00', 'south'), resumed('10:05:00')];
  expect(settlePauses(long, at('10:05:01'), 60_000).ready).toHaveLength(3);
});

test('retries come later and later, but not later than two minutes', () => {
  expect([1, 2, 3, 10, 1000].map(retryMs)).toEqual([5_000, 10_000, 20_000, 120_000, 120_000]);
});

test('an account that had no file twice is one account', () => {
  const sections = sectionsOf([
    event({ kind: 'nothing_arrived', subject: 'north', detail: 'today' }),
    event({ kind: 'nothing_arrived', subject: 'north', detail: 'tomorrow', at: at('11:00:00') }),
    event({ kind: 'nothing_arrived', subject: 'south', account: 'south' }),
  ]);
  expect(sections).toMatchObject([
    { account: 'north', count: 1, first: [{ detail: 'tomorrow' }], from: at('10:00:00').toISOString() },
    { account: 'south', count: 1 },
  ]);
});

test('a report that was written twice is one report', () => {
  const written = (subject: string) => event({ kind: 'report_written', subject, detail: null });
  const [section] = sectionsOf([written('a.xlsx'), written('b.xlsx'), written('a.xlsx')]);
  expect(section).toMatchObject({ count: 2, first: [{ subject: 'b.xlsx' }, { subject: 'a.xlsx' }] });
});
