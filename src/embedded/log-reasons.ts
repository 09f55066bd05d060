import { open, readdir } from 'node:fs/promises';
import path from 'node:path';

const readBytes = 64 * 1024;
const mostReasons = 3;

const readEnd = async (file: string): Promise<string> => {
  const handle = await open(file, 'r');
  try {
    const { size } = await handle.stat();
    const from = Math.max(0, size - readBytes);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(size - from), 0, size - from, from);
    return buffer.subarray(0, bytesRead).toString('utf8');
  } finally {
    await handle.close();
  }
};

/** `2026-11-25 00:10:11.123 UTC [4711]  FATAL:  could not write …` */
const entry = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d+) UTC \[\d+\].*?((?:FATAL|PANIC|ERROR): .*)$/gm;

/**
 * The last errors in the server's log since a moment, oldest first; after its start it logs nothing else. Empty if there are
 * none, or if the log cannot be read.
 */
export const readLogReasons = async (folder: string, since: Date): Promise<string[]> => {
  try {
    const names = (await readdir(folder)).filter((name) => /^postgres-\w+\.log$/.test(name));
    const texts = await Promise.all(names.map((name) => readEnd(path.join(folder, name))));
    const reasons = texts
      .flatMap((text) => [...text.matchAll(entry)])
      .map(([, at, reason]) => ({ at: new Date(`${at!.replace(' ', 'T')}Z`), reason: reason!.trim() }))
      .filter(({ at }) => at >= since)
      .sort((one, other) => one.at.getTime() - other.at.getTime())
      .map(({ reason }) => reason);
    return [...new Set(reasons)].slice(-mostReasons);
  } catch {
    return [];
  }
};
