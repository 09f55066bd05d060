import { randomUUID } from 'node:crypto';
import type { Gate } from '../dealer-api/answers.ts';
import type { PlacingLedger } from './types.ts';

/** A lease on one PO, renewed while its work goes on (rule 10). */
export interface Lease {
  owner: string;
  /**
   * True while the lease is surely ours: measured on this machine's monotonic clock from before it was
   * asked for, so that a process that was stopped for a while knows it in the tick of its next send.
   */
  holds: Gate;
  /** Starts the renewals, once the lease was given. */
  keep(): void;
  stop(): void;
}

/** Made before the lease is asked for: its time runs from here. */
export const createLease = (ledger: PlacingLedger, id: string, leaseMs: number): Lease => {
  const owner = randomUUID();
  let validUntil = performance.now() + leaseMs;
  let timer: NodeJS.Timeout | undefined;
  const renew = async (): Promise<void> => {
    const askedAt = performance.now();
    // A ledger that cannot be reached renews nothing, and the lease runs out by itself.
    const renewed = await ledger.renewLease(id, owner, leaseMs).catch(() => false);
    if (renewed) validUntil = askedAt + leaseMs;
  };
  return {
    owner,
    holds: () => performance.now() < validUntil,
    keep: () => {
      timer = setInterval(() => void renew(), leaseMs / 3);
      timer.unref();
    },
    stop: () => clearInterval(timer),
  };
};
