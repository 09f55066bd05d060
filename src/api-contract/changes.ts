import { z } from 'zod';
import { accountName, givenTime, time } from './basics.ts';

/** `GET /changes`. */
export const changesQuery = z.object({
  after: z
    .string()
    .max(200)
    .optional()
    .describe(
      '`next` of the answer before. Without it and without `since`: from the first change that is kept.',
    ),
  since: givenTime.optional().describe('In place of `after`: from the first change at this moment or later.'),
  account: accountName.optional(),
  limit: z.coerce.number().int().min(1).max(1000).default(200).describe('Changes in one answer.'),
});

export const cloudEvent = z
  .object({
    specversion: z.literal('1.0'),
    id: z.string().describe('The same for the same change, however often and in whatever way it is sent.'),
    source: z.string(),
    type: z.string().describe('`cartwright.` and the kind of change.'),
    subject: z.string().describe('The PO number.'),
    time,
    datacontenttype: z.literal('application/json'),
    data: z
      .record(z.string(), z.unknown())
      .describe(
        'account, poNumber, purchaseOrderId, and where it fits orderNumber, importId, fileName, before, after, issues, lines.',
      ),
  })
  .describe('CloudEvents 1.0.');

export const changesAnswer = z.object({
  changes: z
    .array(cloudEvent)
    .describe('Oldest first. Changes of one PO are in the order in which they happened.'),
  next: z
    .string()
    .describe(
      'Ask with it as `after` next time, also where there were no changes. It is valid for 30 days at least.',
    ),
  more: z.boolean().describe('True: more changes wait. False: ask again in a while.'),
});
export type ChangesAnswer = z.infer<typeof changesAnswer>;
