import { hostname } from 'node:os';
import type pg from 'pg';
import type { Account, Config } from '../config/config.ts';
import { lastRun } from '../config/next-runs.ts';
import { whyClosed } from '../config/opening-hours.ts';
import { plainCause } from '../errors.ts';
import {
  type Alarm,
  addSummary,
  isPlacing,
  knowSummaries,
  listNotPolled,
  recordAlarms,
} from '../ledger/notification-alarms.ts';
import { listStalled } from '../ledger/po/stalled.ts';
import { withLock } from '../ledger/with-lock.ts';
import { displayMoment } from '../reports/display-text.ts';
import { findFullDisks } from './full-disks.ts';
import { findBackupTrouble } from './look-for-backups.ts';
import { findMissingFiles } from './missing-files.ts';

const noWorkerForMs = 5 * 60_000;
const summaryLateMs = 3_600_000;

/** Alarm if there was no status check since this moment: longer ago than the setting, and two polls were missed. */
const polledSince = ({ schedule }: Account, pollsLateAfterMs: number, now: Date): Date => {
  const byRule = now.getTime() - pollsLateAfterMs;
  const bySchedule =
    'everyMs' in schedule.poll
      ? now.getTime() - 2 * schedule.poll.everyMs
      : lastRun(schedule.poll.cron, schedule.timeZone, now, 2).getTime();
  return new Date(Math.min(byRule, bySchedule));
};

const findLatePolls = async (
  pool: pg.Pool,
  { accounts, notifications }: Config,
  now: Date,
): Promise<Alarm[]> => {
  const since = accounts
    .filter(({ baseUrl }) => baseUrl !== undefined)
    .map((account) => ({
      account: account.name,
      since: polledSince(account, notifications.pollsLateAfterMs, now),
    }));
  const late = since.length === 0 ? [] : await listNotPolled(pool, since);
  return late.map(({ account, polledAt, note }) => ({
    key: account,
    account,
    subject: account,
    detail: `${polledAt ? `The last status check that succeeded was at ${displayMoment(polledAt)}` : 'No status check has succeeded yet'}${note ? ` (${plainCause(note)})` : ''}.`,
  }));
};

const findStalled = async (pool: pg.Pool, { accounts }: Config, now: Date): Promise<Alarm[]> => {
  const open = accounts.filter(({ schedule }) => whyClosed(schedule, now) === undefined);
  const stalled = await listStalled(
    pool,
    open.map(({ name }) => name),
  );
  return stalled.map(({ id, account, poNumber, since }) => ({
    key: id,
    account,
    subject: poNumber,
    detail: `No progress since ${displayMoment(since)}.`,
  }));
};

export interface AlarmLooks {
  /** Checks once and records the alarms. */
  look(now: Date): Promise<void>;
}

/**
 * Finds things that should have happened and did not, which nothing reports: docs/every-day.md, "Notifications".
 * @param reads accounts whose folders are here
 */
export const createAlarmLooks = (
  pool: pg.Pool,
  config: Config,
  reads: () => readonly string[] = () => [],
): AlarmLooks => {
  let noWorkerSince: Date | undefined;

  const lookForWorkers = async (now: Date): Promise<void> => {
    const placing = config.accounts.every(({ api }) => api === undefined) || (await isPlacing(pool));
    noWorkerSince = placing ? undefined : (noWorkerSince ?? now);
    const isLong = noWorkerSince !== undefined && now.getTime() - noWorkerSince.getTime() >= noWorkerForMs;
    await recordAlarms(
      pool,
      'no_worker',
      isLong
        ? [
            {
              key: 'all',
              account: null,
              subject: 'all accounts',
              detail: `No process has placed orders since ${displayMoment(noWorkerSince!)}.`,
            },
          ]
        : [],
    );
  };

  const addSummaries = async (now: Date): Promise<void> => {
    for (const { name, summary, timeZone, accounts } of config.notifications.routes) {
      if (summary === undefined) continue;
      const dueAt = lastRun(summary, timeZone, now);
      await knowSummaries(pool, name, dueAt);
      if (now.getTime() - dueAt.getTime() > summaryLateMs) continue;
      await addSummary(pool, {
        route: name,
        dueAt,
        accounts: accounts ?? config.accounts.map((account) => account.name),
      });
    }
  };

  return {
    look: async (now) => {
      // Each process sees other disks.
      await recordAlarms(pool, 'disk_full', await findFullDisks(config), `${hostname()} `);
      await lookForWorkers(now);
      await withLock(pool, 'alarms', async () => {
        const missing = await findMissingFiles(pool, config, reads(), now);
        await recordAlarms(pool, 'nothing_arrived', missing.alarms, missing.judged);
        await recordAlarms(pool, 'backup_failed', await findBackupTrouble(pool, config, now));
        await recordAlarms(pool, 'polls_late', await findLatePolls(pool, config, now));
        await recordAlarms(pool, 'po_stalled', await findStalled(pool, config, now));
        await addSummaries(now);
      });
    },
  };
};
