import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, UserError } from '../errors.ts';
import { isLostConnection } from '../ledger/lost-connection.ts';
import type { StopSignals } from './stop-signals.ts';

const againMs = 500;
const tellEveryMs = 5000;

/** Redis errors while it loads its data or has no master, which resolve without a person. */
const comingBack = /LOADING|MASTERDOWN|CLUSTERDOWN|sentinels are unreachable|No master|Connection is closed/i;

/** Whether a server may still be starting. A refused password or the wrong name of a database needs a person. */
const mayPass = (thrown: unknown): boolean => {
  if (!(thrown instanceof UserError) || !['database_down', 'queue_down'].includes(thrown.code)) return false;
  return isLostConnection(thrown.cause ?? {}) || comingBack.test(messageOf(thrown.cause ?? ''));
};

/**
 * Thrown when a person or a supervisor stops a process that waits for a server.
 * @internal also used by tests
 */
export const stoppedWaiting = new UserError('stopped', 'Stopped while waiting for a server.');

/**
 * Calls `open`, and retries while a server may still be starting: after a reboot, an update or a failover, all start at the same time.
 *
 * @param options.patienceMs how long to retry after the first failure; 0: no retry
 * @throws the error of the last attempt, or `stoppedWaiting`
 */
export const waitForServers = async <T>(
  open: () => Promise<T>,
  options: {
    patienceMs: number;
    signals: Pick<StopSignals, 'requested' | 'isRequested'>;
    tell: (sentence: string) => void;
  },
): Promise<T> => {
  const { patienceMs, signals, tell } = options;
  let failedAt: number | undefined;
  let toldAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    try {
      return await open();
    } catch (thrown) {
      failedAt ??= performance.now();
      const waitedMs = performance.now() - failedAt;
      if (waitedMs + againMs > patienceMs || !mayPass(thrown)) throw thrown;
      if (performance.now() - toldAt >= tellEveryMs) {
        toldAt = performance.now();
        const leftS = Math.ceil((patienceMs - waitedMs) / 1000);
        tell(`${messageOf(thrown)} It may still be starting: retrying for ${leftS} s.`);
      }
      await Promise.race([sleep(againMs), signals.requested]);
      if (signals.isRequested()) throw stoppedWaiting;
    }
  }
};
