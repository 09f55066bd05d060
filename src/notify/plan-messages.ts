import {
  carriesFile,
  type EventKind,
  eventKinds,
  type SectionKind,
  severities,
  severityOf,
} from './kinds.ts';
import { afterQuietHours } from './quiet-hours.ts';
import type { Route } from './settings.ts';
import type { NotificationEvent, Section } from './types.ts';

/** Maximum number of events named in a message; the others are counted. */
export const namedEvents = 10;

/** Maximum number of files attached to a message. */
const attachedFiles = 100;

/** A message is sent once no event of its kind has arrived for this long … */
const gapMs = 2_500;
/** … or its first event is this old. Alarms do not wait for the end of a burst. */
const longestBurstMs = 5 * 60_000;
const longestAlarmBurstMs = 3_000;
const alarmDigestMs = 60_000;

const rank = (severity: string): number => (severities as readonly string[]).indexOf(severity);

/** Whether a route gets events of this kind. */
export const wantsKind = (
  { events, severity }: Pick<Route, 'events' | 'severity'>,
  kind: EventKind,
): boolean => (events ? events.includes(kind) : rank(eventKinds[kind].severity) >= rank(severity));

/** Whether a route gets an event. An event of all accounts concerns every route. */
export const wants = (
  route: Pick<Route, 'events' | 'severity' | 'accounts'>,
  { kind, account }: Pick<NotificationEvent, 'kind' | 'account'>,
): boolean =>
  wantsKind(route, kind) &&
  (account === null || route.accounts === undefined || route.accounts.includes(account));

/** When to send a message that has just got an event. @see docs/decisions/038-notifications.md */
export const dueAt = (
  route: Pick<Route, 'quietHours' | 'timeZone'>,
  {
    kind,
    now,
    openedAt,
    lastSealedAt,
    digestMs,
  }: { kind: SectionKind; now: Date; openedAt: Date; lastSealedAt: Date | undefined; digestMs: number },
): Date => {
  const severity = severityOf(kind);
  const burstMs = severity === 'alarm' ? longestAlarmBurstMs : Math.min(digestMs, longestBurstMs);
  const soon = Math.min(openedAt.getTime() + burstMs, now.getTime() + gapMs);
  // No delay for files: somebody waits for them.
  const pauseMs = carriesFile(kind) ? 0 : severity === 'alarm' ? Math.min(digestMs, alarmDigestMs) : digestMs;
  const at = new Date(Math.max(soon, (lastSealedAt?.getTime() ?? 0) + pauseMs));
  return severity === 'alarm' ? at : afterQuietHours(at, route);
};

/** Events about a temporary condition of an account, which counts once even if it was reported several times. */
export const isOfAccount = (kind: SectionKind): kind is EventKind =>
  kind === 'account_paused' || kind === 'polls_late' || kind === 'nothing_arrived';

/** Adds up the counts of sections. Pure. */
export const addCounts = (sections: readonly Section[]): Record<string, number> => {
  const all: Record<string, number> = {};
  for (const { counts } of sections)
    for (const [name, n] of Object.entries(counts)) all[name] = (all[name] ?? 0) + n;
  return all;
};

const joined = (a: Section, b: Section): Section => {
  // A summary describes the current state, so a later one replaces one that could not be delivered.
  if (a.kind === 'summary') return a.until > b.until ? a : b;
  if (isOfAccount(a.kind) && a.account !== null) {
    const [early, late] = a.until <= b.until ? [a, b] : [b, a];
    return { ...late, from: early.from < late.from ? early.from : late.from };
  }
  const repeated = new Set(carriesFile(a.kind) ? b.first.map(({ subject }) => subject) : []);
  const kept = a.first.filter(({ subject }) => !repeated.has(subject));
  return {
    ...a,
    // A file that was written again replaces the earlier one.
    count: a.count + b.count - (a.first.length - kept.length),
    counts: addCounts([a, b]),
    first: [...kept, ...b.first].slice(0, carriesFile(a.kind) ? attachedFiles : namedEvents),
    from: a.from < b.from ? a.from : b.from,
    until: a.until > b.until ? a.until : b.until,
    ...(a.purchaseOrderIds && b.purchaseOrderIds
      ? { purchaseOrderIds: [...new Set([...a.purchaseOrderIds, ...b.purchaseOrderIds])] }
      : {}),
  };
};

/** Merges sections into one for each kind and account. Pure. */
export const mergeSections = (sections: readonly Section[]): Section[] => {
  const merged = new Map<string, Section>();
  for (const section of sections) {
    const key = JSON.stringify([section.kind, section.account]);
    const before = merged.get(key);
    merged.set(key, before ? joined(before, section) : section);
  }
  return [...merged.values()];
};

/** Events about a state of a PO that ends when somebody acts. */
export const isOfPo = (kind: SectionKind): boolean =>
  kind === 'po_held' || kind === 'order_in_doubt' || kind === 'po_failed' || kind === 'po_rejected';

const sectionOf = ({
  at,
  kind,
  account,
  subject,
  detail,
  cause,
  about,
  ...ids
}: NotificationEvent): Section => {
  const time = at.toISOString();
  const isHold = kind === 'po_held' || kind === 'order_in_doubt';
  return {
    kind,
    account,
    count: 1,
    counts: isHold && detail !== null ? { [detail]: 1 } : {},
    first: [
      {
        ...{ at: time, subject, detail, purchaseOrderId: ids.purchaseOrderId, importId: ids.importId },
        ...(cause ? { cause } : {}),
        ...(about ? { about } : {}),
      },
    ],
    from: time,
    until: time,
    ...(isOfPo(kind) && ids.purchaseOrderId !== null ? { purchaseOrderIds: [ids.purchaseOrderId] } : {}),
  };
};

/** The events as sections, one for each kind and account. Pure. */
export const sectionsOf = (events: readonly NotificationEvent[]): Section[] =>
  mergeSections(events.map(sectionOf));

/**
 * Chooses the events that are ready. A pause younger than `pausedForMs` waits; one that ended earlier is dropped together
 * with its end, because services limit calls all the time. The end of an unreported pause is dropped too. Pure.
 *
 * @param told accounts whose pause was reported before
 * @returns `ready`: to report now, and `over`: never to report
 */
export const settlePauses = (
  events: readonly NotificationEvent[],
  now: Date,
  pausedForMs: number,
  told: ReadonlySet<string | null> = new Set(),
): { ready: NotificationEvent[]; over: NotificationEvent[] } => {
  const ready: NotificationEvent[] = [];
  const over: NotificationEvent[] = [];
  const begun = new Map<string | null, NotificationEvent>();
  for (const event of events) {
    if (event.kind === 'account_paused') {
      const before = begun.get(event.account);
      // The new pause replaced the earlier one.
      if (before) over.push(event);
      else begun.set(event.account, event);
      continue;
    }
    const pause = event.kind === 'account_resumed' ? begun.get(event.account) : undefined;
    if (!pause) {
      (event.kind === 'account_resumed' && !told.has(event.account) ? over : ready).push(event);
      continue;
    }
    begun.delete(event.account);
    const isShort = event.at.getTime() - pause.at.getTime() < pausedForMs;
    (isShort ? over : ready).push(pause, event);
  }
  for (const pause of begun.values()) {
    if (now.getTime() - pause.at.getTime() >= pausedForMs) ready.push(pause);
  }
  return { ready, over };
};

const firstRetryMs = 5_000;
/** Short, because an alarm waits behind a message that failed. */
const longestRetryMs = 2 * 60_000;

/** The wait after `attempts` failed deliveries. Pure. */
export const retryMs = (attempts: number): number =>
  Math.min(firstRetryMs * 2 ** (attempts - 1), longestRetryMs);
