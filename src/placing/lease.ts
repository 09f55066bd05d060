import { randomUUID } from 'node:crypto';
import type { Gate } from '../dealer-api/answers.ts';
import type { PlacingLedger } from './placing-ledger.ts';

/** A lease on one PO, renewed while it is being worked on (rule 10). */
export interface Lease {
  owner: string;
  /**
   * True while the lease is certainly ours. Measured on this machine's clocks from before the request for it, so that a
   * process that was stopped, or whose machine was suspended, notices the loss in the tick of its next send. Once false it
   * stays false: a call that a lost lease prevented must never count as a failure of the service.
   */
  holds: Gate;
  /** Starts the renewals once the lease was granted. */
  keep(): void;
  stop(): void;
}

/** The clock of placing; a simulation has its own. */
export interface Clock {
  /** Milliseconds that only go forward, also while the process is stopped, but not while the machine is suspended. */
  monotonicMs(): number;
  date(): Date;
  /** Calls `work` periodically; returns a function that ends it. Does not keep the process alive. */
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

/** Call it before the lease is requested: the lease's time is measured from here. */
export const createLease = (
  ledger: PlacingLedger,
  clock: Clock,
  id: string,
  leaseMs: number,
  newOwner: () => string = randomUUID,
): Lease => {
  const owner = newOwner();
  const now = () => ({ monotonicMs: clock.monotonicMs(), wallMs: clock.date().getTime() });
  // The monotonic clock stops while the machine is suspended, and the wall clock can be set back: the larger of the two
  // times counts. At worst a lease is given up too early.
  const msSince = (then: ReturnType<typeof now>): number =>
    Math.max(clock.monotonicMs() - then.monotonicMs, clock.date().getTime() - then.wallMs);
  let grantedAt = now();
  let lost = false;
  let end: (() => void) | undefined;
  const renew = async (): Promise<void> => {
    const askedAt = now();
    // Without an answer from the ledger the lease runs out. A refusal means that another worker has the lease already.
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
