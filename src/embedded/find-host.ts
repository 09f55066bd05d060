import { createHash } from 'node:crypto';
import { readFile, readlink } from 'node:fs/promises';
import { hostname, networkInterfaces } from 'node:os';

/** A machine or container: processes that share process ids, shared memory and the loopback interface. */
export interface Host {
  /** Differs between machines, boots of one machine, and containers; equal for all processes within one of them. */
  id: string;
  /** For messages; several hosts can have the same name. */
  name: string;
}

/**
 * Identifies the host as Postgres does when it protects its files: by process ids and shared memory. Two containers on
 * one machine are therefore two hosts, and a machine is another host after a restart.
 */
export const findHost = async (): Promise<Host> => {
  const name = hostname();
  const kernel = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    ...['pid', 'ipc', 'net'].map((namespace) => readlink(`/proc/self/ns/${namespace}`)),
  ]).catch(() => undefined);
  // Only Linux has these namespaces. Elsewhere the MAC addresses distinguish machines with the same name.
  const parts = kernel ?? [
    name,
    ...Object.values(networkInterfaces())
      .flatMap((cards) => cards ?? [])
      .map(({ mac }) => mac)
      .sort(),
  ];
  return { id: createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 24), name };
};
