import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { nextRuns } from '../config/next-runs.ts';
import { plainCause } from '../errors.ts';
import { readBackupState } from '../ledger/maintenance.ts';
import type { Alarm } from '../ledger/notification-alarms.ts';
import { displayMoment } from '../reports/display-text.ts';

/** Time for a backup to run, and to wait for a process that has an account's folder. */
const overdueMs = 3 * 3_600_000;

/**
 * The due time of the regular backup that follows the last one made; may be in the past. Undefined: no regular backups are
 * configured. Pure.
 */
export const firstMissedBackup = (
  { backup: { folder, at } }: Pick<Config, 'backup'>,
  lastDueAt: Date,
): Date | undefined => {
  if (folder === undefined) return undefined;
  return nextRuns(at.cron, at.timeZone, lastDueAt, 1)[0];
};

/** Finds out whether the last regular backup failed or is long overdue. */
export const findBackupTrouble = async (
  pool: pg.Pool,
  config: Pick<Config, 'backup'>,
  now: Date,
): Promise<(Alarm & { failed: boolean })[]> => {
  const { folder } = config.backup;
  const state = folder === undefined ? undefined : await readBackupState(pool);
  if (folder === undefined || state === undefined) return [];
  const { doneFor, failedBecause } = state;
  const due = doneFor && firstMissedBackup(config, doneFor);
  const isOverdue = due !== undefined && now.getTime() - due.getTime() > overdueMs;
  if (failedBecause === undefined && !isOverdue) return [];
  const last = doneFor
    ? `The last one that was made was due at ${displayMoment(doneFor)}`
    : 'None has been made yet';
  const why =
    failedBecause === undefined
      ? 'No process has made it.'
      : `${plainCause(failedBecause).replace(/\.$/, '')}.`;
  return [
    {
      key: 'backup',
      account: null,
      subject: folder,
      detail: `${why} ${last}.`,
      failed: failedBecause !== undefined,
    },
  ];
};
