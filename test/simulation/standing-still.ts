import { isActive, type MemoryLedger } from './memory-ledger.ts';
import type { Scheduler } from './scheduler.ts';

/** Generous: a free worker takes a PO within seconds, but all may be suspended, and a dead one is replaced within seconds. */
const boundMs = 5 * 60_000;
const lookEveryMs = 5000;

/**
 * Checks every few seconds for POs that could continue (free, due and not paused) but have not changed within their bound. `stood` has
 * their ids.
 */
export const watchStandingStill = ({
  ledger,
  scheduler,
  leaseEndsMs,
  isDown,
}: {
  ledger: MemoryLedger;
  scheduler: Scheduler;
  /** Time after a lease until another worker may take its PO. */
  leaseEndsMs: number;
  /** Whether no worker can run. */
  isDown: () => boolean;
}): { stood: ReadonlySet<string> } => {
  const { now } = scheduler;
  const stood = new Set<string>();
  const seen = new Map<string, { as: string; since: number }>();
  const look = (): void => {
    const account = ledger.accounts.get('default');
    for (const row of ledger.rows.values()) {
      if (!isActive(row.state)) continue;
      const { state, run, epoch, intents, lookups, failures } = row;
      const as = JSON.stringify([state, run, epoch, intents.length, lookups, failures]);
      const waitsUntil = Math.max(
        row.nextAt,
        row.leaseOwner === undefined ? 0 : row.leaseUntil + leaseEndsMs,
        account?.pausedUntil ?? 0,
        account?.pausedByPerson || isDown() ? now() : 0,
      );
      const known = seen.get(row.id);
      if (known?.as !== as || waitsUntil >= now()) seen.set(row.id, { as, since: now() });
      else if (now() - known.since > boundMs) stood.add(row.id);
    }
    scheduler.after(lookEveryMs, look);
  };
  scheduler.after(lookEveryMs, look);
  return { stood };
};
