import { useSyncExternalStore } from 'react';

const pace = 5000;
let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

const renew = (): void => {
  if (document.hidden) return;
  now = Date.now();
  for (const each of listeners) each();
};

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener);
  // The clock was stopped while it had no subscribers or the page was hidden.
  if (timer === undefined) {
    now = Date.now();
    document.addEventListener('visibilitychange', renew);
  }
  timer ??= setInterval(renew, pace);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    document.removeEventListener('visibilitychange', renew);
    timer = undefined;
  };
};

/** The current time, updated every five seconds: one clock for all relative times of a page. */
export const useNow = (): number => useSyncExternalStore(subscribe, () => now, Date.now);
