import { createHash } from 'node:crypto';
import { readFile, readlink } from 'node:fs/promises';
import { hostname, networkInterfaces } from 'node:os';

/** Who shares process numbers, shared memory and loopback with us. */
export interface Host {
  /** Differs between machines, boots of one machine, and containers; the same for all processes of one of them. */
  id: string;
  /** For people; several hosts may have the same name. */
  name: string;
}

/**
 * Identifies the host in the sense in which Postgres protects its files: by process numbers and shared memory.
 * Two containers of one kernel are therefore two hosts, and a machine that was restarted is another host.
 */
export const findHost = async (): Promise<Host> => {
  const name = hostname();
  const kernel = await Promise.all([
    readFile('/proc/sys/kernel/random/boot_id', 'utf8'),
    ...['pid', 'ipc', 'net'].map((namespace) => readlink(`/proc/self/ns/${namespace}`)),
  ]).catch(() => undefined);
  // Systems other than Linux have no such namespaces; there the network cards tell machines of one name apart.
  const parts = kernel ?? [
    name,
    ...Object.values(networkInterfaces())
      .flatMap((cards) => cards ?? [])
      .map(({ mac }) => mac)
      .sort(),
  ];
  return { id: createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 24), name };
};
