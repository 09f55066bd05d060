import { z } from 'zod';
import { schedule } from './accounts.ts';
import { accountName, advisedPlace, cappedCount, id, offeredAction, orNull, time } from './basics.ts';
import { importProgress } from './imports.ts';
import { question, unknownFiles } from './layouts.ts';

/** Held POs of one account and reason. */
const heldGroup = z.object({
  account: accountName,
  reasonCode: z.string(),
  meaning: z.string().describe('What the reason means, in a sentence.'),
  advice: z.string().describe('What a person can do, in a sentence.'),
  count: cappedCount,
  oldestAt: time.describe('When the PO that came first was held.'),
  example: z.object({ id, poNumber: z.string() }).describe('The PO that came first.'),
  actions: z.array(offeredAction).describe('What all of them can be given at once, by a bulk run.'),
  place: orNull(advisedPlace, 'Where a person does what is advised; null: by an action, or nowhere.'),
});

const assignees = z
  .array(z.string())
  .describe('Who takes care of some of them; empty: nobody in particular.');

/** Files of one account refused for one reason, or with rows that belong to no PO. */
const refusedGroup = z.object({
  account: accountName,
  reasonCode: z
    .string()
    .nullable()
    .describe('`rows_without_po`: the files were read, and rows of them belong to no PO.'),
  reasonText: orNull(z.string(), 'Why the last of them is listed and what to do, as it was written.'),
  canBeReadAgain: z.boolean().describe('Reading it in another way can help. False: only another file does.'),
  files: z.array(z.object({ id, fileName: z.string(), takenAt: time })).describe('Latest first.'),
  assignees,
});

/** POs of one account that will not be ordered unless a person acts, for one cause. */
const notOrdered = z.object({
  account: accountName,
  state: z.enum(['failed', 'rejected']),
  reasonCode: z.string().nullable(),
  message: orNull(
    z.string(),
    'Why they failed, the same for all of them, as it was written; null of rejected ones.',
  ),
  advice: z.string().describe('What a person can do, in a sentence.'),
  place: orNull(advisedPlace, 'Where a person does what is advised; null: by an action, or nowhere.'),
  count: z
    .object({ count: z.int(), more: z.boolean() })
    .describe('How many. True: the account has so many POs that ended like this that there can be more.'),
  latestAt: time.describe('When the last of them failed or was rejected.'),
  example: z.object({ id, poNumber: z.string() }).describe('The last of them.'),
  files: z
    .array(z.object({ importId: id, fileName: z.string(), count: z.int() }))
    .describe('The three files with most of them, whose rows can be corrected.'),
  assignees,
  actions: z.array(offeredAction).describe('What all of them can be given at once, by a bulk run.'),
});

const pausedAccount = z.object({
  account: accountName,
  code: z.string(),
  reason: z.string(),
  remedy: z.string().describe('What ends the pause, and what a person can do about it, in sentences.'),
  canResume: z.boolean().describe('A person can end it.'),
  byOperator: z
    .boolean()
    .describe('True: a person paused it, and it stays paused until a person resumes it.'),
  since: orNull(time, 'When the first pause began since the last successful call.'),
  until: orNull(time, 'When it is tried again without a person; null: only when a person resumes it.'),
});

/** POs of one account with alarms of one cause. */
const alarmGroup = z.object({
  account: accountName,
  cause: z.string().describe('In what they differ, without the numbers: the beginning of each alarm.'),
  alarm: z.string().describe('What differs in the last of them, in sentences.'),
  count: z.int(),
  latestAt: time,
  example: z.object({ id, poNumber: z.string() }).describe('The last of them.'),
  assignees,
  actions: z.array(offeredAction).describe('What all of them can be given at once, by a bulk run.'),
});

/** A problem that keeps files or POs from being processed, as reported by `cartwright status --check`. */
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
  p50Ms: orNull(z.number(), 'Half of the calls took at most so long (milliseconds); null without calls.'),
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
export const todayQuery = z.object({
  account: accountName.optional(),
  mine: z
    .stringbool()
    .optional()
    .describe('True: only what the person who asks takes care of, without what belongs to nobody.'),
});
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
    .array(refusedGroup)
    .describe(
      'Files of the last 7 days that were refused, or of which rows belong to no PO, that were not sent again since and are needed; at most 100, by reason.',
    ),
  notOrdered: z
    .array(notOrdered)
    .describe(
      'POs that failed or were rejected and are needed, and whose numbers did not come again in a later file. By cause, most POs first; at most 50 causes.',
    ),
  paused: z.array(pausedAccount),
  alarms: z.array(alarmGroup).describe('By cause, most POs first; at most 20 causes of the latest 500 POs.'),
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
export type RefusedGroup = z.infer<typeof refusedGroup>;
