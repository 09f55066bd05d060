import { setTimeout as sleep } from 'node:timers/promises';
import type { System } from '../support/run-system.ts';
import type { WorkerProcess } from '../support/spawn-worker.ts';

type Role = 'work' | 'watch';

/** Worker and watcher processes that are put back whenever one is gone. */
export interface Crew {
  /** kill -9 of one of them; a new one takes its place. */
  kill(random: () => number): void;
  /** Stops one for so long, then lets it go on. */
  standStill(random: () => number, forMs: number): void;
  /** How many ended although nobody had killed them. */
  endedByThemselves(): number;
  /** Puts nobody back any more; resolves when everyone who stood still goes on again. */
  settle(): Promise<void>;
  stop(): Promise<void>;
}

export const startCrew = async (system: System, workers: number, watchers: number): Promise<Crew> => {
  const present = new Map<WorkerProcess, Role>();
  const still = new Set<WorkerProcess>();
  const killed = new Set<WorkerProcess>();
  const busy = new Set<Promise<void>>();
  let stopping = false;
  let surprises = 0;

  const hire = async (role: Role): Promise<void> => {
    while (!stopping) {
      // The database may be away at this moment: then a worker says so and ends, and another one is started.
      const worker = await system.spawn({ roles: [role] }).catch(() => sleep(300));
      if (!worker) continue;
      present.set(worker, role);
      void worker.exited.then(() => {
        present.delete(worker);
        still.delete(worker);
        if (stopping) return;
        if (!killed.delete(worker)) surprises += 1;
        keep(hire(role));
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
  const standing = async (worker: WorkerProcess, forMs: number): Promise<void> => {
    still.add(worker);
    worker.child.kill('SIGSTOP');
    await sleep(forMs);
    worker.child.kill('SIGCONT');
    still.delete(worker);
  };

  const roles: Role[] = [...Array<Role>(workers).fill('work'), ...Array<Role>(watchers).fill('watch')];
  await Promise.all(roles.map(hire));
  return {
    kill: (random) => {
      const worker = choose(random);
      if (!worker) return;
      killed.add(worker);
      worker.child.kill('SIGKILL');
    },
    standStill: (random, forMs) => {
      const worker = choose(random);
      if (worker) keep(standing(worker, forMs));
    },
    endedByThemselves: () => surprises,
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
