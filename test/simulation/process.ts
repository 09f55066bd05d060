import type { Clock } from '../../src/placing/lease.ts';
import type { Random, Scheduler } from './scheduler.ts';

/** A worker process: at any moment it may be killed, or suspended and resumed later. */
export interface Process {
  name: string;
  alive(): boolean;
  kill(): void;
  freeze(forMs: number): void;
  /** Runs work in the process after a delay: not while the process is suspended, and never after it was killed. */
  deliver(delayMs: number, work: () => void): void;
  sleep(ms: number): Promise<void>;
  clock: Clock;
}

export const createProcess = (name: string, scheduler: Scheduler, random: Random): Process => {
  let living = true;
  let frozenUntil = 0;
  const deliver = (delayMs: number, work: () => void): void =>
    scheduler.after(delayMs, () => {
      if (!living) return;
      if (frozenUntil > scheduler.now()) deliver(frozenUntil - scheduler.now() + random.next(), work);
      else work();
    });
  return {
    name,
    alive: () => living,
    kill: () => {
      living = false;
    },
    freeze: (forMs) => {
      frozenUntil = Math.max(frozenUntil, scheduler.now() + forMs);
    },
    deliver,
    sleep: (ms) => new Promise((resolve) => deliver(ms, resolve)),
    clock: {
      monotonicMs: scheduler.now,
      date: () => new Date(Date.UTC(2026, 2, 1, 12) + scheduler.now()),
      every: (periodMs, work) => {
        let ended = false;
        const tick = (): void =>
          deliver(periodMs, () => {
            if (ended) return;
            work();
            tick();
          });
        tick();
        return () => {
          ended = true;
        };
      },
    },
  };
};
