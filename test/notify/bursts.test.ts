import { describe, expect, test } from 'vitest';
import { gather, takeDue } from '../../src/notify/gather.ts';
import type { Route } from '../../src/notify/settings.ts';
import type { NotificationEvent, OpenMessage } from '../../src/notify/types.ts';
import { writeText } from '../../src/notify/write-text.ts';
import { countOf, createMemoryOutbox } from './memory-outbox.ts';

const office = {
  ...{ name: 'office', channel: { kind: 'email', to: ['office@example.com'] }, severity: 'info' },
  ...{
    timeZone: 'America/Chicago',
    quietHours: undefined,
    events: undefined,
    accounts: undefined,
    summary: undefined,
  },
} as unknown as Route;
const settings = { routes: [office], digestMs: 15 * 60_000, pausedForMs: 60_000 };
const lookEveryMs = 1000;

interface Planned {
  atMs: number;
  event: Partial<NotificationEvent>;
}

/** Plays events while a process polls every second; returns the messages with their times. */
const play = async (
  planned: readonly Planned[],
  { untilMs, routes = settings.routes }: { untilMs: number; routes?: Route[] },
) => {
  const memory = createMemoryOutbox(new Date('2026-11-23T15:00:00Z'));
  const messages: { atMs: number; message: OpenMessage }[] = [];
  const left = planned.toSorted((a, b) => a.atMs - b.atMs);
  for (let atMs = 0; atMs <= untilMs; atMs += lookEveryMs) {
    while (left[0] && left[0].atMs <= atMs) memory.add(left.shift()!.event);
    await gather(memory.outbox(), { ...settings, routes }, ['north']);
    for (const message of await takeDue(memory.outbox(), routes, [])) messages.push({ atMs, message });
    memory.advance(lookEveryMs);
  }
  return messages;
};

const holds = (count: number, everyMs: number): Planned[] =>
  Array.from({ length: count }, (_, n) => ({ atMs: n * everyMs, event: { subject: `H-${n + 1}` } }));

describe('300 held POs', () => {
  test.each([0, 10, 100, 300, 900])('that come %i ms apart are one message, in time', async (everyMs) => {
    const messages = await play(holds(300, everyMs), { untilMs: 30 * 60_000 });
    expect(messages).toHaveLength(1);
    const [{ atMs, message }] = messages as [(typeof messages)[number]];
    expect(countOf(message.sections)).toBe(300);
    expect(atMs - 299 * everyMs).toBeLessThanOrEqual(4000);
    const { paragraphs } = writeText(message.sections, { timeZone: 'UTC', consoleUrl: undefined });
    expect(paragraphs[0]!.heading).toBe('300 purchase orders are held');
    expect(paragraphs[0]!.lines).toContain('- and 290 more');
  });

  test('that come too slowly for that are a first message at once, and the rest after the digest', async () => {
    const messages = await play(holds(300, 3500), { untilMs: 60 * 60_000 });
    expect(messages[0]!.atMs).toBeLessThanOrEqual(4000);
    expect(messages).toHaveLength(3);
    expect(countOf(messages.flatMap(({ message }) => message.sections))).toBe(300);
  });

  test('without an end are told after five minutes', async () => {
    const [first] = await play(holds(2000, 500), { untilMs: 10 * 60_000 });
    expect(first!.atMs).toBe(5 * 60_000);
  });
});

test('a single event is told within four seconds, whenever the process looks', async () => {
  for (const atMs of [1, 250, 500, 999]) {
    const [first] = await play([{ atMs, event: {} }], { untilMs: 10_000 });
    expect(first!.atMs - atMs).toBeLessThanOrEqual(4000);
  }
});

test('alarms do not wait for the end of a burst', async () => {
  const doubts = holds(300, 100).map(({ atMs }) => ({ atMs, event: { kind: 'order_in_doubt' as const } }));
  const [first] = await play(doubts, { untilMs: 60_000 });
  expect(first!.atMs).toBeLessThanOrEqual(4000);
});

test('the end of a pause is told only to those who were told of the pause', async () => {
  const resumed = (atMs: number): Planned => ({
    atMs,
    event: { kind: 'account_resumed', subject: 'north', detail: null, purchaseOrderId: null },
  });
  const paused = (atMs: number): Planned => ({
    atMs,
    event: { kind: 'account_paused', subject: 'north', detail: 'denied', purchaseOrderId: null },
  });
  const told = async (...planned: Planned[]) =>
    (await play(planned, { untilMs: 3_600_000 })).flatMap(({ message }) =>
      message.sections.map(({ kind }) => kind),
    );
  // Like after a restore, which pauses accounts without recording an event.
  expect(await told(resumed(90_000))).toEqual([]);
  expect(await told(paused(0), resumed(400_000))).toEqual(['account_paused', 'account_resumed']);
  expect(await told(paused(0), resumed(400_000), resumed(800_000))).toEqual([
    'account_paused',
    'account_resumed',
  ]);
});

describe('a message that had to wait', () => {
  const nights = { ...office, quietHours: { from: 20 * 60, to: 6 * 60 } } as Route;
  const waited = async (
    events: readonly Partial<NotificationEvent>[],
    settle: (memory: ReturnType<typeof createMemoryOutbox>, added: NotificationEvent[]) => void,
  ) => {
    // 22:00 in Chicago.
    const memory = createMemoryOutbox(new Date('2026-11-24T04:00:00Z'));
    const added = events.map((event) => memory.add(event));
    const routes = [nights];
    while ((await gather(memory.outbox(), { ...settings, pausedForMs: 0, routes }, ['north'])).more);
    settle(memory, added);
    memory.advance(10 * 3_600_000);
    const [message] = await takeDue(memory.outbox(), routes, []);
    return {
      message: message!,
      text: writeText(message!.sections, { timeZone: 'UTC', consoleUrl: undefined }),
    };
  };
  const stillHeld = ({ purchaseOrderId, subject, at }: NotificationEvent) => ({
    ...{ id: purchaseOrderId!, poNumber: subject, at, detail: 'order_total', importId: '1' },
  });

  test('names what still stands, and counts what was settled', async () => {
    const { message, text } = await waited(
      Array.from({ length: 30 }, () => ({})),
      ({ standing }, added) => {
        for (const event of added.slice(12)) standing.set(event.purchaseOrderId!, stillHeld(event));
      },
    );
    expect(message.sections).toMatchObject([{ count: 18, settled: 12, counts: { order_total: 18 } }]);
    expect(message.sections[0]).not.toHaveProperty('purchaseOrderIds');
    const [{ heading, lines }] = text.paragraphs as [(typeof text.paragraphs)[number]];
    expect(heading).toBe('18 purchase orders are held');
    expect(lines).toContain('- PO-13: order_total');
    expect(lines.join('\n')).not.toContain('PO-12:');
    expect(lines).toContain('- and 8 more');
    expect(lines).toContain('12 more were settled before this message was sent.');
  });

  test('says so when all is settled, and asks for nothing', async () => {
    const { text } = await waited([{}, {}, { kind: 'po_failed' }], () => {});
    expect(text.subject).toBe(
      'north: Settled by now: 2 purchase orders that were held; Settled by now: 1 purchase order that failed',
    );
    expect(JSON.stringify(text.paragraphs)).not.toMatch(/What to do|PO-\d|more/);
  });

  test('does not say that an account is paused which works again', async () => {
    const pause = {
      kind: 'account_paused' as const,
      subject: 'north',
      detail: 'denied',
      purchaseOrderId: null,
    };
    const over = await waited([pause], () => {});
    expect(over.text.paragraphs[0]!.heading).toBe('Settled by now: 1 account that was paused');
    const goesOn = await waited([pause], ({ paused }) => paused.add('north'));
    expect(goesOn.text.paragraphs[0]!.heading).toBe('Account north is paused');
  });

  test('tells what happened once and for all as it was', async () => {
    const { text } = await waited(
      [{ kind: 'file_refused', subject: 'a.csv', detail: 'It is empty.' }],
      () => {},
    );
    expect(text.paragraphs[0]!.heading).toBe('Purchase file a.csv was refused');
  });
});
