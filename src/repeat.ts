/** Periodic work that never overlaps itself. */
export interface Repeated {
  /** Runs the work at once; during a run, causes one more run after it. Does nothing after `stop`. */
  now(): void;
  /** Stops; resolves when the current run has ended. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Runs the work periodically until it is stopped. Waiting does not keep the process alive.
 *
 * @param work may return the ms to wait instead of `everyMs`; `isStopped`: it should end early
 * @param options.firstMs wait before the first run; default: none
 * @param options.failed receives exceptions of the work, which runs again as usual
 */
export const repeat = (
  work: (isStopped: () => boolean) => Promise<unknown>,
  { everyMs, firstMs, failed }: { everyMs: number; firstMs?: number; failed: (thrown: unknown) => void },
): Repeated => {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let again = false;
  let stopped = false;
  const wait = (ms: number): void => {
    timer = setTimeout(now, ms).unref();
  };
  const once = async (): Promise<void> => {
    const waitMs = await work(() => stopped).catch(failed);
    running = undefined;
    if (stopped) return;
    if (again) now();
    else wait(typeof waitMs === 'number' ? waitMs : everyMs);
  };
  const now = (): void => {
    if (stopped) return;
    clearTimeout(timer);
    again = running !== undefined;
    running ??= once();
  };
  if (firstMs === undefined) now();
  else wait(firstMs);
  return {
    now,
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
};
