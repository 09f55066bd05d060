import { z } from 'zod';
import { schedule } from './accounts.ts';
import { accountName, cappedCount, id, offeredAction, time } from './basics.ts';
import { importProgress } from './imports.ts';
import { question, unknownFiles } from './layouts.ts';

/** POs that are held for one reason in one account. */
const heldGroup = z.object({
  account: accountName,
  reasonCode: z.string(),
  meaning: z.string().describe('What the reason means, in a sentence.'),
  advice: z.string().describe('What a person can do, in a sentence.'),
  count: cappedCount,
  oldestAt: time.describe('When the PO that came first was held.'),
  example: z.object({ id, poNumber: z.string() }).describe('The PO that came first.'),
  actions: z.array(offeredAction).describe('What all of them can be given at once, by a bulk run.'),
});

const refusedFile = z.object({
  id,
  account: accountName,
  fileName: z.string(),
  reasonCode: z.string().nullable(),
  reasonText: z.string().nullable().describe('Why the file was refused and what to do, as it was written.'),
  takenAt: time,
});

/** POs of one account that will not be ordered unless a person does something. */
const notOrdered = z.object({
  account: accountName,
  state: z.enum(['failed', 'rejected']),
  count: z
    .object({ count: z.int().describe('Counting ends at 500.'), more: z.boolean() })
    .describe('How many. True: there are more than `count`.'),
  latestAt: time.describe('When the last of them failed or was rejected.'),
  example: z.object({ id, poNumber: z.string() }).describe('The last of them.'),
  actions: z
    .array(offeredAction)
    .describe(
      'What all of them can be given at once, by a bulk run over those that changed in the last 7 days.',
    ),
});

const pausedAccount = z.object({
  account: accountName,
  code: z.string(),
  reason: z.string(),
  byOperator: z
    .boolean()
    .describe('True: a person paused it, and it stays paused until a person resumes it.'),
  since: time.nullable().describe('When the first pause began since the last successful call.'),
  until: time
    .nullable()
    .describe('When it is tried again without a person; null: only when a person resumes it.'),
});

const alarm = z.object({
  id,
  account: accountName,
  poNumber: z.string(),
  alarm: z.string().describe('What differs between the file and the order, in a sentence.'),
  changedAt: time,
});

/** Something that keeps files or POs from being processed, as `cartwright status --check` reports it. */
const problem = z.object({
  code: z.string(),
  account: accountName.nullable(),
  message: z.string().describe('The problem and what to do, in sentences.'),
});

const hour = z.object({
  hour: time.describe('Beginning of the hour.'),
  ordered: z.int().describe('POs that were ordered in it.'),
  held: z.int().describe('POs that were held in it and are still held.'),
  failed: z.int().describe('POs that failed or were rejected in it and still are.'),
});

const callFigures = z.object({
  account: accountName,
  calls: z
    .int()
    .describe('Changing calls that began in the last 24 hours. The ledger keeps no record of reads.'),
  unclear: z.int().describe('Those with an unknown outcome.'),
  p50Ms: z
    .number()
    .nullable()
    .describe('Half of the calls took at most so long (milliseconds); null without calls.'),
  p95Ms: z.number().nullable(),
});

const accountSchedule = schedule.extend({ account: accountName });

/** `GET /problems`. */
export const problemsAnswer = z.object({
  healthy: z.boolean().describe('True: there is no problem.'),
  problems: z.array(problem),
});
export type ProblemsAnswer = z.infer<typeof problemsAnswer>;

/** `GET /today`. */
export const todayAnswer = z.object({
  asOf: time.describe('The ledger’s clock when this was read.'),
  quiet: z.boolean().describe('True: nothing needs a person.'),
  sentence: z.string().describe('What needs a person, or that all is quiet, in one sentence.'),
  unknown: z
    .array(unknownFiles)
    .describe('Files that wait for somebody to say what they mean, by their header; the longest first.'),
  questions: z.array(question).describe('What is to be said about values that are new; the longest first.'),
  held: z.array(heldGroup).describe('Most POs first; without those that wait for an answer.'),
  refused: z
    .array(refusedFile)
    .describe('Files that were refused in the last 7 days and not sent again since; at most 20.'),
  notOrdered: z
    .array(notOrdered)
    .describe(
      'POs that failed or were rejected in the last 7 days, and whose numbers did not come again in a later file. Most POs first.',
    ),
  paused: z.array(pausedAccount),
  alarms: z.array(alarm).describe('At most 20, latest first.'),
  alarmCount: cappedCount,
  problems: z.array(problem),
  running: z
    .array(importProgress)
    .describe('Imports with POs that have a next step; at most 20, latest first.'),
  runningCount: cappedCount,
  hours: z.array(hour).describe('The last 24 hours, oldest first, the running one included.'),
  calls: z.array(callFigures),
  schedules: z.array(accountSchedule).describe('By their next run, soonest first; at most 100.'),
  workers: z.int().describe('Running workers.'),
});
export type TodayAnswer = z.infer<typeof todayAnswer>;
export type HeldGroup = z.infer<typeof heldGroup>;
