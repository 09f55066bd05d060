import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { builtProgram } from '../../test/support/built-program.ts';

const ending = extname(import.meta.url);
const preload = new URL(`./report-cost-process${ending}`, import.meta.url).href;

/** A process whose cost is measured from outside. */
export interface MeasuredProcess {
  child: ChildProcess;
  /** CPU time since its start, in ms; the value is at most 0.1 s old. */
  cpuMs(): number;
  residentBytes(): number;
  /** Waits until it exits. */
  ended(): Promise<number | null>;
  /** Sends the signal and waits until it exits. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** The command line. */
export const builtCartwright = builtProgram('program/cartwright.js');

/** Forks a built program. */
export const forkMeasured = (
  program: string,
  args: string[],
  env: NodeJS.ProcessEnv = {},
): MeasuredProcess => {
  const child = fork(program, args, {
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
