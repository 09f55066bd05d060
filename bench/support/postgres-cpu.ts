import { readFile } from 'node:fs/promises';
import type pg from 'pg';

/** Clock ticks per second in /proc on Linux. */
const ticks = 100;

/** Processor time of a Postgres on this machine and its processes, including ended ones, in ms. Needs Linux. */
export const postgresCpuMs = async (pool: pg.Pool): Promise<number> => {
  const { rows } = await pool.query<{ pid: number }>('select pid from pg_stat_activity');
  const own = new Set(rows.map(({ pid }) => pid));
  const statOf = async (pid: number) => {
    const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    return text
      ?.slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
  };
  const postmaster = (await statOf([...own][0]!))![1]!;
  let sum = 0;
  for (const pid of own) {
    const fields = await statOf(pid);
    if (fields) sum += fields[11]! + fields[12]!;
  }
  // For the postmaster, include the time of ended connections.
  const fields = (await statOf(postmaster))!;
  sum += fields[11]! + fields[12]! + fields[13]! + fields[14]!;
  return (sum * 1000) / ticks;
};
