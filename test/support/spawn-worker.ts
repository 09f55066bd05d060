import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { WorkerOrder, WorkerWord } from './worker-process.ts';

// As written, or as compiled: a compiled worker starts in a third of the time.
const ending = import.meta.url.endsWith('.js') ? 'js' : 'ts';
const workerProgram = [
  ...(ending === 'ts' ? ['--import', 'tsx'] : []),
  fileURLToPath(new URL(`./worker-process.${ending}`, import.meta.url)),
];

/** A worker in a process of its own. */
export interface WorkerProcess {
  child: ChildProcess;
  /** Resolves when work stands still at so many of its stops. */
  stoppedAt(count: number): Promise<string[]>;
  letGo(): void;
  /** Resolves when the process is gone. */
  kill(): Promise<void>;
  /** Drains; resolves when the process is gone. */
  end(): Promise<void>;
  exited: Promise<void>;
}

/** Starts a worker process; resolves when it works, throws when it ends before that. */
export const spawnWorker = async (order: WorkerOrder, env: NodeJS.ProcessEnv): Promise<WorkerProcess> => {
  const child = spawn(process.execPath, [...workerProgram, JSON.stringify(order)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env,
  });
  const exited = once(child, 'exit').then(() => {});
  child.stdin.on('error', () => {});
  const stopped: string[] = [];
  const heard = new Set<() => void>();
  const ready = new Promise<void>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const word = JSON.parse(line) as WorkerWord;
      if (word.said === 'ready') resolve();
      else stopped.push(`${word.name} of ${word.about}`);
      for (const listener of heard) listener();
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
        const look = () => stopped.length >= count && resolve(stopped);
        heard.add(look);
        child.once('exit', () => reject(new Error(`the worker ended after: ${stopped.join(', ')}`)));
        look();
      }),
    letGo: () => child.stdin.write('go\n'),
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
