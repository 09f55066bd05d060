import { exitCodes } from './exit-codes.ts';

export interface UncaughtErrors {
  /** Whether there was an unhandled error; the command then exits with the code of a defect. */
  isUsed(): boolean;
  /** Restores Node's own handling. Idempotent. */
  release(): void;
}

/**
 * Handles exceptions and rejections that nothing else handles. Node would end the process immediately and without a log line, and the
 * program's state after such an error is unknown. So it reports the first one and stops the process as on SIGTERM: running jobs finish and
 * leases are released. After `deadlineMs` it exits in any case. Later errors are ignored, because they usually follow from the first.
 */
export const catchUncaughtErrors = (deps: {
  report(thrown: unknown): void;
  stop(): void;
  deadlineMs(): number;
}): UncaughtErrors => {
  let used = false;
  const onUncaught = (thrown: unknown): void => {
    if (used) return;
    used = true;
    // `unref`: a command that ends earlier does not wait for this timer.
    setTimeout(() => process.exit(exitCodes.defect.code), deps.deadlineMs()).unref();
    deps.report(thrown);
    deps.stop();
  };
  // Also called for unhandled rejections.
  process.on('uncaughtException', onUncaught);
  return {
    isUsed: () => used,
    release: () => void process.off('uncaughtException', onUncaught),
  };
};
