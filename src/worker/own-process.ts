import { createHash } from 'node:crypto';
import { readFile, readlink } from 'node:fs/promises';
import { hostname, uptime } from 'node:os';
import { isAlive } from '../is-alive.ts';

/** Identifies a process, together with its pid. */
export interface ProcessIdentity {
  /** The machine across boots. Machines that were copied can share it. */
  machine: string;
  /** The kernel's random ID of this boot; containers of one machine share it. */
  boot: string;
  /** The namespaces in which its pid and its start time count. */
  namespaces: string;
  /** When the process started, in clock ticks since the boot. */
  startedAt: string;
}

/** Another worker's process, and how long ago the ledger last heard from it. */
export interface OtherProcess {
  pid: number;
  process: ProcessIdentity;
  silentMs: number;
}

/** State and start time in /proc/PID/stat; undefined if it is missing or unreadable. The process name in it may contain any text. */
const readStat = async (pid: number): Promise<{ state: string; startedAt: string } | undefined> => {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields?.[0] && fields[19] ? { state: fields[0], startedAt: fields[19] } : undefined;
};

/** Undefined if a process cannot be identified with certainty: always, except on Linux. */
export const readOwnProcess = async (): Promise<ProcessIdentity | undefined> => {
  try {
    // In the /proc of another namespace this is another process, or none.
    const self = await readlink('/proc/self');
    const stat = await readStat(process.pid);
    if (self !== String(process.pid) || !stat) return undefined;
    const [boot, machineId, pids, times] = await Promise.all([
      readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
      readFile('/etc/machine-id', 'utf8').catch(() => ''),
      readlink('/proc/self/ns/pid'),
      // Older kernels have no time namespaces.
      readlink('/proc/self/ns/time').catch(() => ''),
    ]);
    const machine = [hostname(), machineId.trim() || boot.trim()].join('\n');
    return {
      machine: createHash('sha256').update(machine).digest('hex').slice(0, 24),
      boot: boot.trim(),
      namespaces: `${pids} ${times}`.trim(),
      startedAt: stat.startedAt,
    };
  } catch {
    return undefined;
  }
};

/** The pid namespace of a machine itself; a container has another one. */
const initialNamespace = 'pid:[4026531836]';
const isOnMachine = ({ namespaces }: ProcessIdentity): boolean => namespaces.startsWith(initialNamespace);

/**
 * Whether a process is certainly dead, as seen by `own`: its pid is gone, a zombie or another process, or its machine
 * was restarted after its last heartbeat. Never judges a pid of another namespace or machine: a living process may still
 * have calls in flight.
 */
export const isDead = async (
  other: OtherProcess,
  own: ProcessIdentity,
  uptimeMs: () => number = () => uptime() * 1000,
): Promise<boolean> => {
  const { process: was, pid } = other;
  if (was.boot !== own.boot) {
    // Cloned machines can share name and machine ID. A process that lives on one has sent a heartbeat since the other started.
    return was.machine === own.machine && isOnMachine(was) && isOnMachine(own) && other.silentMs > uptimeMs();
  }
  if (was.namespaces !== own.namespaces) return false;
  if (!isAlive(pid)) return true;
  const now = await readStat(pid);
  return now !== undefined && (now.startedAt !== was.startedAt || now.state === 'Z' || now.state === 'X');
};
