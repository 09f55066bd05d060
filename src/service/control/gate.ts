import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { isInScope, type ResetScope } from './reset.ts';

/** The dealer and PO number of a call, by which a reset selects calls. */
export interface CallKey {
  dealer: string;
  poNumber: string | null;
}

/** A call after its delay; a reset can still drop it until it ends. */
export interface DelayedCall {
  /** The call must not be carried out, as if it were lost on the network. */
  readonly dropped: boolean;
  /** The call starts now, or its client is gone. */
  end(): void;
}

/** Lets calls run at the same time, and one reset without any call. */
export interface Gate {
  /** Runs a call, after a reset that runs alone has ended. */
  run<T>(call: () => Promise<T>): Promise<T>;
  /** Waits. A reset of the call's scope ends the wait and drops the call; so does `stopping`. */
  delay(ms: number, key: CallKey, stopping?: AbortSignal): Promise<DelayedCall>;
  /** Runs an action once the running calls have ended and the delayed ones of a scope are dropped; later calls wait. */
  runAlone<T>(scope: ResetScope, action: () => Promise<T>): Promise<T>;
}

export const createGate = (): Gate => {
  let running = 0;
  let alone: Promise<unknown> | undefined;
  let onIdle: (() => void) | undefined;
  const delayed = new Set<{ key: CallKey; drop: AbortController }>();
  const dropDelayed = (scope: ResetScope) => {
    for (const entry of delayed) {
      if (!isInScope(entry.key, scope)) continue;
      entry.drop.abort();
      delayed.delete(entry);
    }
  };
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
    delay: async (ms, key, stopping) => {
      const drop = new AbortController();
      const entry = { key, drop };
      delayed.add(entry);
      const signal = stopping ? AbortSignal.any([drop.signal, stopping]) : drop.signal;
      await sleep(ms, undefined, { signal }).catch(() => drop.abort());
      return {
        get dropped() {
          return drop.signal.aborted;
        },
        end: () => delayed.delete(entry),
      };
    },
    runAlone: async (scope, action) => {
      while (alone) await alone.catch(() => undefined);
      const idle = running === 0 ? Promise.resolve() : new Promise<void>((resolve) => (onIdle = resolve));
      const act = async () => {
        await idle;
        // A call that has just chosen its delay starts it before the next turn of the event loop.
        await nextTurn();
        dropDelayed(scope);
        return action();
      };
      const acting = act().finally(() => {
        alone = undefined;
        onIdle = undefined;
      });
      alone = acting;
      return acting;
    },
  };
};
