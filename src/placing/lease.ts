import { randomUUID } from 'node:crypto';
import type { Gate } from '../dealer-api/answers.ts';
import type { PlacingLedger } from './types.ts';

/** A lease on one PO, renewed while its work goes on (rule 10). */
export interface Lease {
  owner: string;
  /**
   * True while the lease is certainly ours: measured on this machine's clocks from before it was asked for, so
   * that a process that was stopped, or whose machine was suspended, knows it in the tick of its next send. Once
   * false it stays false: what was not sent for the lack of it is never taken for a fault of the service.
   */
  holds: Gate;
  /** Starts the renewals, once the lease was given. */
  keep(): void;
  stop(): void;
}

/** Time as placing sees it; a simulation has its own. */
export interface Clock {
  /** Milliseconds that only go forward, also while the process is stopped, but not while the machine is suspended. */
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
  const now = () => ({ monotonicMs: clock.monotonicMs(), wallMs: clock.date().getTime() });
  // The monotonic clock stands still while the machine is suspended, the wall clock can be set back: whichever says
  // that more time has passed is believed. The worst that can come of it is a lease given up too early.
  const msSince = (then: ReturnType<typeof now>): number =>
    Math.max(clock.monotonicMs() - then.monotonicMs, clock.date().getTime() - then.wallMs);
  let grantedAt = now();
  let lost = false;
  let end: (() => void) | undefined;
  const renew = async (): Promise<void> => {
    const askedAt = now();
    // A ledger that cannot be reached renews nothing, and the lease runs out. One that refuses says that the lease is
    // somebody else's already.
    const renewed = await ledger.renewLease(id, owner, leaseMs).catch(() => undefined);
    if (renewed === true) grantedAt = askedAt;
    lost ||= renewed === false;
  };
  return {
    owner,
    holds: () => {
      lost ||= msSince(grantedAt) >= leaseMs;
      return !lost;
    },
    keep: () => {
      end = clock.every(leaseMs / 3, () => void renew());
    },
    stop: () => end?.(),
  };
};
