import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { Account, Config } from '../config/config.ts';
import { lastRun, startOfDay } from '../config/next-runs.ts';
import { whyClosed } from '../config/opening-hours.ts';
import { isIgnoredName } from '../intake/inbox/ready-files.ts';
import { type Alarm, listWithoutFiles } from '../ledger/notification-alarms.ts';
import { listWorkers } from '../ledger/workers.ts';
import { displayMoment } from '../reports/display-text.ts';

/** A process that starts later than this does not report the missing file. */
const arrivalKnownForMs = 12 * 3_600_000;

/** When the last file was expected; undefined if none is, or if that was long ago. */
const expectedAt = ({ schedule }: Account, now: Date): Date | undefined => {
  if (schedule.expectFiles === undefined) return undefined;
  const at = lastRun(schedule.expectFiles, schedule.timeZone, now);
  // On a holiday nobody sends files.
  if (whyClosed({ ...schedule, open: undefined }, at) !== undefined) return undefined;
  return now.getTime() - at.getTime() < arrivalKnownForMs ? at : undefined;
};

/** Whether a file is in the inbox and waits for the opening hours, for `takeFiles` or to be complete. */
const hasWaitingFile = async ({ folder }: Account): Promise<boolean> => {
  const names = await readdir(join(folder, 'inbox')).catch(() => []);
  return names.some((name) => !isIgnoredName(name));
};

/**
 * Accounts whose file has not arrived in time, among those that this process can judge: only the process with the folder sees
 * what waits in the inbox. If no running worker has the folder, every process judges.
 *
 * @param reads accounts whose folders are here
 */
export const findMissingFiles = async (
  pool: pg.Pool,
  { accounts }: Pick<Config, 'accounts'>,
  reads: readonly string[],
  now: Date,
): Promise<{ judged: string[]; alarms: Alarm[] }> => {
  const expecting = accounts.filter(({ schedule }) => schedule.expectFiles !== undefined);
  if (expecting.length === 0) return { judged: [], alarms: [] };
  const elsewhere = new Set((await listWorkers(pool)).flatMap((worker) => worker.reads));
  const judged = expecting.filter(
    ({ name, sftp, schedule }) =>
      (reads.includes(name) || !elsewhere.has(name)) &&
      // The SFTP server is not polled while the account is closed.
      (sftp?.fetch === undefined || whyClosed(schedule, now) === undefined),
  );
  const expected = judged.flatMap((account) => {
    const at = expectedAt(account, now);
    return at ? [{ account: account.name, at, since: startOfDay(account.schedule.timeZone, at) }] : [];
  });
  const without = expected.length === 0 ? [] : await listWithoutFiles(pool, expected);
  const alarms: Alarm[] = [];
  for (const { account, at, since } of expected) {
    if (!without.includes(account)) continue;
    const settings = judged.find(({ name }) => name === account)!;
    if (reads.includes(account) && (await hasWaitingFile(settings))) continue;
    alarms.push({
      key: `${account} ${at.toISOString()}`,
      account,
      subject: account,
      detail: `A file should have come by ${displayMoment(at)}; none has since ${displayMoment(since)}.`,
    });
  }
  return { judged: judged.map(({ name }) => name), alarms };
};
