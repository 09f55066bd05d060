import { z } from 'zod';
import { money, orNull } from './basics.ts';
import { issueRow } from './import-issues.ts';
import { howItWasRead } from './imports.ts';

const previewPo = z.object({
  poNumber: z.string(),
  firstRow: z.int(),
  lineCount: z.int(),
  pieces: z.number(),
  goods: orNull(money, 'Quantity times expected price; null where no line has an expected price.'),
  pricedLines: z.int(),
  outcome: z.enum(['ready', 'rejected', 'repeated', 'conflicting', 'held']),
  reason: z.string().nullable(),
});
const previewLine = z.object({
  rowNumber: z.int(),
  poNumber: z.string(),
  item: z.string(),
  quantity: z.int(),
  expectedPrice: money.nullable(),
});

/** What to do with rows that have a value. */
export const valueChoice = z
  .strictObject({
    column: z.string().max(1100).describe('As `unread` of the preview names it.'),
    value: z
      .string()
      .max(1100)
      .describe('As `unread` of the preview names it; ` *`: every other value, also of later files.'),
    answer: z.enum(['order', 'leave_out', 'ask', 'pieces']),
    pieces: z
      .int()
      .min(1)
      .max(100_000)
      .optional()
      .describe('Of `pieces`: how many pieces one in the quantity is.'),
  })
  .refine(({ answer, pieces }) => (answer === 'pieces') === (pieces !== undefined), {
    path: ['pieces'],
    error: 'is needed with the answer `pieces`, and only with it',
  });

/** A person's decisions so far about ignored columns. */
export const previewRequest = z.strictObject({ values: z.array(valueChoice).max(1000).optional() }).nullish();

const unreadColumn = z.object({
  column: z.string(),
  header: z.string(),
  values: z.array(
    z.object({
      value: z.string(),
      text: z.string(),
      rows: z.int(),
      isOne: z
        .boolean()
        .describe(
          'False: it stands for different numbers, amounts or dates, which cannot be counted in pieces.',
        ),
      saysNotToOrder: z.boolean().describe('Its text may say that such rows are not to be ordered.'),
      elsewhere: z
        .object({
          answer: valueChoice.shape.answer.exclude(['order']),
          pieces: valueChoice.shape.pieces,
          layout: z.string().describe('The name of that layout.'),
        })
        .nullable()
        .describe('What people answered about it in the files of another layout; a proposal.'),
    }),
  ),
});

/** `POST /uploads/:id/preview`: what would be ordered. Stores and sends nothing; the service's answer is not known yet. */
export const previewAnswer = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('read'),
    counts: z.object({
      ready: z.int(),
      rejected: z.int(),
      repeated: z.int(),
      conflicting: z.int(),
      held: z.int(),
      guarded: z
        .int()
        .describe('Among `held`: POs that a guard of the account would hold when they are placed.'),
      lines: z.int(),
      issues: z.int(),
    }),
    rowCount: z.int(),
    sums: z
      .object({ lines: z.int(), pieces: z.number(), goods: money.nullable(), pricedLines: z.int() })
      .describe('Of all POs that would be ordered.'),
    purchaseOrders: z.array(previewPo).describe('The first 200, in the file’s order.'),
    issues: z.array(issueRow).describe('The first 200.'),
    largestLines: z.array(previewLine),
    unusual: z
      .array(
        previewLine.extend({
          largestOrdered: z.int(),
          ofItem: z.boolean().describe('False: the largest of any item, as this one was never ordered.'),
        }),
      )
      .describe('Quantities for which the account’s guard would hold their POs.'),
    warnings: z.array(z.string()),
    unread: z
      .array(unreadColumn)
      .describe('Columns that are not read and may say how rows are to be ordered, with their values.'),
    describing: z
      .array(z.string())
      .describe(
        'Headers of columns that are not read and describe the items: of later texts only those that say not to order are asked about.',
      ),
    besides: z
      .array(z.string())
      .describe(
        'What the file has besides its lines and no earlier file had: `row 14 says "…" and is no line`.',
      ),
    howItWasRead,
    mayStillRefuse: z
      .string()
      .describe(
        'What is known only once the service has answered: what it may refuse, and what the account’s guards may hold.',
      ),
  }),
  z.object({ kind: z.literal('refused'), code: z.string(), message: z.string() }),
]);

export type PreviewAnswer = z.infer<typeof previewAnswer>;
export type ValueChoice = z.infer<typeof valueChoice>;
