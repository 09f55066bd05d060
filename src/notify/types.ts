import type { EventKind, SectionKind } from './kinds.ts';

/** Something that happened, as the ledger recorded it. */
/** What decides about a PO, so that a message can be understood without signing in. */
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
  /** A sentence; of held POs the reason code. */
  detail: string | null;
  /** Of a paused account, while it is: why (`pauseCodes`). */
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

/** What a message says about the events of one kind and account. */
export interface Section {
  kind: SectionKind;
  account: string | null;
  count: number;
  /** Counts by hold reason, or by name in a summary. */
  counts: Record<string, number>;
  first: SectionItem[];
  /** Of the first and the last event, as ISO text. */
  from: string;
  until: string;
  /** The POs that it counts, until the message is delivered: some may be settled when it is sent. */
  purchaseOrderIds?: string[];
  /** How many were settled between the event and the message; they are not in `count`. */
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

/** A message as it is sent. */
export interface Message {
  id: string;
  createdAt: Date;
  sections: readonly Section[];
}

/** A file that goes with an e-mail. */
export interface Attachment {
  name: string;
  path: string;
}

export type Sent =
  | { kind: 'sent' }
  /** `refused`: the receiver understood it and refuses it, so that it will probably refuse it again. */
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

/** What gathering needs of the ledger; all of it in one transaction, which only one process has at a time. */
export interface Outbox {
  /** The ledger's clock. */
  now: Date;
  /** Events of these accounts, and those of all accounts, oldest first. */
  readEvents(accounts: readonly string[], limit: number): Promise<NotificationEvent[]>;
  forgetEvents(ids: readonly string[]): Promise<void>;
  listOpen(routes: readonly string[]): Promise<OpenMessage[]>;
  /** When each route last sent something about each kind, in the last day. */
  lastSealed(routes: readonly string[]): Promise<{ route: string; kind: string; at: Date }[]>;
  /** Adds a message, or replaces what it says. */
  put(message: {
    id: string | undefined;
    route: string;
    sections: readonly Section[];
    dueAt: Date;
  }): Promise<void>;
  remove(ids: readonly string[]): Promise<void>;
  /** Accounts whose pause was told, and its end was not. */
  listToldPauses(): Promise<string[]>;
  notePauses(pauses: { told: readonly string[]; ended: readonly string[] }): Promise<void>;
  /** Which of these POs are still as the event says, in the order of their ids. */
  listStandingPos(kind: EventKind, ids: readonly string[]): Promise<StandingPo[]>;
  /** Whether what an event said at a moment of an account, or of all (null), is still so. */
  stillHolds(kind: EventKind, account: string | null, at: Date): Promise<boolean>;
  /** Seals a message and leases it for a delivery. */
  take(id: string, leaseMs: number): Promise<void>;
}
