import type pg from 'pg';
import type { Account } from '../config/config.ts';
import { lastRun, startOfDay } from '../config/next-runs.ts';
import { listMaintenance } from '../ledger/maintenance.ts';
import { listWithoutFiles } from '../ledger/notification-alarms.ts';
import { listLastSummaries } from '../ledger/notifications.ts';
import { expectedFiles } from './other-schedules.ts';

/** The last run of a schedule that is not a worker's task. */
export interface OtherRun {
  at: Date | null;
  result: 'done' | 'failed' | null;
  note: string | null;
}

/** By schedule name: the last expectation of files and whether one arrived, and the last summaries, backups and removals. */
export const readOtherRuns = async (
  pool: pg.Pool,
  accounts: readonly Account[],
  now: Date,
): Promise<Map<string, OtherRun>> => {
  const expected = accounts.flatMap(expectedFiles).map(({ name, account, at: { cron, timeZone } }) => {
    const at = lastRun(cron, timeZone, now);
    return { name, account, at, since: startOfDay(timeZone, at) };
  });
  const without = expected.length === 0 ? [] : await listWithoutFiles(pool, expected);
  const runs = new Map<string, OtherRun>(
    expected.map(({ name, account, at }) => [
      name,
      without.includes(account)
        ? { at, result: 'failed', note: 'No file has come that day.' }
        : { at, result: 'done', note: null },
    ]),
  );
  for (const { route, at, deliveredAt, error } of await listLastSummaries(pool))
    runs.set(
      `summary to ${route}`,
      deliveredAt
        ? { at: deliveredAt, result: 'done', note: null }
        : { at, result: error === undefined ? null : 'failed', note: error ?? 'It waits to be sent.' },
    );
  for (const { task, endedAt: at, failedBecause: note } of await listMaintenance(pool))
    runs.set(task, { at, result: note === null ? 'done' : 'failed', note });
  return runs;
};
