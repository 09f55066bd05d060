import { open, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Place } from './place.ts';

/** Opened and not only asked for its time: network file systems fetch news of a file when it is opened. */
const lookAt = async (file: string): Promise<string> => {
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
 * Everything that changes while a server starts, recovers, runs or stops. It is compared with itself a moment later,
 * never with a clock: hosts may disagree about the time.
 */
export const signsOfLife = async (place: Place): Promise<string> => {
  const logs = await readdir(path.join(place.home, 'log')).catch(() => []);
  const files = [
    // On a full disk it stays empty, and only its time changes.
    'heartbeat',
    'cluster/postmaster.pid',
    'cluster/global/pg_control',
    ...logs.sort().map((name) => `log/${name}`),
  ];
  const looks = await Promise.all(files.map((name) => lookAt(path.join(place.home, name))));
  const texts = await Promise.all(
    ['host', 'heartbeat'].map((name) => readFile(path.join(place.home, name), 'utf8').catch(() => '')),
  );
  return [...texts, ...looks].join('\n');
};
