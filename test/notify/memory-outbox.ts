import type { NotificationEvent, OpenMessage, Outbox, Section, StandingPo } from '../../src/notify/types.ts';

/** An outbox in memory whose clock the test moves, with the events that the test adds. */
export const createMemoryOutbox = (start: Date) => {
  let now = start;
  let ids = 0;
  let events: NotificationEvent[] = [];
  let messages: OpenMessage[] = [];
  const sealed: { route: string; kind: string; at: Date }[] = [];
  const toldPauses = new Set<string>();
  /** POs for which their event still holds; all others are settled. */
  const standing = new Map<string, StandingPo>();
  const paused = new Set<string>();
  const outbox = (): Outbox => ({
    now,
    readEvents: async (_accounts, limit) => events.slice(0, limit),
    forgetEvents: async (gone) => {
      events = events.filter(({ id }) => !gone.includes(id));
    },
    listOpen: async (routes) => messages.filter(({ route }) => routes.includes(route)),
    lastSealed: async () => sealed.toReversed(),
    put: async ({ id, route, sections, dueAt }) => {
      const before = messages.find((message) => message.id === id);
      if (before) Object.assign(before, { sections, dueAt });
      else {
        ids += 1;
        messages.push({
          ...{ id: `m${ids}`, route, sections: [...sections], createdAt: now, dueAt, sealedAt: undefined },
          ...{ attempts: 0, nextAt: now, leaseUntil: undefined },
        });
      }
    },
    remove: async (gone) => {
      messages = messages.filter(({ id }) => !gone.includes(id));
    },
    listToldPauses: async () => [...toldPauses],
    notePauses: async ({ told, ended }) => {
      for (const account of ended) toldPauses.delete(account);
      for (const account of told) toldPauses.add(account);
    },
    listStandingPos: async (_kind, wanted) => wanted.flatMap((id) => standing.get(id) ?? []),
    stillHolds: async (_kind, account) => account !== null && paused.has(account),
    take: async (id) => {
      const taken = messages.find((message) => message.id === id)!;
      for (const { kind } of taken.sections) sealed.push({ route: taken.route, kind, at: now });
      // Delivers it at once.
      messages = messages.filter((message) => message !== taken);
    },
  });
  return {
    outbox,
    standing,
    paused,
    advance: (ms: number) => {
      now = new Date(now.getTime() + ms);
    },
    add: (event: Partial<NotificationEvent>): NotificationEvent => {
      ids += 1;
      const added: NotificationEvent = {
        ...{ id: String(ids), at: now, kind: 'po_held', account: 'north', subject: `PO-${ids}` },
        ...{ detail: 'backorder', purchaseOrderId: String(ids), importId: '1' },
        ...event,
      };
      events.push(added);
      return added;
    },
  };
};

/** Number of events in messages, settled or not. */
export const countOf = (sections: readonly Section[]): number =>
  sections.reduce((sum, { count, settled = 0 }) => sum + count + settled, 0);
