import { type ChildProcess, spawn } from 'node:child_process';
import { chown, open, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { clusterOf } from './initialise.ts';
import type { Place } from './place.ts';
import { plainEnvironment, runProgram } from './programs.ts';

/** What stands in the file by which Postgres says that it runs. Present also after a kill. */
export interface PostmasterFile {
  pid: number;
  /** 0 while the server has not come so far. */
  port: number;
  text: string;
}

const pidFileOf = (place: Place): string => path.join(clusterOf(place), 'postmaster.pid');

export const readPostmasterFile = async (place: Place): Promise<PostmasterFile | undefined> => {
  const text = await readFile(pidFileOf(place), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const [pid, , , port] = text.split('\n');
  return { pid: Number(pid) || 0, port: Number(port) || 0, text };
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
};

const commandOf = async (pid: number): Promise<string | undefined> => {
  if (process.platform === 'linux') return readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => undefined);
  const { exitCode, output } = await runProgram('ps', ['-p', String(pid), '-o', 'command='], {
    cwd: '/',
    timeoutMs: 10_000,
  });
  return exitCode === 0 ? output : undefined;
};

/**
 * Removes the file of a server that was killed when its process number now belongs to another program
 * (usual after a restart of a container), which Postgres itself takes for a running server. Processes
 * of the old server that still live are caught by Postgres' second guard, its shared memory.
 *
 * @returns whether it was removed
 */
export const removeStaleFile = async (place: Place, seen: PostmasterFile): Promise<boolean> => {
  if (seen.pid === 0 || !isAlive(seen.pid)) return false;
  const command = await commandOf(seen.pid);
  if (command === undefined || command.includes('postgres')) return false;
  if ((await readPostmasterFile(place))?.text !== seen.text) return false;
  await rm(pidFileOf(place), { force: true });
  return true;
};

const listenOnce = (wanted: number): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(wanted, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });

/** A port of 127.0.0.1 that was free a moment ago. */
export const findFreePort = (): Promise<number> => listenOnce(0);

/** Systems take the ports of outgoing connections from above this range. */
const serverPorts = { first: 20_000, count: 12_000 };

/**
 * A free port for a server that has to come back at it: an outgoing connection never takes it while the server is down,
 * and whoever waits for the server there would wait in vain.
 */
export const findServerPort = async (): Promise<number> => {
  for (let tries = 0; tries < 100; tries += 1) {
    const port = serverPorts.first + Math.floor(Math.random() * serverPorts.count);
    const free = await listenOnce(port).catch(() => undefined);
    if (free !== undefined) return free;
  }
  return findFreePort();
};

const settings = (place: Place, port: number, durable: boolean): string[] =>
  Object.entries({
    listen_addresses: '127.0.0.1',
    port: String(port),
    // A socket's path may have 107 bytes, a data folder's more.
    unix_socket_directories: '',
    max_connections: '200',
    // Where a large file is staged: with less, its pages are written out and read in again meanwhile.
    shared_buffers: '256MB',
    // A large import writes it faster than its default, a thirty-second of the shared buffers, takes.
    wal_buffers: '16MB',
    synchronous_commit: 'on',
    fsync: durable ? 'on' : 'off',
    full_page_writes: durable ? 'on' : 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // A container's /dev/shm has 64 MB, which parallel queries overrun.
    max_parallel_workers_per_gather: '0',
    // One file for each day of the week, each begun anew after a week.
    logging_collector: 'on',
    log_directory: path.join(place.home, 'log'),
    log_filename: 'postgres-%a.log',
    log_rotation_age: '1d',
    log_rotation_size: '0',
    log_truncate_on_rotation: 'on',
    log_line_prefix: '%m [%p] %a ',
    log_checkpoints: 'off',
    // A server that recovers for long shows other hosts by its log that it lives.
    log_startup_progress_interval: '2s',
    // Statements and details hold customers' addresses: they have no place in a log.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** Where the server's first words go, before its own log is open. */
const startLogOf = (place: Place): string => path.join(place.home, 'log', 'start.log');
const startLogLimitBytes = 1_000_000;

/**
 * Starts Postgres on the cluster, in a process group of its own so that Ctrl-C in a terminal does not hit
 * it. Two on one cluster are impossible: the second one ends at once, which is an expected outcome.
 *
 * @returns `ended` settles with the server's first words when it ends before `release` was called
 */
export const spawnPostmaster = async (
  place: Place,
  options: { port: number; durable: boolean },
): Promise<{ ended: Promise<string>; release(): void; quit(): void }> => {
  const file = startLogOf(place);
  // Each try has a beginning of its own in the file, so that its words can be told from another's.
  const handle = await open(file, 'a', 0o600);
  if ((await handle.stat()).size > startLogLimitBytes) await handle.truncate();
  const from = (await handle.stat()).size;
  if (place.serverUser) await chown(file, place.serverUser.uid, place.serverUser.gid);
  let child: ChildProcess;
  let ended: Promise<string>;
  try {
    child = spawn(
      place.programs.postgres,
      ['-D', clusterOf(place), ...settings(place, options.port, options.durable)],
      {
        ...place.serverUser,
        cwd: place.home,
        env: plainEnvironment,
        detached: true,
        stdio: ['ignore', handle.fd, handle.fd],
        windowsHide: true,
      },
    );
    // Before anything is waited for: one that ends at once would never be heard of.
    ended = new Promise((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', async () => {
        const words = await readFile(file).catch(() => Buffer.alloc(0));
        resolve(words.subarray(from).toString('utf8').trim());
      });
    });
  } finally {
    await handle.close();
  }
  return {
    ended,
    release() {
      child.removeAllListeners();
      child.on('error', () => {});
      child.unref();
    },
    quit() {
      child.kill('SIGQUIT');
    },
  };
};

/** Ends a server of ours at once, without its shutdown: another host has its files now. */
export const quitPostmaster = async (pid: number): Promise<void> => {
  if (!isAlive(pid) || !(await commandOf(pid))?.includes('postgres')) return;
  process.kill(pid, 'SIGQUIT');
};

/** Stops the server of the place and waits for its end; transactions still open are rolled back. */
export const stopPostmaster = async (place: Place): Promise<{ exitCode: number; output: string }> =>
  runProgram(place.programs.pgCtl, ['stop', '-D', clusterOf(place), '-m', 'fast', '-w', '-t', '60'], {
    as: place.serverUser,
    cwd: place.home,
    timeoutMs: 70_000,
  });
