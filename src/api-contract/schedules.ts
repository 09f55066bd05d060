import { z } from 'zod';
import { accountName, orNull, time } from './basics.ts';

const row = z.object({
  name: z.string().describe('As `cartwright schedule` shows it.'),
  account: accountName.nullable().describe('Null: it concerns all accounts.'),
  task: z.enum(['poll', 'report', 'take_files', 'expect_files', 'summary', 'backup', 'prune']),
  timing: z.string().describe('In words: `every 15 min`, or the cron pattern with its time zone.'),
  next: orNull(time, 'Null: known when a worker runs.'),
  last: orNull(time, 'When it last began or, for backup and prune, ended; null: never.'),
  result: z.enum(['running', 'done', 'failed', 'skipped']).nullable(),
  note: orNull(z.string(), 'Why it failed or was skipped.'),
  lastSuccess: time.nullable(),
});
export type ScheduleRow = z.infer<typeof row>;

/** `GET /schedules`. */
export const schedulesAnswer = z.object({
  schedules: z.array(row),
  closed: z
    .array(z.object({ account: accountName, why: z.string() }))
    .describe('Accounts that may not order at this time.'),
});
export type SchedulesAnswer = z.infer<typeof schedulesAnswer>;
