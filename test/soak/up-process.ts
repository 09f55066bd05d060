import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { builtProgram } from '../support/built-program.ts';
import type { ProcessUse } from './report-process.ts';

/** `cartwright up` in its own process, with its resource use. */
export interface UpProcess {
  child: ChildProcess;
  /** The address of its console, with health and metrics. */
  consoleUrl: string;
  /** Its current use; `heapBytes` is the minimum since the last call. */
  use(): ProcessUse | undefined;
  /** Number of log lines, by message. */
  logged: ReadonlyMap<string, number>;
  isRunning(): boolean;
  stop(): Promise<void>;
}

/** Longer than `worker.drain`, so a process that has not ended by then hangs. */
const stopLimitMs = 60_000;

/** Starts it; resolves when it is ready. Ctrl-C does not reach it, because the soak stops it. */
export const startUp = async (configFile: string, env: NodeJS.ProcessEnv): Promise<UpProcess> => {
  const { DATABASE_URL: _database, REDIS_URL: _redis, ...own } = process.env;
  const child = spawn(
    process.execPath,
    [
      `--import=${pathToFileURL(builtProgram('test/soak/report-process.ts')).href}`,
      builtProgram('program/cartwright.js'),
      'up',
      '--json',
      '--config',
      configFile,
    ],
    { env: { ...own, ...env }, stdio: ['ignore', 'pipe', 'pipe', 'ipc'], detached: true },
  );
  const ended = once(child, 'exit');
  const isRunning = () => child.exitCode === null && child.signalCode === null;

  const logged = new Map<string, number>();
  const lines: string[] = [];
  createInterface(child.stderr!).on('line', (line) => {
    lines.push(line);
    if (lines.length > 20) lines.shift();
    const message = /"msg":"([^"]+)"/.exec(line)?.[1];
    if (message !== undefined) logged.set(message, (logged.get(message) ?? 0) + 1);
  });
  let last: ProcessUse | undefined;
  let leastHeap = Number.POSITIVE_INFINITY;
  child.on('message', (use: ProcessUse) => {
    last = use;
    leastHeap = Math.min(leastHeap, use.heapBytes);
  });

  let printed = '';
  const consoleUrl = await new Promise<string>((resolve, reject) => {
    child.stdout!.on('data', (part: Buffer) => {
      printed += part.toString();
      const url = /"console": "([^"]+)"/.exec(printed)?.[1];
      if (url !== undefined) resolve(url);
    });
    child.once('exit', (code) =>
      reject(new Error(`cartwright up ended with ${code} instead of starting:\n${lines.join('\n')}`)),
    );
  });
  return {
    child,
    consoleUrl,
    use: () => {
      const use = last && { ...last, heapBytes: leastHeap };
      leastHeap = Number.POSITIVE_INFINITY;
      return use && Number.isFinite(use.heapBytes) ? use : last;
    },
    logged,
    isRunning,
    stop: async () => {
      if (!isRunning()) return;
      child.kill('SIGTERM');
      const limit = setTimeout(() => child.kill('SIGKILL'), stopLimitMs);
      await ended;
      clearTimeout(limit);
    },
  };
};
