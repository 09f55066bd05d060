import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('../../dist/program/cartwright.js', import.meta.url));

export interface Ended {
  exitCode: number | null;
  out: string;
  err: string;
}

export interface RunningCli {
  child: ChildProcess;
  /** Resolves when this text was printed on standard output or standard error. */
  printed(words: string): Promise<void>;
  ended: Promise<Ended>;
}

export interface CliOptions {
  /** The working directory, with its cartwright.yaml and data folder. */
  cwd: string;
  env?: Record<string, string | undefined>;
}

const own = ['DATABASE_URL', 'REDIS_URL', 'CARTWRIGHT_CONFIG', 'CARTWRIGHT_DATA', 'CARTWRIGHT_BASE_URL'];

/** This process’ variables, without those that Cartwright reads. */
const withoutOwn = (): NodeJS.ProcessEnv => {
  const clean = { ...process.env, CARTWRIGHT_TOKEN: undefined, CARTWRIGHT_LOG_LEVEL: undefined };
  for (const name of own) delete (clean as Record<string, unknown>)[name];
  return clean;
};

/** Runs the real command line in its own process; uses the build of the run's setup, which starts twice as fast as the source. */
export const startCli = (args: readonly string[], { cwd, env = {} }: CliOptions): RunningCli =>
  listenTo(
    spawn(process.execPath, [main, ...args], {
      cwd,
      env: { ...withoutOwn(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  );

/** The same on a terminal (`script` of util-linux); write to `child.stdin` to type. */
export const startAtTerminal = (args: readonly string[], { cwd, env = {} }: CliOptions): RunningCli => {
  const command = [process.execPath, main, ...args].map((one) => `'${one}'`).join(' ');
  return listenTo(
    spawn('script', ['--quiet', '--return', '--flush', '--command', command, '/dev/null'], {
      cwd,
      env: { ...withoutOwn(), ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    }),
  );
};

const listenTo = (child: ChildProcess): RunningCli => {
  const texts = { out: '', err: '' };
  const waiting: { words: string; resolve: () => void }[] = [];
  const hear = (name: 'out' | 'err') => (chunk: Buffer) => {
    texts[name] += chunk.toString();
    for (const { words, resolve } of waiting) {
      if (texts.out.includes(words) || texts.err.includes(words)) resolve();
    }
  };
  child.stdout!.on('data', hear('out'));
  child.stderr!.on('data', hear('err'));
  const ended = once(child, 'close').then(([exitCode]) => ({
    exitCode: exitCode as number | null,
    ...texts,
  }));
  return {
    child,
    ended,
    printed: (words) =>
      Promise.race([
        new Promise<void>((resolve) => {
          waiting.push({ words, resolve });
          hear('out')(Buffer.alloc(0));
        }),
        ended.then(({ out, err }) => {
          if (!out.includes(words) && !err.includes(words)) {
            throw new Error(`it ended without printing "${words}":\n${out}\n${err}`);
          }
        }),
      ]),
  };
};

/** Runs a command to its end. */
export const runCli = (args: readonly string[], options: CliOptions): Promise<Ended> =>
  startCli(args, options).ended;
