import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { nextRuns } from '../config/next-runs.ts';
import { plainCause } from '../errors.ts';
import { readBackupState } from '../ledger/maintenance.ts';
import type { Alarm } from '../ledger/notification-alarms.ts';
import { displayMoment } from '../reports/display-text.ts';

/** So long a backup may take, and wait for a process that has an account's folder. */
const overdueMs = 3 * 3_600_000;

/**
 * When the first regular backup is due after the time for which the last one was made, in the past or in the future. Undefined:
 * no regular backups are configured. Pure.
 */
export const firstMissedBackup = (
  { backup: { folder, at } }: Pick<Config, 'backup'>,
  lastDueAt: Date,
): Date | undefined => {
  if (folder === undefined) return undefined;
  return nextRuns(at.cron, at.timeZone, lastDueAt, 1)[0];
};

/** Whether the last regular backup failed, or none was made for long after one was due. */
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
