import { z } from 'zod';
import { accountName, givenTime, note, orNull, stateCounts, time } from './basics.ts';

export const scheduleKinds = ['poll', 'report', 'take_files'] as const;
export const scheduleKind = z
  .enum(scheduleKinds)
  .describe('poll: order statuses. report: the status report. take_files: pick up files.');

export type ScheduleKind = z.infer<typeof scheduleKind>;

const pause = z.object({
  code: z.string(),
  reason: z.string(),
  remedy: z.string().describe('What ends the pause, and what a person can do about it, in sentences.'),
  byOperator: z.boolean().describe('True: only a person ends it.'),
  since: time.nullable(),
  until: orNull(time, 'When it is tried again without a person; null: only when a person resumes it.'),
});

export const schedule = z.object({
  kind: scheduleKind,
  timing: z
    .string()
    .describe(
      'In words: `every 15 min`, `Monday to Friday at 06:00 (Europe/Berlin)`. A pattern that has no short words stays as it is.',
    ),
  lastAt: orNull(time, 'When it last began; null: never.'),
  lastResult: orNull(
    z.enum(['running', 'done', 'failed', 'skipped']),
    'How its last run ended; null: it never ran.',
  ),
  lastNote: orNull(z.string(), 'Why it failed or was skipped.'),
  nextAt: orNull(time, 'Null: the queue does not know, because no worker has set the schedule yet.'),
});

export const accountSummary = z.object({
  account: accountName,
  state: z
    .enum(['working', 'paused', 'troubled', 'not_configured'])
    .describe(
      'troubled: no worker can serve it. not_configured: in no configuration any more, but the ledger has work of it.',
    ),
  sentence: z.string().describe('How the account is, in one sentence.'),
  pause: pause.nullable(),
  troubles: z.array(z.string()).describe('Why its POs or files are not processed, one sentence each.'),
  states: stateCounts.describe('POs by state. Counting ends at 10,001: show that as "10,000+".'),
  alarms: z.int(),
  unread: z.int().describe('Files that were picked up and are not read yet.'),
  polledAt: time.nullable(),
  pollNote: orNull(z.string(), 'Why the last status check failed.'),
  timeZone: orNull(
    z.string(),
    'IANA zone of its schedules: times of this account are shown in it. Null: not configured.',
  ),
  canPause: z.boolean(),
  canResume: z.boolean(),
});
export type AccountSummary = z.infer<typeof accountSummary>;
/** `GET /accounts`. */
export const accountsAnswer = z.object({ asOf: time, items: z.array(accountSummary) });

/** `GET /accounts/:account`. */
export const accountDetail = accountSummary.extend({
  asOf: time,
  baseUrl: z.string().nullable(),
  folder: orNull(z.string(), 'The folder of the account; its inbox is `inbox` below it.'),
  folderHost: orNull(z.string(), 'The machine that last used the folder.'),
  limits: z.object({
    inFlight: orNull(z.int(), 'Calls at the same time over all workers.'),
    callsPerSecond: orNull(z.number(), 'Null: no limit is set.'),
    shares: z
      .array(z.object({ worker: z.string(), calls: z.int() }))
      .describe('Calls in flight that each worker may make now.'),
  }),
  readLagMs: orNull(z.number(), 'The longest time so far until a change could be read at the service.'),
  itemsUnreadableSince: time.nullable(),
  unreadDays: z
    .array(z.object({ day: z.iso.date(), since: time, why: z.string() }))
    .describe(
      'Days whose orders the service does not answer, while it answers those of other days. They are looked up one by one.',
    ),
  orderStatuses: z
    .array(
      z.object({
        status: z.string().nullable(),
        meaning: orNull(z.string(), 'What it means; null for one that the interface does not have.'),
        count: z.int(),
      }),
    )
    .describe(
      'Null: no status check has shown the order yet. Counting ends at 10,001: show that as "10,000+".',
    ),
  heldFor: z
    .array(z.object({ reasonCode: z.string(), meaning: z.string(), count: z.int() }))
    .describe('Counting ends at 10,001: show that as "10,000+".'),
  calls: z
    .array(
      z.object({
        step: z.string(),
        count: z.int(),
        unclear: z.int(),
        p50Ms: z.number().nullable(),
        p95Ms: z.number().nullable(),
      }),
    )
    .describe('Changing calls of the last 24 hours, by step. The ledger keeps no record of reads.'),
  schedules: z.array(schedule),
  guards: z.record(z.string(), z.unknown()),
  webhooks: z
    .array(
      z.object({
        name: z.string(),
        host: z.string(),
        state: z
          .enum(['working', 'failing', 'parked', 'unusable', 'new'])
          .describe(
            'failing: it is tried again. parked: given up after three days. unusable: its secret is missing.',
          ),
        error: z.string().nullable(),
        waiting: z.int().describe('Changes that it has not confirmed; counting ends at 1,001.'),
        sentAt: orNull(time, 'When it last confirmed something.'),
      }),
    )
    .describe('Programs that are sent the changes of the account.'),
  fileProblems: z.array(
    z.object({ fileName: z.string(), code: z.string(), message: z.string(), since: time }),
  ),
});
export type AccountDetail = z.infer<typeof accountDetail>;

/** `POST /accounts/:account/pause` and `/resume`. */
export const pauseRequest = z.strictObject({ note });
/** `POST /accounts/:account/webhooks/:name/resume`. */
export const resumeWebhookRequest = z.strictObject({
  since: givenTime
    .optional()
    .describe('Begin with the first change since then; without it, from where it stands.'),
  note,
});
/** `POST /accounts/:account/run`: polls, writes the report or picks up files now. */
export const runScheduleRequest = z.strictObject({ kind: scheduleKind, note });
export const accountActionAnswer = z.object({
  sentence: z.string().describe('What was done, in a sentence.'),
});
export type AccountsAnswer = z.infer<typeof accountsAnswer>;
export type AccountActionAnswer = z.infer<typeof accountActionAnswer>;
