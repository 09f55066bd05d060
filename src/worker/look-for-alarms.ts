import { stat, statfs } from 'node:fs/promises';
import { hostname } from 'node:os';
import type pg from 'pg';
import type { Account, Config } from '../config/config.ts';
import { lastRun, startOfDay } from '../config/next-runs.ts';
import { whyClosed } from '../config/opening-hours.ts';
import { plainCause } from '../errors.ts';
import {
  type Alarm,
  addSummary,
  isPlacing,
  listNotPolled,
  listWithoutFiles,
  recordAlarms,
} from '../ledger/notification-alarms.ts';
import { withLock } from '../ledger/with-lock.ts';

/** A process that starts later does not tell about it. */
const arrivalKnownForMs = 12 * 3_600_000;
const noWorkerForMs = 5 * 60_000;
const summaryLateMs = 3_600_000;

const utc = (at: Date): string => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;

/** When a file should have arrived last; undefined where none is expected, or that was long ago. */
const expectedAt = ({ schedule }: Account, now: Date): Date | undefined => {
  if (schedule.expectFiles === undefined) return undefined;
  const at = lastRun(schedule.expectFiles, schedule.timeZone, now);
  // On a holiday nobody sends files.
  if (whyClosed({ ...schedule, open: undefined }, at) !== undefined) return undefined;
  return now.getTime() - at.getTime() < arrivalKnownForMs ? at : undefined;
};

const findMissingFiles = async (pool: pg.Pool, { accounts }: Config, now: Date): Promise<Alarm[]> => {
  const expected = accounts.flatMap((account) => {
    const at = expectedAt(account, now);
    return at ? [{ account: account.name, at, since: startOfDay(account.schedule.timeZone, at) }] : [];
  });
  const missing = expected.length === 0 ? [] : await listWithoutFiles(pool, expected);
  return expected
    .filter(({ account }) => missing.includes(account))
    .map(({ account, at, since }) => ({
      key: `${account} ${at.toISOString()}`,
      account,
      subject: account,
      detail: `A file should have come by ${utc(at)}; none has since ${utc(since)}.`,
    }));
};

/** No status check since then is too long ago: by the setting, and for two times of the schedule. */
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
    detail: `${polledAt ? `The last status check that succeeded was at ${utc(polledAt)}` : 'No status check has succeeded yet'}${note ? ` (${plainCause(note)})` : ''}.`,
  }));
};

/** The folders of this machine whose disk is nearly full, one for each disk. */
const findFullDisks = async ({ dataFolder, accounts, notifications }: Config): Promise<Alarm[]> => {
  const host = hostname();
  const seen = new Set<number>();
  const full: Alarm[] = [];
  for (const folder of [dataFolder, ...accounts.map((account) => account.folder)]) {
    try {
      const { dev } = await stat(folder);
      if (seen.has(dev)) continue;
      seen.add(dev);
      const { bavail, blocks, bsize } = await statfs(folder);
      const percent = blocks === 0 ? 100 : (bavail / blocks) * 100;
      if (percent >= notifications.diskFreeBelow) continue;
      full.push({
        key: `${host} ${folder}`,
        account: null,
        subject: `${folder} on ${host}`,
        detail: `${percent.toFixed(1)} % is free (${((bavail * bsize) / 1024 ** 3).toFixed(1)} GiB).`,
      });
    } catch {
      // A folder that cannot be used has its own message.
    }
  }
  return full;
};

export interface AlarmLooks {
  /** Looks once, and records what it finds. */
  look(now: Date): Promise<void>;
}

/** Looks for what no program reports, because it is something that did not happen: docs/operating.md, "Being told". */
export const createAlarmLooks = (pool: pg.Pool, config: Config): AlarmLooks => {
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
              detail: `No process has placed orders since ${utc(noWorkerSince!)}.`,
            },
          ]
        : [],
    );
  };

  const addSummaries = async (now: Date): Promise<void> => {
    for (const { name, summary, timeZone, accounts } of config.notifications.routes) {
      if (summary === undefined) continue;
      const dueAt = lastRun(summary, timeZone, now);
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
        await recordAlarms(pool, 'nothing_arrived', await findMissingFiles(pool, config, now));
        await recordAlarms(pool, 'polls_late', await findLatePolls(pool, config, now));
        await addSummaries(now);
      });
    },
  };
};
