import type { Config } from '../config/config.ts';

/** What all live workers have and do. */
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

/**
 * An account's window is enough to use all of its calls in flight: while some of its POs are written to the ledger, others
 * make calls. When slots are scarce, the active accounts share them, so that each always finds a free one.
 */
export const createWindows = ({ accounts }: Pick<Config, 'accounts'>): Windows => {
  const full = new Map(accounts.map(({ name, inFlight }) => [name, Math.ceil(1.25 * inFlight) + 2]));
  let share = Number.POSITIVE_INFINITY;
  return {
    of: (account) => Math.max(1, Math.min(full.get(account) ?? 1, share)),
    adapt: ({ slots, activeAccounts }) => {
      share = Math.floor(slots / Math.max(1, activeAccounts));
    },
  };
};
