import { z } from 'zod';
import { fileAction } from './actions.ts';
import {
  accountName,
  actionRank,
  advisedPlace,
  cappedCount,
  givenTime,
  id,
  listOrder,
  listQuery,
  offeredAction,
  orNull,
  pageOf,
  partOf,
  poState,
  stateCounts,
  time,
} from './basics.ts';

export const importOutcomes = [
  'reading',
  'waiting',
  'placing',
  'complete',
  'partly_ordered',
  'held',
  'nothing_ordered',
  'not_needed',
  'refused',
  'repeated',
] as const;
export const importOutcome = z
  .enum(importOutcomes)
  .describe(
    'reading: picked up, not read yet. waiting: for somebody to say what it means. placing: some POs have a next step. complete: every PO that it asks for is ordered or quoted, here or in another file, and every row belongs to a PO. partly_ordered: some POs are ordered, but others, or rows without a PO number, are not. held: nothing is ordered yet, and all that is left is held for a person. nothing_ordered: read, and no PO is ordered. not_needed: refused, or nothing was ordered, and a later file has it or a person says that it is not needed. refused: the file cannot be used. repeated: the same bytes were imported before.',
  );
export type ImportOutcome = z.infer<typeof importOutcome>;

export const importSummary = z.object({
  id,
  account: accountName,
  fileName: z.string(),
  outcome: importOutcome,
  outcomeText: z.string().describe('The outcome in words, with its numbers.'),
  quoteOnly: z.boolean(),
  restored: z.boolean().describe('Imported again from done/ into a restored ledger.'),
  source: z
    .enum(['folder', 'upload', 'correction'])
    .describe(
      '`folder`: inbox, SFTP or command line; the ledger does not tell them apart. `correction`: rows that `uploadedBy` corrected in the console.',
    ),
  uploadedBy: orNull(z.string(), 'Who uploaded it in the console; null for files from the folder.'),
  takenAt: time.describe('When it was picked up.'),
  readAt: orNull(time, 'When it was read or refused.'),
  finishedAt: orNull(
    time,
    'When the last of its POs came into its state; null while one has a next step. A later file does not change it.',
  ),
  durationMs: orNull(
    z.number(),
    'From `takenAt` until the last of its POs was submitted, held or ended for the first time, without the time in which people decided about POs; for a refused file until `readAt`. Null while a PO has a next step.',
  ),
  rowCount: z.int().describe('Rows below the header that are not blank; 0 until it is read.'),
  states: stateCounts.describe(
    'Its own POs by state, without those that failed or were rejected and that another file has now.',
  ),
  elsewhere: stateCounts.describe(
    'The POs that it asks for and that belong to other files, by their state there.',
  ),
  poCount: z.int().describe('POs that were found in it and that no earlier file had.'),
  issueCount: z.int().describe('Row issues, without notes.'),
  reasonCode: z.string().nullable(),
  reasonText: z.string().nullable(),
  assignee: orNull(z.string(), 'Who takes care of the file, which was refused; null: nobody in particular.'),
});
export type ImportSummary = z.infer<typeof importSummary>;

/** An import that is being read or placed. */
export const importProgress = z.object({
  id,
  account: accountName,
  fileName: z.string(),
  step: z.enum(['reading', 'placing']),
  done: z.int().describe('POs without a next step.'),
  total: z.int().describe('POs of the file; 0 until it is read.'),
  states: stateCounts,
  takenAt: time,
  waitingFor: orNull(
    z.string(),
    'Why nothing moves, and what to do, in sentences: its account is paused, no worker runs.',
  ),
  canResume: z.boolean().describe('True: its account is paused, and a person can end that.'),
});

/** `GET /imports`. */
export const importsQuery = z.object({
  ...listQuery,
  account: accountName.optional(),
  outcome: z
    .enum([...importOutcomes, 'finished'])
    .optional()
    .describe('An outcome as the list shows it; `finished`: read, and no PO has a next step.'),
  from: givenTime.optional().describe('Picked up at or after.'),
  to: givenTime.optional().describe('Picked up before.'),
  file: partOf('file name', 255),
  sort: z
    .enum(['received', 'file', 'rows', 'pos'])
    .default('received')
    .describe('received: when they were picked up. file: by name. rows, pos: by their number.'),
  order: listOrder.describe('`newest`: the latest, the last name, or the largest number first.'),
});
export const importsAnswer = pageOf(importSummary);

const step = z.object({
  step: z.enum(['received', 'read', 'placed', 'reported']),
  state: z.enum(['done', 'running', 'waiting', 'failed', 'not_needed']),
  at: orNull(time, 'When it was done; null: not yet, or the ledger does not have the time.'),
  text: z.string().describe('The step in words.'),
});

const decision = z.object({
  what: z
    .string()
    .describe('format, encoding, delimiter, sheet, layout, header, columns, po_number, states or rows.'),
  decided: z.string(),
  why: z.string(),
  override: orNull(z.string(), 'The setting of the account that overrides it.'),
});

export const howItWasRead = z.object({
  format: z.string(),
  encoding: z.string().nullable(),
  delimiter: z.string().nullable(),
  sheet: z.string().nullable(),
  headerRow: orNull(z.int(), 'Null: the file has no header.'),
  columns: z.array(
    z.object({
      header: z.string(),
      field: orNull(z.string(), 'Null: not read, only copied into the result file.'),
    }),
  ),
  decisions: z.array(decision),
});

const importFile = z.object({
  kind: z.enum(['source', 'result', 'not-ordered', 'log']),
  fileName: z.string(),
  href: z.string().describe('Path of the download.'),
  available: z.boolean(),
  why: orNull(z.string(), 'Why it is not available, in a sentence.'),
  writtenAt: time.nullable(),
});

export const importAction = z.object({
  action: z.enum([
    ...['reread', 'no_order', 'release', 'cancel', 'retry', 'write_report'],
    ...fileAction.options,
  ] as const),
  label: z.string(),
  possible: z.boolean(),
  rank: actionRank,
  why: orNull(z.string(), 'Why it is not possible, or is unlikely to help, in a sentence.'),
  count: cappedCount.nullable().describe('POs that the bulk run would try; null where it is not about POs.'),
});

/** `GET /imports/:id`. */
export const importDetail = importSummary.extend({
  asOf: time,
  sizeBytes: z.number(),
  sha256: z.string(),
  steps: z.array(step).length(4),
  warning: orNull(z.string(), 'A problem of a file that was read, for example that it changed later.'),
  settled: z
    .boolean()
    .describe(
      'True: a person says that the file, which was refused, or its rows that belong to no PO, are not needed.',
    ),
  rowsWithoutPo: z.int().describe('Rows with issues that belong to no PO, so nothing of them was ordered.'),
  repeats: orNull(z.object({ id, fileName: z.string() }), 'The import of the same bytes.'),
  noteCount: z.int().describe('Row notes, which reject nothing.'),
  others: z
    .array(
      z.object({
        ...{ id, poNumber: z.string(), state: poState, importId: id, fileName: z.string() },
        settled: z.boolean(),
      }),
    )
    .describe(
      'The first 50 of the POs that belong to other files, or that were cancelled here and came again there.',
    ),
  otherCount: z.int().describe('All POs of which `others` has the first.'),
  heldFor: z.array(
    z.object({
      reasonCode: z.string(),
      meaning: z.string(),
      advice: z.string(),
      count: z.int(),
      actions: z.array(offeredAction),
      place: advisedPlace.nullable(),
    }),
  ),
  howItWasRead: howItWasRead.nullable().describe('Null until it is read, and for a refused file.'),
  files: z.array(importFile),
  actions: z.array(importAction),
  place: orNull(advisedPlace, 'Where a person does what is advised; null: by an action, or nowhere.'),
});
export type ImportDetail = z.infer<typeof importDetail>;

const importEvent = z.object({
  at: time,
  what: z.string().describe('In words.'),
  detail: z.string().nullable(),
  who: z.string().nullable(),
  count: orNull(z.int(), 'POs that it concerns; null where it concerns the file.'),
  state: poState.nullable(),
});
/** `GET /imports/:id/timeline`. Its files: `GET /imports/:id/files/source`, `/result`, `/log`. Its POs: `GET /purchase-orders?importId=`. */
export const importTimeline = z.object({
  events: z.array(importEvent).describe('Oldest first, at most 500.'),
});

export type ImportsAnswer = z.infer<typeof importsAnswer>;
export type ImportProgress = z.infer<typeof importProgress>;
export type HowItWasRead = z.infer<typeof howItWasRead>;
export type ImportTimeline = z.infer<typeof importTimeline>;
