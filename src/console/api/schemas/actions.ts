import { z } from 'zod';
import { givenTime, id, note, poAction, poState } from './basics.ts';

/** `POST /purchase-orders/actions`: an action on selected POs. More of them: a bulk run. */
export const actionRequest = z.strictObject({
  action: poAction,
  items: z
    .array(
      z.strictObject({
        id,
        changedAt: givenTime
          .optional()
          .describe('`changedAt` as the person saw it: a PO that has changed since is refused.'),
      }),
    )
    .min(1)
    .max(200),
  note,
});
export type ActionRequest = z.infer<typeof actionRequest>;

export const actionResult = z.object({
  id,
  poNumber: z.string(),
  done: z.boolean(),
  state: poState.nullable().describe('The new state; null where it was not done.'),
  why: z
    .string()
    .nullable()
    .describe('Why it was not done, and what happened meanwhile, in a sentence; null where it was.'),
});

/** 200 where at least one was done; 409 (a problem document with `results`) where none was. */
export const actionAnswer = z.object({
  sentence: z.string().describe('`Released 2 POs. 1 could not be changed.`'),
  done: z.int(),
  notDone: z.int(),
  results: z.array(actionResult),
});
export type ActionAnswer = z.infer<typeof actionAnswer>;
