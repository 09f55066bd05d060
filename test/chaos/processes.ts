import { setTimeout as sleep } from 'node:timers/promises';
import type { System } from '../support/run-system.ts';
import type { WorkerProcess } from '../support/spawn-worker.ts';

type Role = 'work' | 'watch';

/** Worker and watcher processes; any that ends is replaced. */
export interface Processes {
  /** Kills one of them with kill -9; a new one replaces it. */
  kill(random: () => number): void;
  /** Suspends one for this time. */
  suspend(random: () => number, forMs: number): void;
  /** How many ended without being killed. */
  unexpectedEnds(): number;
  /** Resolves when every suspended process has resumed and every killed one is replaced. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

export const startProcesses = async (
  system: System,
  workers: number,
  watchers: number,
): Promise<Processes> => {
  const present = new Map<WorkerProcess, Role>();
  const still = new Set<WorkerProcess>();
  const killed = new Set<WorkerProcess>();
  const busy = new Set<Promise<void>>();
  let stopping = false;
  let unexpected = 0;

  const launch = async (role: Role): Promise<void> => {
    while (!stopping) {
      // While the database is unreachable a worker reports it and exits; another one is then started.
      const worker = await system.spawn({ roles: [role] }).catch(() => sleep(300));
      if (!worker) continue;
      present.set(worker, role);
      void worker.exited.then(() => {
        present.delete(worker);
        still.delete(worker);
        if (stopping) return;
        if (!killed.delete(worker)) unexpected += 1;
        keep(launch(role));
      });
      return;
    }
  };
  const keep = (work: Promise<void>): void => {
    busy.add(work);
    void work.finally(() => busy.delete(work));
  };
  const choose = (random: () => number): WorkerProcess | undefined => {
    const awake = [...present.keys()].filter((worker) => !still.has(worker) && !killed.has(worker));
    return awake[Math.floor(random() * awake.length)];
  };
  const suspendFor = async (worker: WorkerProcess, forMs: number): Promise<void> => {
    still.add(worker);
    worker.child.kill('SIGSTOP');
    await sleep(forMs);
    worker.child.kill('SIGCONT');
    still.delete(worker);
  };

  const roles: Role[] = [...Array<Role>(workers).fill('work'), ...Array<Role>(watchers).fill('watch')];
  await Promise.all(roles.map(launch));
  return {
    kill: (random) => {
      const worker = choose(random);
      if (!worker) return;
      killed.add(worker);
      worker.child.kill('SIGKILL');
    },
    suspend: (random, forMs) => {
      const worker = choose(random);
      if (worker) keep(suspendFor(worker, forMs));
    },
    unexpectedEnds: () => unexpected,
    settle: async () => {
      while (busy.size > 0) await Promise.all(busy);
    },
    stop: async () => {
      stopping = true;
      await Promise.all(busy);
      await Promise.all([...present.keys()].map((worker) => worker.kill()));
    },
  };
};
