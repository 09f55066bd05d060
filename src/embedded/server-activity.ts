import { open, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { ServerLocation } from './server-location.ts';

/** Opens the file before reading its state: network file systems refresh a file's attributes when it is opened. */
const fileState = async (file: string): Promise<string> => {
  const handle = await open(file, 'r').catch(() => undefined);
  if (!handle) return '';
  try {
    const { size, mtimeMs, ino } = await handle.stat();
    return `${ino} ${size} ${mtimeMs}`;
  } finally {
    await handle.close();
  }
};

/**
 * Everything that changes while a server starts, recovers, runs or stops. Compare two readings to detect activity;
 * times in it must not be compared with a clock, since clocks of hosts differ.
 */
export const readServerActivity = async (location: ServerLocation): Promise<string> => {
  const logs = await readdir(path.join(location.home, 'log')).catch(() => []);
  const files = [
    // On a full disk it stays empty, and only its modification time changes.
    'heartbeat',
    'cluster/postmaster.pid',
    'cluster/global/pg_control',
    ...logs.sort().map((name) => `log/${name}`),
  ];
  const states = await Promise.all(files.map((name) => fileState(path.join(location.home, name))));
  const texts = await Promise.all(
    ['host', 'heartbeat'].map((name) => readFile(path.join(location.home, name), 'utf8').catch(() => '')),
  );
  return [...texts, ...states].join('\n');
};
