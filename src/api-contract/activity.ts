import { z } from 'zod';
import { givenTime, id, listQuery } from './basics.ts';

export const activityQuery = z.object({
  account: z.string().max(40).optional(),
  who: z.string().max(200).optional().describe('The whole name of the person.'),
  action: z
    .string()
    .max(40)
    .transform((text) => text.trim().toLowerCase().replaceAll(' ', '_'))
    .optional()
    .describe('A part of the action, as it is here or as the page shows it: `token added` or `token_added`.'),
  since: givenTime.optional(),
  until: givenTime.optional(),
  bulkRun: id
    .optional()
    .describe(
      'What a bulk run did to each PO. Without it, a run is one entry, except in CSV, which has all.',
    ),
  ...listQuery,
});

/** One activity of a person. */
export const activityEntry = z.object({
  id: z.string(),
  at: z.iso.datetime(),
  who: z.string(),
  via: z.string().describe('console, api or command line.'),
  action: z.string(),
  account: z.string().nullable(),
  importId: z.string().nullable(),
  fileName: z.string().nullable(),
  purchaseOrderId: z.string().nullable(),
  poNumber: z.string().nullable(),
  note: z.string().nullable(),
  detail: z.record(z.string(), z.unknown()).nullable().describe('What else the action was about.'),
});
export const activityList = z.object({ items: z.array(activityEntry), next: z.string().nullable() });
export type ActivityAnswer = z.infer<typeof activityList>;
export type ActivityEntry = z.infer<typeof activityEntry>;
