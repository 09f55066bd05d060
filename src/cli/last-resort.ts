import { exitCodes } from './exit-codes.ts';

export interface LastResort {
  /** Something was thrown that nothing handled; the command ends with the exit code of a defect. */
  isUsed(): boolean;
  /** Gives uncaught errors back to Node. Idempotent. */
  release(): void;
}

/**
 * Handles what is thrown, or rejected, where nothing handles it. Node would end the process in the middle of its work
 * and without a line in the log; and whether anything still works properly after such an error cannot be known. So the
 * first one is reported and the process stops as on SIGTERM: running jobs end and leases are given back. After
 * `deadlineMs` it exits in any case. Later ones are dropped: they mostly follow from the first.
 */
export const handleUncaught = (deps: {
  report(thrown: unknown): void;
  stop(): void;
  deadlineMs(): number;
}): LastResort => {
  let used = false;
  const onUncaught = (thrown: unknown): void => {
    if (used) return;
    used = true;
    // A command that ends in time is not kept waiting by it.
    setTimeout(() => process.exit(exitCodes.defect.code), deps.deadlineMs()).unref();
    deps.report(thrown);
    deps.stop();
  };
  // Also hears of promises that reject and have no handler.
  process.on('uncaughtException', onUncaught);
  return {
    isUsed: () => used,
    release: () => void process.off('uncaughtException', onUncaught),
  };
};
