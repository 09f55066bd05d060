import { z } from 'zod';
import { commaList, id, money, orNull, time, uuid } from './basics.ts';

/** Beyond this, rows must be corrected in a file. */
export const mostCorrectedRows = 2000;
/** Including rows that a person adds. */
export const mostGivenRows = 2 * mostCorrectedRows;
const mostColumns = 300;

const cell = z
  .string()
  .max(10_000)
  .refine((text) => !/\0|[\ud800-\udfff]/u.test(text), 'text without NUL and incomplete characters');

const correctionColumn = z.object({
  header: z.string(),
  field: orNull(z.string(), 'What it holds; null: it is not read.'),
  label: orNull(z.string(), 'The field in words.'),
  choices: z.array(z.string()).describe('What it accepts, where that is a list.'),
  allowed: orNull(z.string(), 'What it accepts in words, after `Enter`.'),
});
export type CorrectionColumn = z.infer<typeof correctionColumn>;

/** A row of the grid. */
export const correctionRow = z.object({
  rowNumber: orNull(z.int(), 'In the file that is corrected; null: a person added it.'),
  cells: z.array(z.string()),
});

const marked = z.object({
  row: z.int().describe('Place in `rows`, from 0.'),
  column: orNull(z.int(), 'Place in `columns`, from 0; null: the row as a whole.'),
  message: z.string().describe('What is wrong, in a sentence.'),
  expected: z.string().nullable(),
  kind: z
    .enum(['wrong', 'asks', 'note'])
    .describe(
      'wrong: its PO cannot be ordered so, or the service refused the line as it is. asks: only the file shows what is wrong, so the cell is to be changed, or accepted as it is. note: to be read only.',
    ),
});
export type MarkedCell = z.infer<typeof marked>;

const correctedPo = z.object({
  poNumber: z.string(),
  outcome: z
    .enum(['ready', 'held', 'rejected', 'repeated', 'conflicting'])
    .describe('ready and held: it can be ordered. repeated: nothing of it was changed.'),
  reason: z.string().nullable(),
  lineCount: z.int(),
  pieces: z.number(),
});

/** The result of checking the rows like a file. */
export const correctionCheck = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('read'),
    marks: z.array(marked),
    purchaseOrders: z.array(correctedPo),
    orderable: z.int().describe('POs that are ready or would be held.'),
    sums: z.object({ lines: z.int(), pieces: z.number(), goods: money.nullable() }),
  }),
  z.object({ kind: z.literal('refused'), message: z.string() }),
]);
export type CorrectionCheck = z.infer<typeof correctionCheck>;

/** `GET /imports/:id/correction`: POs of an import that were not ordered, with their rows. */
export const correctionQuery = z.object({
  purchaseOrders: commaList(id, 200)
    .optional()
    .describe('Ids of POs, separated by commas; by default all that were rejected or failed.'),
});
export const correctionAnswer = z.object({
  importId: id,
  account: z.string(),
  fileName: z.string(),
  quoteOnly: z.boolean(),
  purchaseOrders: z.array(
    z.object({
      id,
      poNumber: z.string(),
      state: z.enum(['rejected', 'failed']),
      reason: orNull(z.string(), 'Why it was not ordered.'),
    }),
  ),
  columns: z.array(correctionColumn),
  rows: z.array(correctionRow).describe('At most 2,000, whole POs.'),
  firstRow: z.int().describe('The number of the first of these rows, as sentences about them name it.'),
  mostRows: z.int().describe('Rows that can be sent, with those that were added.'),
  left: z.int().describe('POs that did not fit in.'),
  further: z.array(correctionColumn).describe('Columns that can be added.'),
  check: correctionCheck.describe('Of the rows as they are.'),
});
export type CorrectionAnswer = z.infer<typeof correctionAnswer>;

/** `POST /imports/:id/correction/check` */
export const correctionRequest = z.strictObject({
  purchaseOrders: z.array(id).min(1).max(mostCorrectedRows).describe('Those of the answer.'),
  headers: z
    .array(z.string().max(1000))
    .min(1)
    .max(mostColumns)
    .describe('Of the columns of the answer, then of those that were added.'),
  rows: z
    .array(
      z.strictObject({
        rowNumber: z.int().nullable(),
        cells: z.array(cell).max(mostColumns),
        accepted: z.array(z.int()).optional().describe('Columns that ask and are right as they are.'),
      }),
    )
    .min(1)
    .max(mostGivenRows),
});
export type CorrectionRequest = z.infer<typeof correctionRequest>;
export type CorrectedRow = CorrectionRequest['rows'][number];

/** `POST /imports/:id/correction`: the POs that can be ordered become a new import; the others stay unchanged. */
export const correctionConfirm = correctionRequest.extend({
  expectedPos: z
    .int()
    .describe('`orderable` that the person saw. 409 where the rows would now give another number.'),
  note: z.string().trim().max(500).optional(),
});
export const correctionConfirmed = z.object({
  sentence: z.string(),
  uploadId: uuid,
  importId: orNull(id, 'Null: the rows are about to be picked up.'),
});
export type CorrectionConfirmed = z.infer<typeof correctionConfirmed>;

/** `GET /imports/:id/corrections`, `GET /purchase-orders/:id/corrections`: latest first, at most 20. */
export const correctionsAnswer = z.object({
  items: z.array(
    z.object({
      id: uuid,
      who: z.string(),
      at: time,
      note: z.string().nullable(),
      of: z.object({ id, fileName: z.string() }).describe('The import that was corrected.'),
      as: orNull(
        z.object({ id, fileName: z.string() }),
        'The import of the corrected rows; null: they are about to be picked up.',
      ),
      changes: z
        .array(
          z.object({
            kind: z.enum(['changed', 'added', 'removed']),
            poNumber: z.string(),
            rowNumber: orNull(z.int(), 'In the file that was corrected; null: the row was added.'),
            newRowNumber: orNull(z.int(), 'In the corrected rows; null: the row was removed.'),
            cells: z.array(z.object({ column: z.string(), before: z.string(), after: z.string() })),
          }),
        )
        .describe('The first 200.'),
      changeCount: z.int(),
    }),
  ),
});
export type CorrectionsAnswer = z.infer<typeof correctionsAnswer>;
