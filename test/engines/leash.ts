import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

// The server ends with the shell's standard input, and so with its parent process, even if that is killed.
const leashed = '"$@" </dev/null & server=$!; exec 1>&-; cat >/dev/null; kill -9 $server; wait $server';

export interface Leashed {
  /** The server's output so far. */
  output(): string;
  /** kill -9. Idempotent. */
  kill(): Promise<void>;
}

/** A user for servers that refuse to run as root; undefined if this process is not root. */
export const unprivileged = (): { uid: number; gid: number } | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const id = (what: string) => Number(execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }));
  return { uid: id('-u'), gid: id('-g') };
};

/** Starts a server on loopback; resolves when its port accepts connections, throws if it exits first. */
export const startLeashed = async (
  program: readonly string[],
  { port, as, cwd }: { port: number; as?: { uid: number; gid: number } | undefined; cwd?: string },
): Promise<Leashed> => {
  const child: ChildProcess = spawn('/bin/sh', ['-c', leashed, 'sh', ...program], {
    stdio: ['pipe', 'pipe', 'pipe'],
    ...as,
    ...(cwd ? { cwd } : {}),
  });
  let output = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.on('data', (text: Buffer) => {
      output = `${output}${text.toString()}`.slice(-20_000);
    });
  }
  const exited = once(child, 'exit');
  child.stdin!.on('error', () => {});
  const answers = () =>
    new Promise<boolean>((resolve) => {
      const socket = net.connect(port, '127.0.0.1');
      socket.once('connect', () => resolve(true));
      socket.once('error', () => resolve(false));
      socket.once('close', () => socket.destroy());
      setTimeout(() => socket.destroy(), 1_000).unref();
    });
  for (let tries = 0; !(await answers()); tries++) {
    if (child.exitCode !== null || tries > 300) {
      child.stdin!.end();
      throw new Error(`${program[0]} did not start: ${output}`);
    }
    await sleep(50);
  }
  return {
    output: () => output,
    async kill() {
      child.stdin!.end();
      await exited;
    },
  };
};
