import { z } from 'zod';
import { accountName, id, orNull, poState, time } from './basics.ts';

/** `GET /search`. */
export const searchQuery = z.object({
  q: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .describe(
      'What a person typed, in any case: the beginning of any of these; with three characters or more also a part of a PO number, a SKU or a file name.',
    ),
  limit: z.coerce.number().int().min(1).max(50).default(10).describe('Hits of each kind.'),
});

export const searchKinds = ['po', 'order', 'tracking', 'invoice', 'sku', 'ship_to', 'zip', 'file'] as const;

export const searchHit = z.object({
  kind: z.enum(searchKinds).describe('What matched.'),
  matched: z.string().describe('The value that matched.'),
  account: accountName,
  purchaseOrder: orNull(
    z.object({
      id,
      poNumber: z.string(),
      state: poState,
      reasonCode: z.string().nullable(),
      settled: z.boolean(),
      quoteOnly: z.boolean(),
      changedAt: time,
    }),
    'Null for a file.',
  ),
  import: z.object({ id, fileName: z.string(), takenAt: time }),
});

export const searchAnswer = z.object({
  groups: z
    .array(z.object({ kind: z.enum(searchKinds), hits: z.array(searchHit), more: z.boolean() }))
    .describe('Kinds with hits: exact matches first, then those that begin with it.'),
});
export type SearchHit = z.infer<typeof searchHit>;
export type SearchAnswer = z.infer<typeof searchAnswer>;

/** `GET /search/files`: a PO number in files whose rows are not POs, and similar numbers. */
export const filesQuery = z.object({ po: z.string().trim().min(1).max(200) });
export const filesAnswer = z.object({
  found: z.array(
    z.object({
      account: accountName,
      fileName: z.string(),
      importId: orNull(id, 'Null: it is in the inbox, and nothing has picked it up.'),
      rows: z
        .array(z.int())
        .describe('Rows that have the number, at most 20; empty: it is in the name of the file.'),
      why: z.string().describe('Why its rows are not POs, as a part of a sentence.'),
    }),
  ),
  similar: z
    .array(z.object({ account: accountName, poNumber: z.string(), state: poState }))
    .describe('POs whose number differs only by case, punctuation, letters before it or zeros.'),
  looked: z.int().describe('How many files were looked into.'),
  notLooked: z
    .int()
    .describe('Files that could not be opened, are larger than 20 MB, or for which there was no time.'),
  since: orNull(time, 'When the oldest of these files came; null: there was none.'),
});
export type FilesAnswer = z.infer<typeof filesAnswer>;
