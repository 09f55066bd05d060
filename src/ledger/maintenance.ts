import type pg from 'pg';
import { clockSkewMs } from '../clock-skew.ts';
import { changesOne, execute, filledRows, rowsOf } from './query.ts';

/** Work that one process does regularly. */
export interface MaintenanceTask {
  task: string;
  endedAt: Date | null;
  result: string | null;
  /** Why the last run failed; it is tried again after `retryMinutesOf`. */
  failedBecause: string | null;
}

const claimMinutes = 15;

/** A backup that fails may write gigabytes before it does. */
export const retryMinutesOf = (task: string): number => (task === 'backup' ? 60 : 10);

/**
 * Claims work that was due at `due` for 15 minutes; false if it is done, claimed, or has just failed. Times in the future date from before
 * the clock was set back and are ignored.
 */
export const claimTask = (pool: pg.Pool, task: string, due: Date): Promise<boolean> =>
  changesOne(
    pool,
    `insert into maintenance as m (task, claimed_until) values ($1, clock_timestamp() + interval '${claimMinutes} minutes')
     on conflict (task) do update set claimed_until = excluded.claimed_until
       where (m.done_for is null or m.done_for < $2 or m.done_for > $3)
         and (m.claimed_until is null or m.claimed_until < clock_timestamp()
           or m.claimed_until > clock_timestamp() + interval '2 hours')`,
    [task, due, new Date(Date.now() + clockSkewMs)],
  );

/** Renews a claim while the work runs. */
export const keepTask = (pool: pg.Pool, task: string): Promise<void> =>
  execute(
    pool,
    `update maintenance set claimed_until = clock_timestamp() + interval '${claimMinutes} minutes' where task = $1`,
    [task],
  );

/** Records the end of a run. After a failure it is tried again after `retryMinutesOf`. */
export const endTask = async (
  pool: pg.Pool,
  task: string,
  outcome: { doneFor: Date; result: string } | { failedBecause: string },
): Promise<void> => {
  const done = 'doneFor' in outcome ? outcome : undefined;
  await pool.query(
    `update maintenance set ended_at = clock_timestamp(), done_for = coalesce($2, done_for), result = coalesce($3, result),
       failed_because = $4, claimed_until = case when $4::text is not null then clock_timestamp() + $5 * interval '1 minute' end
     where task = $1`,
    [
      task,
      done?.doneFor ?? null,
      done?.result ?? null,
      'failedBecause' in outcome ? outcome.failedBecause : null,
      retryMinutesOf(task),
    ],
  );
};

/** Releases the claim of interrupted work, so that another process can do it at once. */
export const releaseTask = (pool: pg.Pool, task: string): Promise<void> =>
  execute(pool, 'update maintenance set claimed_until = null where task = $1', [task]);

/** The regular backup: the due time of the last one made, and why later attempts failed; undefined: none was attempted. */
export const readBackupState = async (
  pool: pg.Pool,
): Promise<{ doneFor: Date | undefined; failedBecause: string | undefined } | undefined> => {
  const [row] = await filledRows<{ doneFor: Date | undefined; failedBecause: string | undefined }>(
    pool,
    `select done_for as "doneFor", failed_because as "failedBecause" from maintenance where task = 'backup'`,
  );
  return row;
};

/** The last run of each task, and its failure if there was one. */
export const listMaintenance = (pool: pg.Pool): Promise<MaintenanceTask[]> =>
  rowsOf(
    pool,
    `select task, ended_at as "endedAt", result, failed_because as "failedBecause" from maintenance
     where ended_at is not null order by task`,
  );
