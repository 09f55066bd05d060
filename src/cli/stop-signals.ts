import { exitCodes } from './exit-codes.ts';

export interface StopSignals {
  /** Resolves at the first Ctrl-C or SIGTERM. */
  requested: Promise<void>;
  isRequested(): boolean;
  /** Requests a stop without a signal. */
  request(): void;
  /**
   * From now on, SIGHUP calls this instead of requesting a stop, as is usual for daemons. On a terminal it still stops, because there it
   * means that the terminal was closed.
   */
  onHangUp(work: () => void): void;
  /** Restores Node's own handling. Idempotent. */
  release(): void;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Turns the first stop signal into a request to the command; a second one ends the process immediately. */
export const listenForStop = (onFirst: () => void): StopSignals => {
  let requestedYet = false;
  let resolve: () => void = () => {};
  const requested = new Promise<void>((done) => {
    resolve = done;
  });
  const request = (): void => {
    requestedYet = true;
    resolve();
  };
  let hangUp: (() => void) | undefined;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (signal === 'SIGHUP' && hangUp) {
      hangUp();
      return;
    }
    if (requestedYet) process.exit(exitCodes.interrupted.code);
    onFirst();
    request();
  };
  for (const signal of signals) process.on(signal, onSignal);
  return {
    requested,
    isRequested: () => requestedYet,
    request,
    onHangUp: (work) => {
      if (!process.stdin.isTTY) hangUp = work;
    },
    release: () => {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
};
