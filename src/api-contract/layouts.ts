import { z } from 'zod';
import { accountName, id, orNull, time } from './basics.ts';
import { mapping } from './uploads.ts';

const values = z
  .record(z.string(), z.record(z.string(), z.string()))
  .describe(
    'Column, then value, then what is known: `seen` in the first file, or what a person decided: `order`, `leave_out`, `ask`, `pieces 12`.',
  );

/** The agreed way to read an account's files with one header. */
export const layout = z.object({
  id,
  account: accountName,
  name: z.string(),
  version: z.int(),
  kind: z.enum(['order', 'no_order']).describe('no_order: files with this header are refused.'),
  header: z.array(z.string()).describe('The names of the header; empty: the files have none.'),
  width: z.int().optional().describe('Number of columns; only for files without a header.'),
  settings: mapping.describe('How its files are read.'),
  values: values.optional(),
  who: z.string().describe('Who agreed; of a file from before there were layouts its name.'),
  via: z.enum(['console', 'api', 'command line', 'configuration', 'earlier import', 'standard names']),
  agreed: z.string().describe('Who agreed and when, or where it comes from, as a part of a sentence.'),
  confirmedAt: time,
  endedAt: orNull(time, 'When a later version replaced it, or it was removed; null: it counts.'),
  files: z.int().describe('How many files were read by it.'),
});

/** `GET /layouts`. */
export const layoutsQuery = z.object({
  account: accountName.optional(),
  versions: z.enum(['current', 'all']).default('current').describe('all: also those that no longer count.'),
});
export const layoutsAnswer = z.object({ items: z.array(layout).describe('By account and name.') });

/** `PUT /layouts`: the form of `cartwright layouts export`. */
export const layoutRequest = z.strictObject({
  account: accountName,
  name: z.string().trim().min(1).max(60),
  kind: z.enum(['order', 'no_order']).default('order'),
  header: z.array(z.string().max(1000)).max(16_384).describe('Empty: the files have none.'),
  width: z.int().min(1).optional().describe('Number of columns; only for files without a header.'),
  settings: mapping.default({}),
  values: values
    .optional()
    .describe('All that is known of the values; omitted: unchanged. Earlier answers can be changed here.'),
});
export const layoutApplied = z.object({
  sentence: z.string().describe('What was done, in a sentence.'),
  change: z.enum(['new', 'changed', 'same']).describe('same: nothing was changed.'),
  id,
  version: z.int(),
});

/** Waiting files with the same unknown header. */
export const unknownFiles = z.object({
  account: accountName,
  files: z.int(),
  since: time.describe('When the first of them began to wait.'),
  importId: id.describe('The first of them.'),
  fileName: z.string(),
  reason: z.string().describe('What is not known, in sentences.'),
});

/** A value that no file with its header had before. */
export const question = z.object({
  id: z
    .string()
    .regex(/^[0-9a-f]{32}$/)
    .describe('Stable while the question is open.'),
  account: accountName,
  layout: z.string().describe('The name of the layout of its files.'),
  column: z.string(),
  value: z.string().describe('As the first row has it; empty: the cell is blank.'),
  message: z.string().describe('What is new, in sentences.'),
  rows: z.int(),
  purchaseOrders: z.int().describe('How many POs wait for the answer.'),
  firstPo: z.object({ id, poNumber: z.string() }),
  importId: id.describe('The first file that has it.'),
  fileName: z.string(),
  since: time,
});
export const questionsAnswer = z.object({ items: z.array(question).describe('The longest first.') });
export const questionById = z.object({ id: z.string().regex(/^[0-9a-f]{32}$/) });
export const answerRequest = z.strictObject({
  answer: z
    .enum(['order', 'leave_out', 'ask', 'pieces'])
    .describe(
      'order: rows with this value are ordered. leave_out: they are skipped, and their POs are rebuilt without them. ask: the POs stay held, and it is asked each time. pieces: one in the quantity of such rows is so many pieces. The answer is kept for files with this header.',
    ),
  wholeColumn: z
    .boolean()
    .default(false)
    .describe('True: the same for every other value of the column that no file had before.'),
  pieces: z.int().min(1).max(100_000).optional().describe('With pieces: how many pieces one is.'),
  note: z.string().trim().max(500).optional(),
});

/** `POST /imports/:id/no-order`: refuses a waiting file. */
export const noOrderRequest = z.strictObject({
  allAlike: z.boolean().default(false).describe('True: also all files with the same header from now on.'),
  note: z.string().trim().max(500).optional(),
});
export const layoutActionAnswer = z.object({
  sentence: z.string().describe('What was done, in a sentence.'),
});

export type ShownLayout = z.infer<typeof layout>;
export type LayoutsAnswer = z.infer<typeof layoutsAnswer>;
export type ShownQuestion = z.infer<typeof question>;
