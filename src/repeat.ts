/** Work that is done again and again, never twice at the same time. */
export interface Repeated {
  /** Does it at once; while it is being done, once more afterwards. Nothing after `stop`. */
  now(): void;
  /** Does it no more; resolves when what is being done has ended. Idempotent. */
  stop(): Promise<void>;
}

/**
 * Does the work, waits, and does it again, until it is stopped. Waiting does not keep the process running.
 *
 * @param work returns how many ms to wait until the next time, where that is not `everyMs`; `isStopped`: it should end early
 * @param options.firstMs how long to wait for the first time; by default it is done at once
 * @param options.failed receives what the work throws; it is done again as usual
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
