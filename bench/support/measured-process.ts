import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

const ending = extname(import.meta.url);
const preload = new URL(`./report-cost-process${ending}`, import.meta.url).href;

/** A process whose cost is measured from outside. */
export interface MeasuredProcess {
  child: ChildProcess;
  /** CPU time since its start, in ms; at most 0.1 s old. */
  cpuMs(): number;
  residentBytes(): number;
  /** Waits for its end. */
  ended(): Promise<number | null>;
  /** Sends the signal and waits for its end. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Forks a file of this project, by its path below the root without the ending, compiled or not like this process. */
export const forkMeasured = (file: string, args: string[], env: NodeJS.ProcessEnv = {}): MeasuredProcess => {
  const path = fileURLToPath(new URL(`../../${file}${ending}`, import.meta.url));
  const child = fork(path, args, {
    execArgv: [...process.execArgv, `--import=${preload}`],
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  let cost = { cpu: { user: 0, system: 0 }, residentBytes: 0 };
  child.on('message', (message) => {
    if (typeof message === 'object' && 'cpu' in message) cost = message as typeof cost;
  });
  const exited = once(child, 'exit');
  return {
    child,
    cpuMs: () => (cost.cpu.user + cost.cpu.system) / 1000,
    residentBytes: () => cost.residentBytes,
    ended: async () => {
      const [code] = (await exited) as [number | null];
      return code;
    },
    end: async (signal) => {
      child.kill(signal);
      await exited;
    },
  };
};
