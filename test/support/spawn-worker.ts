import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { builtProgram } from './built-program.ts';
import type { WorkerMessage, WorkerOrder } from './worker-process.ts';

/** Shorter than the time limit of tests, so that the error names what was missing. */
const limitMs = 180_000;

const workerProgram = builtProgram('test/support/worker-process.ts');

/** A worker in its own process. */
export interface WorkerProcess {
  child: ChildProcess;
  /** Resolves when this many of its stops were reached. @throws with the missing ones after a timeout */
  stoppedAt(count: number): Promise<string[]>;
  release(): void;
  /** Kills the process; resolves when it is gone. */
  kill(): Promise<void>;
  /** Drains the process; resolves when it is gone. */
  end(): Promise<void>;
  exited: Promise<void>;
}

/** Starts a worker process; resolves when it is ready, throws if it exits first. `program`: a worker of another version. */
export const spawnWorker = async (
  order: WorkerOrder,
  env: NodeJS.ProcessEnv,
  program = workerProgram,
): Promise<WorkerProcess> => {
  const child = spawn(process.execPath, [program, JSON.stringify(order)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env,
  });
  const exited = once(child, 'exit').then(() => {});
  child.stdin.on('error', () => {});
  const stopped = new Map<string, string>();
  const listeners = new Set<() => void>();
  const ready = new Promise<void>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const message = JSON.parse(line) as WorkerMessage;
      if (message.event === 'ready') resolve();
      else stopped.set(message.about, `${message.name} of ${message.about}`);
      for (const listener of listeners) listener();
    });
    child.once('exit', (code, signal) =>
      reject(new Error(`the worker ended (${code ?? signal}) before it was ready`)),
    );
  });
  await ready;
  return {
    child,
    exited,
    stoppedAt: (count) =>
      new Promise((resolve, reject) => {
        const check = () => stopped.size >= count && resolve([...stopped.values()]);
        listeners.add(check);
        setTimeout(() => {
          const missing = Object.keys(order.stops ?? {}).filter((about) => !stopped.has(about));
          reject(new Error(`not stopped within ${limitMs} ms: ${missing.join(', ')}`));
        }, limitMs).unref();
        child.once('exit', () =>
          reject(new Error(`the worker ended after: ${[...stopped.values()].join(', ')}`)),
        );
        check();
      }),
    release: () => child.stdin.write('go\n'),
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    end: async () => {
      child.kill('SIGTERM');
      await exited;
    },
  };
};
