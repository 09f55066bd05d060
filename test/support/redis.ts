import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { findFreePort } from '../../src/embedded/free-port.ts';

export interface TestRedis {
  url: string;
  port: number;
  /** Ends the server and removes its data. Idempotent. */
  stop(): Promise<void>;
  /** kill -9. All acknowledged writes are on disk (appendonly). */
  kill(): Promise<void>;
  /** Restarts it on the same port with its saved data; after `kill`, or replacing a running server. */
  restart(): Promise<void>;
}

// The server ends with the shell's standard input, and so with its parent process, even if that is killed.
const leashed = '"$@" </dev/null & server=$!; exec 1>&-; cat >/dev/null; kill -9 $server; wait $server';

const launch = async (port: number, folder: string): Promise<ChildProcess | undefined> => {
  const settings = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const child = spawn(
    '/bin/sh',
    ['-c', leashed, 'sh', 'redis-server', ...settings, '--appendonly', 'yes', '--appendfsync', 'no'],
    { stdio: ['pipe', 'pipe', 'ignore'] },
  );
  child.once('error', () => {});
  for await (const line of createInterface(child.stdout)) {
    if (line.includes('Ready to accept connections')) {
      child.stdout.resume();
      return child;
    }
  }
  child.stdin.end();
  return undefined;
};

/**
 * A redis-server for the caller alone. Undefined if the program is not installed, which is an error in CI.
 */
export const startRedis = async (): Promise<TestRedis | undefined> => {
  const port = await findFreePort();
  const folder = await mkdtemp(path.join(tmpdir(), 'cartwright-redis-'));
  let child = await launch(port, folder);
  if (!child) {
    await rm(folder, { recursive: true, force: true });
    if (process.env.CI) throw new Error('redis-server does not start; CI must have it');
    return undefined;
  }
  const kill = async (): Promise<void> => {
    if (!child) return;
    const exited = once(child, 'exit');
    child.stdin?.end();
    await exited;
    child = undefined;
  };
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    kill,
    async restart() {
      await kill();
      child = await launch(port, folder);
      if (!child) throw new Error('redis-server did not start again');
    },
    async stop() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
