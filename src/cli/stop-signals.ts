import { exitCodes } from './exit-codes.ts';

export interface StopSignals {
  /** Resolves at the first Ctrl-C or SIGTERM. */
  requested: Promise<void>;
  isRequested(): boolean;
  /** Requests the stop without a signal. */
  request(): void;
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
  const onSignal = (): void => {
    if (requestedYet) process.exit(exitCodes.interrupted.code);
    onFirst();
    request();
  };
  for (const signal of signals) process.on(signal, onSignal);
  return {
    requested,
    isRequested: () => requestedYet,
    request,
    release: () => {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
};
