import { z } from 'zod';
import { aboutActions, poActions } from './action-words.ts';

/** A nullable value, described together with the meaning of null. */
export const orNull = <Schema extends z.ZodType>(schema: Schema, about: string) =>
  schema.nullable().describe(about);

/** The id of a row of the ledger. A bigint there, so text here. */
export const id = z
  .string()
  .regex(/^\d{1,18}$/, 'an ID: up to 18 digits')
  .describe('Id in the ledger: decimal digits as text.');

export const uuid = z.uuid();

export const time = z.string().describe('ISO 8601 in UTC, with milliseconds.');

/** The ID in the address of a route. */
export const idParams = z.object({ id });

const firstTime = Date.parse('0001-01-01T00:00:00Z');

/** A time in a request. The ledger has no times before the year 1. */
export const givenTime = z.iso
  .datetime({ offset: true, abort: true })
  .refine((text) => Date.parse(text) >= firstTime, 'a time such as 2026-11-23T08:00:00Z')
  .describe('ISO 8601 with Z or an offset.');

export const money = z
  .string()
  .describe('Decimal number as text, as the ledger has it. The service names no currency.');

export const accountName = z.string().min(1).max(200).describe('Name of an account of the configuration.');

export const accountParams = z.object({ account: accountName });
export const accountQuery = z.object({ account: accountName.optional() });

const poStates = [
  'rejected',
  'held',
  'ready',
  'cart_created',
  'items_added',
  'submitting',
  'verifying',
  'ordered',
  'closed',
  'failed',
  'cancelled',
] as const;
export const poState = z.enum(poStates).describe('State of a PO, see docs/rules.md#states.');
export type PoState = z.infer<typeof poState>;

/** The number of POs by state; omits states that do not occur. */
export const stateCounts = z
  .partialRecord(z.enum([...poStates, 'quoted', 'corrected', 'not_needed']), z.int())
  .describe(
    'POs by state; a state without POs is left out. Quotes with their prices are `quoted`, not `cancelled`; of failed and rejected POs those that a later file has are `corrected`, and those that a person says are not needed `not_needed`.',
  );
export type StateCounts = z.infer<typeof stateCounts>;

export const cappedCount = z
  .object({
    count: z
      .int()
      .describe('How many were counted; counting ends at 10,000, by a part of a PO number at 2,000.'),
    more: z.boolean().describe('True: there are more than `count`.'),
  })
  .describe('A count that is cheap on large ledgers: show "10,000+" where `more` is true.');
export type CappedCount = z.infer<typeof cappedCount>;

/** The known total cost of POs. */
export const poSum = orNull(
  z.object({
    goods: orNull(
      money,
      'Quantities times the service’s prices, otherwise those that the file expects; null: no line has either.',
    ),
    unpriced: z.int().describe('Lines with neither.'),
    above: orNull(
      z.object({ amount: money, percent: z.number() }),
      'By how much the service’s prices are above those that the file expects, of lines that have both; null: they are not.',
    ),
  }),
  'Null where too many POs match to add them up.',
);
export type PoSum = z.infer<typeof poSum>;

/** A comma-separated list in a query parameter. */
export const commaList = <Item extends z.ZodType>(item: Item, most: number) =>
  z.preprocess(
    (value) => (typeof value === 'string' ? value.split(',') : value),
    z.array(item).min(1).max(most),
  );

/** Query parameters of every list. */
export const listQuery = {
  cursor: z
    .string()
    .max(2000)
    .optional()
    .describe('`next` of the page before. Only valid with the same filters and order.'),
  limit: z.coerce.number().int().min(1).max(200).default(50).describe('Entries on a page.'),
  format: z
    .enum(['json', 'csv'])
    .default('json')
    .describe('`csv`: the whole list with these filters as an attachment, at most 100,000 rows.'),
};

/** The direction of a list, used with `sort`. */
export const listOrder = z.enum(['newest', 'oldest']).default('newest');

/** A filter by a part of a text. */
export const partOf = (what: string, most: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(most)
    .optional()
    .describe(`Part of the ${what}, in any case; with less than three characters its beginning.`);

/** A page of a list. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    next: orNull(z.string(), 'Cursor of the next page; null on the last one.'),
  });

export const note = z
  .string()
  .trim()
  .max(500)
  .optional()
  .describe('Why a person does it; stored with the action and shown in the timeline.');

/** Operator actions on POs. */
export const poAction = z.enum(poActions).describe(aboutActions);

/** The assignee of something that needs a person. */
export const assignee = z
  .string()
  .max(200)
  .nullable()
  .optional()
  .describe('Of the action assign: the name of the user who takes care of it; null: nobody in particular.');

/** Where a person follows the advice, if it is not an action on the PO itself. */
export const advisedPlace = z
  .enum(['correct', 'upload', 'questions'])
  .describe(
    'correct: its rows are corrected in the browser. upload: a corrected file is uploaded. questions: a question on Today is answered.',
  );
export type AdvisedPlace = z.infer<typeof advisedPlace>;

export const actionRank = z
  .enum(['advised', 'possible', 'unlikely'])
  .describe(
    'advised: what the advice says to do, once at most. unlikely: the rules allow it, and `why` says why it will not help.',
  );

/** An action offered for a PO or a group of POs. */
export const offeredAction = z.object({
  action: poAction,
  label: z.string().describe('On the button: `Release`.'),
  effect: z.string().describe('What it does, in one sentence, for the confirmation.'),
  rank: actionRank,
  why: orNull(z.string(), 'Why it will not help; null unless it is unlikely to.'),
});
export type OfferedAction = z.infer<typeof offeredAction>;
