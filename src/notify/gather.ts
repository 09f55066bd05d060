import { carriesFile, type EventKind, eventKindNames } from './kinds.ts';
import { dueAt, mergeSections, sectionsOf, settlePauses, wants, wantsKind } from './plan-messages.ts';
import type { NotificationSettings, Route } from './settings.ts';
import type { NotificationEvent, OpenMessage, Outbox, Section } from './types.ts';
import { withoutSettled } from './without-settled.ts';

const eventsAtOnce = 5000;
const leaseMs = 5 * 60_000;
/** How long a report or a result waits for a process that has its account's folder. */
const reportWaitMs = 10 * 60_000;

type Settings = Pick<NotificationSettings, 'routes' | 'digestMs' | 'pausedForMs'>;

/** The kinds of events that at least one route gets. */
export const wantedKinds = (routes: readonly Route[]): EventKind[] =>
  eventKindNames.filter((kind) =>
    // A pause also needs the event of its end, because a short pause is not reported at all.
    routes.some(
      (route) => wantsKind(route, kind) || (kind === 'account_resumed' && wantsKind(route, 'account_paused')),
    ),
  );

const addToRoute = async (
  outbox: Outbox,
  route: Route,
  events: readonly NotificationEvent[],
  known: {
    open: readonly OpenMessage[];
    sealed: readonly { route: string; kind: string; at: Date }[];
    digestMs: number;
  },
): Promise<void> => {
  for (const kind of new Set(events.map((event) => event.kind))) {
    const before = known.open.find(
      (message) =>
        message.route === route.name &&
        message.sealedAt === undefined &&
        message.sections.every((section) => section.kind === kind),
    );
    const added = sectionsOf(events.filter((event) => event.kind === kind));
    await outbox.put({
      id: before?.id,
      route: route.name,
      sections: mergeSections([...(before?.sections ?? []), ...added]),
      dueAt: dueAt(route, {
        kind,
        now: outbox.now,
        openedAt: before?.createdAt ?? outbox.now,
        lastSealedAt: known.sealed.find((one) => one.route === route.name && one.kind === kind)?.at,
        digestMs: known.digestMs,
      }),
    });
  }
};

/** Records which accounts' pauses were reported, because only then their ends are reported. */
const notePauses = async (outbox: Outbox, ready: readonly NotificationEvent[]): Promise<void> => {
  const last = new Map<string, EventKind>();
  for (const { kind, account } of ready)
    if (account !== null && (kind === 'account_paused' || kind === 'account_resumed'))
      last.set(account, kind);
  if (last.size === 0) return;
  const whose = (kind: EventKind) => [...last].flatMap(([account, one]) => (one === kind ? [account] : []));
  await outbox.notePauses({ told: whose('account_paused'), ended: whose('account_resumed') });
};

/**
 * Moves events into the messages of the routes that want them. Leaves events of accounts that this process does not know to
 * other processes. Returns whether there may be more.
 */
export const gather = async (
  outbox: Outbox,
  { routes, digestMs, pausedForMs }: Settings,
  accounts: readonly string[],
): Promise<{ more: boolean }> => {
  const events = await outbox.readEvents(accounts, eventsAtOnce);
  if (events.length === 0) return { more: false };
  const toldPauses = new Set(await outbox.listToldPauses());
  const { ready, over } = settlePauses(events, outbox.now, pausedForMs, toldPauses);
  await notePauses(outbox, ready);
  if (ready.length > 0) {
    const names = routes.map(({ name }) => name);
    const open = await outbox.listOpen(names);
    const sealed = await outbox.lastSealed(names);
    for (const route of routes) {
      await addToRoute(
        outbox,
        route,
        ready.filter((event) => wants(route, event)),
        { open, sealed, digestMs },
      );
    }
  }
  await outbox.forgetEvents([...ready, ...over].map(({ id }) => id));
  return { more: events.length === eventsAtOnce && ready.length + over.length > 0 };
};

const canAttach = (message: OpenMessage, reads: readonly string[], now: Date): boolean =>
  now.getTime() - message.dueAt.getTime() > reportWaitMs ||
  message.sections.every((section) => !carriesFile(section.kind) || reads.includes(section.account ?? ''));

/** Runs before each attempt, because more may be settled while a receiver is down. */
const settle = async (outbox: Outbox, sections: readonly Section[]): Promise<Section[]> => {
  const settled: Section[] = [];
  for (const section of sections) settled.push(await withoutSettled(outbox, section));
  return settled;
};

const takeOfRoute = async (
  outbox: Outbox,
  messages: readonly OpenMessage[],
  reads: readonly string[],
): Promise<OpenMessage | undefined> => {
  const { now } = outbox;
  const [failed] = messages.filter(({ sealedAt }) => sealedAt !== undefined);
  if (failed) {
    const isFree = failed.nextAt <= now && (failed.leaseUntil === undefined || failed.leaseUntil <= now);
    if (!isFree || !canAttach(failed, reads, now)) return undefined;
    await outbox.take(failed.id, leaseMs);
    return { ...failed, sections: await settle(outbox, failed.sections), attempts: failed.attempts + 1 };
  }
  const due = messages.filter((message) => message.dueAt <= now && canAttach(message, reads, now));
  const [first, ...others] = due;
  if (!first) return undefined;
  const sections = mergeSections(due.flatMap((message) => message.sections));
  await outbox.put({ ...first, sections });
  await outbox.remove(others.map(({ id }) => id));
  await outbox.take(first.id, leaseMs);
  return { ...first, sections: await settle(outbox, sections), attempts: 1 };
};

/**
 * Takes the messages to deliver now: one for each route, with everything that is due. While a message of a route fails, later events
 * are collected into the next one, so that a mail server that was down for a day does not get a thousand messages.
 *
 * @param reads accounts whose reports this process can attach
 */
export const takeDue = async (
  outbox: Outbox,
  routes: readonly Route[],
  reads: readonly string[],
): Promise<OpenMessage[]> => {
  const usable = routes.filter(({ channel }) => channel.kind !== 'unusable').map(({ name }) => name);
  const open = await outbox.listOpen(usable);
  const taken: OpenMessage[] = [];
  for (const name of usable) {
    const message = await takeOfRoute(
      outbox,
      open.filter(({ route }) => route === name),
      reads,
    );
    if (message) taken.push(message);
  }
  return taken;
};
