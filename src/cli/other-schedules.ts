import type { Account, Config, CronTime } from '../config/config.ts';

/** Something that happens by the clock and is no task of an account's queue. */
export interface OtherSchedule {
  name: string;
  /** Null: it concerns all accounts. */
  account: string | null;
  task: 'expect_files' | 'backup' | 'prune' | 'summary';
  at: CronTime;
}

/** When files are expected of an account. Pure. */
export const expectedFiles = ({
  name: account,
  schedule: { expectFiles: cron, timeZone },
}: Account): (OtherSchedule & { account: string })[] =>
  cron === undefined
    ? []
    : [{ name: `${account}/expectFiles`, account, task: 'expect_files', at: { cron, timeZone } }];

/** When summaries are sent, backups are made, and old data is removed. Pure. */
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
