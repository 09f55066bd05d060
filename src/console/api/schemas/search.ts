import { z } from 'zod';
import { accountName, id, poState, time } from './basics.ts';

/** `GET /search`. */
export const searchQuery = z.object({
  q: z
    .string()
    .trim()
    .min(1)
    .max(200)
    .describe('What a person typed: the beginning of any of these, in any case.'),
  limit: z.coerce.number().int().min(1).max(50).default(10).describe('Hits of each kind.'),
});

export const searchKinds = ['po', 'order', 'tracking', 'invoice', 'sku', 'ship_to', 'zip', 'file'] as const;

export const searchHit = z.object({
  kind: z.enum(searchKinds).describe('What matched.'),
  matched: z.string().describe('The value that matched.'),
  account: accountName,
  purchaseOrder: z
    .object({ id, poNumber: z.string(), state: poState, quoteOnly: z.boolean(), changedAt: time })
    .nullable()
    .describe('Null for a file.'),
  import: z.object({ id, fileName: z.string(), takenAt: time }),
});

export const searchAnswer = z.object({
  groups: z
    .array(z.object({ kind: z.enum(searchKinds), hits: z.array(searchHit), more: z.boolean() }))
    .describe('Kinds with hits, exact matches first.'),
});
export type SearchHit = z.infer<typeof searchHit>;
export type SearchAnswer = z.infer<typeof searchAnswer>;
