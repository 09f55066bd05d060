import { type ChildProcess, spawn } from 'node:child_process';
import { chown, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { isAlive } from '../is-alive.ts';
import { clusterOf } from './initialise-cluster.ts';
import { readLogReasons } from './log-reasons.ts';
import { plainEnvironment, runProgram } from './programs.ts';
import type { ServerLocation } from './server-location.ts';

/** The content of postmaster.pid, which exists while Postgres runs, and after a kill. */
export interface PidFile {
  pid: number;
  /** 0 until the server has written it. */
  port: number;
  text: string;
}

const pidFileOf = (location: ServerLocation): string => path.join(clusterOf(location), 'postmaster.pid');

export const readPidFile = async (location: ServerLocation): Promise<PidFile | undefined> => {
  const text = await readFile(pidFileOf(location), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  const [pid, , , port] = text.split('\n');
  return { pid: Number(pid) || 0, port: Number(port) || 0, text };
};

/**
 * The port at which this cluster's server last listened, even after a crash or a clean stop: its clients wait for it
 * there. Postgres writes its arguments to a file once it listens, and keeps the file.
 */
export const readLastPort = async (location: ServerLocation): Promise<number | undefined> => {
  const file = path.join(clusterOf(location), 'postmaster.opts');
  const text = await readFile(file, 'utf8').catch(() => '');
  const port = /"port=(\d+)"/.exec(text)?.[1];
  return port === undefined ? undefined : Number(port);
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
 * Removes the pid file of a killed server if its process id now belongs to another program (usual after a container
 * restart), which Postgres would take for a running server. Should processes of the old server still run, Postgres
 * detects them by its shared memory.
 *
 * @returns whether the file was removed
 */
export const removeStalePidFile = async (location: ServerLocation, seen: PidFile): Promise<boolean> => {
  if (seen.pid === 0 || !isAlive(seen.pid)) return false;
  const command = await commandOf(seen.pid);
  if (command === undefined || command.includes('postgres')) return false;
  if ((await readPidFile(location))?.text !== seen.text) return false;
  await rm(pidFileOf(location), { force: true });
  return true;
};

const settings = (location: ServerLocation, port: number, durable: boolean): string[] =>
  Object.entries({
    listen_addresses: '127.0.0.1',
    port: String(port),
    // A socket's path is limited to 107 bytes; a data folder's path can be longer.
    unix_socket_directories: '',
    max_connections: '400',
    // With less, the pages of a large staged file are written out and read back during its import.
    shared_buffers: '256MB',
    // The default, 1/32 of shared_buffers, is too small for the write rate of a large import.
    wal_buffers: '16MB',
    synchronous_commit: 'on',
    fsync: durable ? 'on' : 'off',
    full_page_writes: durable ? 'on' : 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // A container's /dev/shm has 64 MB, which parallel queries can exceed.
    max_parallel_workers_per_gather: '0',
    // The default is for spinning disks: with it, a page of a list reads and sorts three times the rows that its index has in order.
    random_page_cost: '1.1',
    // One file for each weekday, overwritten after a week.
    logging_collector: 'on',
    log_directory: path.join(location.home, 'log'),
    log_filename: 'postgres-%a.log',
    log_rotation_age: '1d',
    log_rotation_size: '0',
    log_truncate_on_rotation: 'on',
    log_line_prefix: '%m [%p] %a ',
    log_checkpoints: 'off',
    // During a long recovery other hosts see from the log that the server is active.
    log_startup_progress_interval: '2s',
    // Statements and details contain customers' addresses, which must not be logged.
    log_min_error_statement: 'panic',
    log_error_verbosity: 'terse',
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);

/** The server's output before its own log is open. */
const startLogOf = (location: ServerLocation): string => path.join(location.home, 'log', 'start.log');
const startLogLimitBytes = 1_000_000;

/**
 * Starts Postgres on the cluster, in its own process group so that Ctrl-C in a terminal does not reach it. If a server
 * already runs on the cluster, the new one exits at once; this is an expected outcome.
 *
 * @returns `ended` resolves with the server's output if it exits before `release` is called
 */
export const spawnPostmaster = async (
  location: ServerLocation,
  options: { port: number; durable: boolean },
): Promise<{ ended: Promise<string>; release(): void; quit(): void }> => {
  const file = startLogOf(location);
  // Remembers where this attempt's output begins, to separate it from that of earlier attempts.
  const handle = await open(file, 'a', 0o600);
  if ((await handle.stat()).size > startLogLimitBytes) await handle.truncate();
  const from = (await handle.stat()).size;
  if (location.serverUser) await chown(file, location.serverUser.uid, location.serverUser.gid);
  const startedAt = new Date();
  let child: ChildProcess;
  let ended: Promise<string>;
  try {
    child = spawn(
      location.programs.postgres,
      ['-D', clusterOf(location), ...settings(location, options.port, options.durable)],
      {
        ...location.serverUser,
        cwd: location.home,
        env: plainEnvironment,
        detached: true,
        stdio: ['ignore', handle.fd, handle.fd],
        windowsHide: true,
      },
    );
    // Must be set up before the first await: a process that exits at once would be missed.
    ended = new Promise((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', async () => {
        const output = await readFile(file).catch(() => Buffer.alloc(0));
        const own = output.subarray(from).toString('utf8').trim();
        resolve([own, ...(await readLogReasons(path.dirname(file), startedAt))].filter(Boolean).join('\n'));
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

/** Ends our server at once, without a clean shutdown: another host has its files now. */
export const quitPostmaster = async (pid: number): Promise<void> => {
  if (!isAlive(pid) || !(await commandOf(pid))?.includes('postgres')) return;
  process.kill(pid, 'SIGQUIT');
};

/** Stops the server and waits until it has exited; open transactions are rolled back. */
export const stopPostmaster = async (
  location: ServerLocation,
): Promise<{ exitCode: number; output: string }> =>
  runProgram(location.programs.pgCtl, ['stop', '-D', clusterOf(location), '-m', 'fast', '-w', '-t', '60'], {
    as: location.serverUser,
    cwd: location.home,
    timeoutMs: 70_000,
  });
