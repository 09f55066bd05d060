import type { Endpoint } from '../fault-rules.ts';
import { isInScope } from './reset.ts';

/** A request that reached the service. */
export interface JournalEntry {
  /** When it arrived (ISO 8601, UTC): in real time, not by the service's clock. */
  at: string;
  requestId: string;
  /** null if the token was refused or the path does not belong to the interface. */
  dealer: string | null;
  poNumber: string | null;
  /** null if the path does not belong to the interface. */
  endpoint: Endpoint | null;
  method: string;
  path: string;
  /**
   * The parsed body. As text: a body that could not be parsed, and the beginning of one larger than 4 KB.
   * null: no body, or not read because the request was refused earlier.
   */
  body: unknown;
  /** Size of the whole body; null if it was not announced and not read. */
  bodyBytes: number | null;
  /** Whether `body` is only a part of the whole body. */
  bodyCut: boolean;
  /** null if no answer was sent (yet). */
  status: number | null;
  durationMs: number | null;
  /** The kind of the fault that was applied. */
  fault: string | null;
}

/** A filter for entries. Every condition must hold. */
export interface JournalFilter {
  dealer?: string | undefined;
  poNumber?: string | undefined;
  endpoint?: Endpoint | undefined;
  /** The first and the last moment of arrival, in real time. */
  since?: Date | undefined;
  until?: Date | undefined;
  /** Maximum number of entries; the latest ones are kept. */
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
