import { z } from 'zod';
import {
  assignee,
  cappedCount,
  givenTime,
  id,
  listQuery,
  note,
  orNull,
  pageOf,
  poAction,
  poState,
  poSum,
  time,
} from './basics.ts';
import { poFilter } from './purchase-orders.ts';

/** `POST /bulk/count`: how many POs a bulk run would try, for its confirmation. */
export const bulkCountRequest = z.strictObject({ action: poAction, filter: poFilter });
export const bulkCountAnswer = z.object({
  count: cappedCount.describe('POs that match and whose state the action is for.'),
  exact: orNull(z.int(), 'The number to send back as `expected`; null where there are more than 100,000.'),
  others: z
    .int()
    .describe('Held POs that match and about which the action can do nothing; they stay as they are.'),
  sum: poSum,
  sentence: z.string().describe('`Release 300 POs that are held as price_above in import 12.`'),
  running: z
    .array(
      z.object({
        id: orNull(id, 'Null for a run that also concerns accounts of others.'),
        who: z.string(),
        sentence: z.string().describe('What it does: `Cancel POs of north that are held.`'),
        createdAt: time,
      }),
    )
    .describe('Runs that have not ended and may come to the same POs, latest first; at most 5.'),
});

/** `POST /bulk`: starts a run. 409 if the number of POs is no longer `expected`. */
export const bulkRequest = z.strictObject({
  action: poAction,
  filter: poFilter,
  expected: z.int().min(1).describe('The number that the person confirmed.'),
  assignee,
  note,
});

/** The parsed filter, for answers, because the query schemas only parse. */
const shownFilter = z.object({
  account: z.string().optional(),
  state: z.array(poState).optional(),
  reason: z.string().optional(),
  message: z.string().optional(),
  importId: id.optional(),
  alarm: z.boolean().optional(),
  alarmCause: z.string().optional(),
  needs: z.enum(['settling', 'person']).optional(),
  settled: z.boolean().optional(),
  assignee: z.string().optional(),
  quote: z.boolean().optional(),
  po: z.string().optional(),
  changedBefore: givenTime.optional(),
  changedAfter: givenTime.optional(),
});

export const bulkRun = z.object({
  id,
  action: poAction,
  filter: shownFilter,
  sentence: z.string().describe('What it does, in one sentence.'),
  who: z.string(),
  assignee: orNull(z.string(), 'Of the action assign: to whom; null: to nobody in particular.'),
  note: z.string().nullable(),
  state: z.enum(['waiting', 'running', 'stopped', 'finished']),
  expected: z.int(),
  tried: z.int().describe('POs that it has come to.'),
  done: z.int(),
  notDone: z.int(),
  reasons: z
    .array(z.object({ why: z.string(), count: z.int() }))
    .describe('Why POs could not be changed; at most 20.'),
  createdAt: time,
  finishedAt: time.nullable(),
  stoppedBy: z.string().nullable(),
});
export type BulkRun = z.infer<typeof bulkRun>;

/** `GET /bulk`, latest first; one: `GET /bulk/:id`; `POST /bulk/:id/stop` ends it after the POs in progress. */
export const bulkRunsQuery = z.object({
  ...listQuery,
  running: z.stringbool().optional().describe('True: only those that are not ended.'),
});
export const bulkRunsAnswer = pageOf(bulkRun);
export type BulkCountAnswer = z.infer<typeof bulkCountAnswer>;
export type BulkRunsAnswer = z.infer<typeof bulkRunsAnswer>;
