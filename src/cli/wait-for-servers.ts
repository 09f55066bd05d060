import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf, UserError } from '../errors.ts';
import { isLostConnection } from './exit-codes.ts';
import type { StopSignals } from './stop-signals.ts';

const againMs = 500;
const tellEveryMs = 5000;

/** What Redis says while it reads its data or has no master: it passes without a person. */
const comingBack = /LOADING|MASTERDOWN|CLUSTERDOWN|sentinels are unreachable|No master|Connection is closed/i;

/** Whether a server that could not be used may still be starting. A refused password or a wrong name of a database never passes. */
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
 * Opens what needs servers, and tries again while one of them may still be coming back: after the start of a machine, an update or a
 * fail-over, all start at the same time.
 *
 * @param options.patienceMs how long it tries; 0: once
 * @throws what the last try threw, or `stoppedWaiting`
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
  const startedAt = performance.now();
  let toldAt = Number.NEGATIVE_INFINITY;
  for (;;) {
    try {
      return await open();
    } catch (thrown) {
      const waitedMs = performance.now() - startedAt;
      if (waitedMs + againMs > patienceMs || !mayPass(thrown)) throw thrown;
      if (performance.now() - toldAt >= tellEveryMs) {
        toldAt = performance.now();
        const leftS = Math.ceil((patienceMs - waitedMs) / 1000);
        tell(`${messageOf(thrown)} It may still be starting: trying again for ${leftS} s.`);
      }
      await Promise.race([sleep(againMs), signals.requested]);
      if (signals.isRequested()) throw stoppedWaiting;
    }
  }
};
