import type { Account, Config, CronTime } from '../config/config.ts';

/** A schedule that is not a task of an account's queue. */
export interface OtherSchedule {
  name: string;
  /** Null: it concerns all accounts. */
  account: string | null;
  task: 'expect_files' | 'backup' | 'prune' | 'summary';
  at: CronTime;
}

/** The schedule of expected files of an account. Pure. */
export const expectedFiles = ({
  name: account,
  schedule: { expectFiles: cron, timeZone },
}: Account): (OtherSchedule & { account: string })[] =>
  cron === undefined
    ? []
    : [{ name: `${account}/expectFiles`, account, task: 'expect_files', at: { cron, timeZone } }];

/** The schedules of summaries, backups and the removal of old data. Pure. */
export const sharedSchedules = ({ backup, notifications }: Config): OtherSchedule[] => [
  ...notifications.routes.flatMap(({ name, summary: cron, timeZone }): OtherSchedule[] =>
    cron === undefined
      ? []
      : [{ name: `summary to ${name}`, account: null, task: 'summary', at: { cron, timeZone } }],
  ),
  ...(backup.folder === undefined
    ? []
    : [{ name: 'backup', account: null, task: 'backup' as const, at: backup.at }]),
  { name: 'prune', account: null, task: 'prune', at: backup.at },
];
