import { randomUUID } from 'node:crypto';
import type { Gate } from '../dealer-api/answers.ts';
import type { PlacingLedger } from './types.ts';

/** A lease on one PO, renewed while its work goes on (rule 10). */
export interface Lease {
  owner: string;
  /**
   * True while the lease is surely ours: measured on this machine's monotonic clock from before it was
   * asked for, so that a process that was stopped for a while knows it in the tick of its next send. Once
   * false it stays false: what was not sent for the lack of it is never taken for a fault of the service.
   */
  holds: Gate;
  /** Starts the renewals, once the lease was given. */
  keep(): void;
  stop(): void;
}

/** Time as placing sees it; a simulation has its own. */
export interface Clock {
  /** Milliseconds that only go forward, also while the process is stopped. */
  monotonicMs(): number;
  date(): Date;
  /** Calls again and again; answers what ends it. Does not keep the process alive. */
  every(periodMs: number, work: () => void): () => void;
}

export const systemClock: Clock = {
  monotonicMs: () => performance.now(),
  date: () => new Date(),
  every: (periodMs, work) => {
    const timer = setInterval(work, periodMs).unref();
    return () => clearInterval(timer);
  },
};

/** Made before the lease is asked for: its time runs from here. */
export const createLease = (ledger: PlacingLedger, clock: Clock, id: string, leaseMs: number): Lease => {
  const owner = randomUUID();
  let validUntil = clock.monotonicMs() + leaseMs;
  let lost = false;
  let end: (() => void) | undefined;
  const renew = async (): Promise<void> => {
    const askedAt = clock.monotonicMs();
    // A ledger that cannot be reached renews nothing, and the lease runs out by itself.
    const renewed = await ledger.renewLease(id, owner, leaseMs).catch(() => false);
    if (renewed) validUntil = askedAt + leaseMs;
  };
  return {
    owner,
    holds: () => {
      lost ||= clock.monotonicMs() >= validUntil;
      return !lost;
    },
    keep: () => {
      end = clock.every(leaseMs / 3, () => void renew());
    },
    stop: () => end?.(),
  };
};
