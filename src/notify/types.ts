import type { EventKind, SectionKind } from './kinds.ts';

/** The facts about a PO that make a message understandable without signing in. */
export interface AboutPo {
  /** Why it is held, was rejected or failed, with the numbers. */
  reason: string | null;
  fileName: string;
  firstRow: number;
  /** Its result file, relative to the account’s folder; null: not written yet. */
  resultPath: string | null;
}

export interface NotificationEvent {
  id: string;
  at: Date;
  kind: EventKind;
  /** Null: it concerns all accounts. */
  account: string | null;
  /** A PO number, a file name, the path of a report, an account or a host. */
  subject: string;
  /** A sentence; for held POs the reason code. */
  detail: string | null;
  /** Why an account is paused (`pauseCodes`), while it is. */
  cause?: string | null;
  about?: AboutPo | null;
  purchaseOrderId: string | null;
  importId: string | null;
}

/** One of the first events of a section; `at` as ISO text. */
export interface SectionItem {
  at: string;
  subject: string;
  detail: string | null;
  cause?: string;
  about?: AboutPo;
  purchaseOrderId: string | null;
  importId: string | null;
}

/** The part of a message about the events of one kind and account. */
export interface Section {
  kind: SectionKind;
  account: string | null;
  count: number;
  /** Counts by hold reason, or by name in a summary. */
  counts: Record<string, number>;
  first: SectionItem[];
  /** Times of the first and the last event, as ISO text. */
  from: string;
  until: string;
  /** The POs that it counts, kept until the message is delivered, because some may be settled by then. */
  purchaseOrderIds?: string[];
  /** How many were settled between the event and the message; not included in `count`. */
  settled?: number;
}

/** A PO whose event still holds. */
export interface StandingPo {
  id: string;
  poNumber: string;
  at: Date;
  /** A sentence; of held POs the reason code. */
  detail: string | null;
  importId: string | null;
  about?: AboutPo | null;
}

/** A message in the form in which it is sent. */
export interface Message {
  id: string;
  createdAt: Date;
  sections: readonly Section[];
}

/** A file attached to an e-mail. */
export interface Attachment {
  name: string;
  path: string;
}

export type Sent =
  | { kind: 'sent' }
  /** `refused`: the receiver understood the message and refused it, so it will probably refuse it again. */
  | { kind: 'failed' | 'refused'; message: string };

/** A message in the outbox that is neither delivered nor given up. */
export interface OpenMessage {
  id: string;
  route: string;
  sections: Section[];
  createdAt: Date;
  dueAt: Date;
  /** When its first delivery began; undefined: events can still be added. */
  sealedAt: Date | undefined;
  attempts: number;
  nextAt: Date;
  leaseUntil: Date | undefined;
}

/** The part of the ledger for gathering; all in one transaction, which only one process has at a time. */
export interface Outbox {
  /** The ledger's clock. */
  now: Date;
  /** Events of these accounts, and those of all accounts, oldest first. */
  readEvents(accounts: readonly string[], limit: number): Promise<NotificationEvent[]>;
  forgetEvents(ids: readonly string[]): Promise<void>;
  listOpen(routes: readonly string[]): Promise<OpenMessage[]>;
  /** When each route last sent a message about each kind, within the last day. */
  lastSealed(routes: readonly string[]): Promise<{ route: string; kind: string; at: Date }[]>;
  /** Adds a message, or replaces its content. */
  put(message: {
    id: string | undefined;
    route: string;
    sections: readonly Section[];
    dueAt: Date;
  }): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  /** Accounts whose pause was reported and its end was not. */
  listToldPauses(): Promise<string[]>;
  notePauses(pauses: { told: readonly string[]; ended: readonly string[] }): Promise<void>;
  /** The POs among these for which the event still holds, in the order of their ids. */
  listStandingPos(kind: EventKind, ids: readonly string[]): Promise<StandingPo[]>;
  /** Whether an event about an account, or about all accounts (null), still holds. */
  stillHolds(kind: EventKind, account: string | null, at: Date): Promise<boolean>;
  /** Seals a message and leases it for a delivery. */
  take(id: string, leaseMs: number): Promise<void>;
}
