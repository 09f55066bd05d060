import type pg from 'pg';
import type { Account } from '../config/config.ts';
import { lastRun, startOfDay } from '../config/next-runs.ts';
import { listWithoutFiles } from '../ledger/notification-alarms.ts';
import { listLastSummaries } from '../ledger/notifications.ts';
import type { OtherRun } from './other-schedules.ts';

/** The last times by which files were expected, with whether one had come, and the last summaries; by the name of the schedule. */
export const readOtherRuns = async (
  pool: pg.Pool,
  accounts: readonly Account[],
  now: Date,
): Promise<Map<string, OtherRun>> => {
  const expected = accounts.flatMap(({ name, schedule: { expectFiles, timeZone } }) => {
    if (expectFiles === undefined) return [];
    const at = lastRun(expectFiles, timeZone, now);
    return [{ account: name, at, since: startOfDay(timeZone, at) }];
  });
  const without = expected.length === 0 ? [] : await listWithoutFiles(pool, expected);
  const runs = new Map<string, OtherRun>(
    expected.map(({ account, at }) => [
      `${account}/expectFiles`,
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
  return runs;
};
