/** Lets calls run at the same time, and one action without any call. */
export interface Gate {
  /** Runs a call, after an action that runs alone has ended. */
  run<T>(call: () => Promise<T>): Promise<T>;
  /** Runs an action once the running calls have ended; calls that arrive meanwhile wait. */
  runAlone<T>(action: () => Promise<T>): Promise<T>;
}

export const createGate = (): Gate => {
  let running = 0;
  let alone: Promise<unknown> | undefined;
  let onIdle: (() => void) | undefined;
  return {
    run: async (call) => {
      while (alone) await alone.catch(() => undefined);
      running += 1;
      try {
        return await call();
      } finally {
        running -= 1;
        if (running === 0) onIdle?.();
      }
    },
    runAlone: async (action) => {
      while (alone) await alone.catch(() => undefined);
      const idle = running === 0 ? Promise.resolve() : new Promise<void>((resolve) => (onIdle = resolve));
      const acting = idle.then(action).finally(() => {
        alone = undefined;
        onIdle = undefined;
      });
      alone = acting;
      return acting;
    },
  };
};
