import type { Account, Config } from '../config/config.ts';
import { whyClosed } from '../config/opening-hours.ts';

/** The capacity and the load of all live workers. */
export interface Load {
  /** POs that they can place at the same time. */
  slots: number;
  /** Accounts that have jobs of POs in the queue. */
  activeAccounts: number;
}

/** How many POs of each account may have jobs that can run. */
export interface Windows {
  of(account: string): number;
  adapt(load: Load): void;
}

/** Whether an account is open now. Cached for a second, because every step of a PO asks. */
export const createOpenCheck = (
  accounts: () => readonly Pick<Account, 'name' | 'schedule'>[],
): ((account: string) => boolean) => {
  let closed = new Set<string>();
  let readAt = Number.NEGATIVE_INFINITY;
  return (account) => {
    if (performance.now() - readAt > 1000) {
      const now = new Date();
      readAt = performance.now();
      closed = new Set(
        accounts().flatMap(({ name, schedule }) => (whyClosed(schedule, now) === undefined ? [] : name)),
      );
    }
    return !closed.has(account);
  };
};

/**
 * An account's window is large enough to use all of its calls in flight: while some of its POs are written to the ledger, others
 * make calls. A closed account starts nothing. If slots are scarce, the active accounts share them, so that each always finds a free one.
 */
export const createWindows = (
  { accounts }: Pick<Config, 'accounts'>,
  isOpen: (account: string) => boolean,
): Windows => {
  const full = new Map(accounts.map(({ name, inFlight }) => [name, Math.ceil(1.25 * inFlight) + 2]));
  let share = Number.POSITIVE_INFINITY;
  return {
    of: (account) => (isOpen(account) ? Math.max(1, Math.min(full.get(account) ?? 1, share)) : 0),
    adapt: ({ slots, activeAccounts }) => {
      share = Math.floor(slots / Math.max(1, activeAccounts));
    },
  };
};
