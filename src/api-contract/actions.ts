import { z } from 'zod';
import { assignee, givenTime, id, note, orNull, poAction, poState } from './basics.ts';

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
  assignee,
  note,
});

export const actionResult = z.object({
  id,
  poNumber: z.string(),
  done: z.boolean(),
  state: poState.nullable().describe('The new state; null where it was not done.'),
  why: orNull(
    z.string(),
    'Why it was not done, and what happened meanwhile, in a sentence; null where it was.',
  ),
});

/** 200 if at least one PO changed; 409 (a problem document with `results`) if none did. */
export const actionAnswer = z.object({
  sentence: z.string().describe('`Released 2 POs. 1 could not be changed.`'),
  done: z.int(),
  notDone: z.int(),
  results: z.array(actionResult),
});
export type ActionAnswer = z.infer<typeof actionAnswer>;

/** Actions on a file itself that was refused or has rows that belong to no PO, with the same words as for POs. */
export const fileAction = poAction.extract(['settle', 'unsettle', 'assign']);
export type FileAction = z.infer<typeof fileAction>;

/** `POST /imports/actions`: settles, unsettles or assigns refused files. */
export const fileActionRequest = z.strictObject({
  action: fileAction,
  ids: z.array(id).min(1).max(200),
  assignee,
  note,
});
/** 409 if the action applies to none of the files. */
export const fileActionAnswer = z.object({ sentence: z.string(), done: z.int(), notDone: z.int() });
export type FileActionAnswer = z.infer<typeof fileActionAnswer>;

/** `GET /people`: the possible assignees. */
export const peopleAnswer = z.object({
  people: z
    .array(z.string())
    .describe('Names of the users who may act for the account, or for every one that is shown.'),
});
export type PeopleAnswer = z.infer<typeof peopleAnswer>;
