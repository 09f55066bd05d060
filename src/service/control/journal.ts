import type { Endpoint } from '../fault-rules.ts';
import { isInScope } from './reset.ts';

/** A request that reached the service. */
export interface JournalEntry {
  /** When it arrived (ISO 8601, UTC): in real time, whatever the service's clock shows. */
  at: string;
  requestId: string;
  /** null if the token was refused or the path is none of the interface. */
  dealer: string | null;
  poNumber: string | null;
  /** null if the path is none of the interface. */
  endpoint: Endpoint | null;
  method: string;
  path: string;
  /**
   * The body as it was parsed. As text: one that could not be parsed, and the beginning of one that is larger than 4 KB.
   * null: there was none, or it was not read because the request was refused before.
   */
  body: unknown;
  /** Size of the whole body; null if it was not announced and not read. */
  bodyBytes: number | null;
  /** Whether `body` lacks something of the whole body. */
  bodyCut: boolean;
  /** null if no answer was sent (yet). */
  status: number | null;
  durationMs: number | null;
  /** The kind of the fault that was applied. */
  fault: string | null;
}

/** Which entries to list. Every condition must hold. */
export interface JournalFilter {
  dealer?: string | undefined;
  poNumber?: string | undefined;
  endpoint?: Endpoint | undefined;
  /** The first and the last moment of arrival, in real time. */
  since?: Date | undefined;
  until?: Date | undefined;
  /** The latest so many. */
  limit?: number | undefined;
}

/** The latest requests to this process. */
export interface Journal {
  add(entry: JournalEntry): void;
  /** Oldest first. */
  list(filter?: JournalFilter): JournalEntry[];
  /** Removes the entries of a dealer, of a PO number, or all. */
  clear(scope?: Pick<JournalFilter, 'dealer' | 'poNumber'>): void;
}

/** Enough for one run of a test suite, without growing over days. */
const maxEntries = 5_000;

const matches = (entry: JournalEntry, filter: JournalFilter): boolean =>
  isInScope(entry, filter) &&
  (filter.endpoint === undefined || entry.endpoint === filter.endpoint) &&
  (filter.since === undefined || Date.parse(entry.at) >= filter.since.getTime()) &&
  (filter.until === undefined || Date.parse(entry.at) <= filter.until.getTime());

export const createJournal = (): Journal => {
  let entries: JournalEntry[] = [];
  return {
    add: (entry) => {
      entries.push(entry);
      // Cut in larger pieces, so that adding stays cheap.
      if (entries.length >= 2 * maxEntries) entries = entries.slice(-maxEntries);
    },
    list: ({ limit = maxEntries, ...filter } = {}) => {
      const found = entries.slice(-maxEntries).filter((entry) => matches(entry, filter));
      return found.slice(Math.max(0, found.length - limit));
    },
    clear: (scope = {}) => {
      entries = entries.filter((entry) => !matches(entry, scope));
    },
  };
};
