import { z } from 'zod';

/** The id of a row of the ledger. A bigint there, so text here. */
export const id = z
  .string()
  .regex(/^\d{1,18}$/, 'an ID: up to 18 digits')
  .describe('Id in the ledger: decimal digits as text.');

export const uuid = z.uuid();

export const time = z.string().describe('ISO 8601 in UTC, with milliseconds.');

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

export const poStates = [
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

/** A number of POs in each state; states that do not occur are left out. */
export const stateCounts = z
  .partialRecord(z.enum([...poStates, 'quoted']), z.int())
  .describe(
    'POs by state; a state without POs is left out. Quotes with their prices are `quoted`, not `cancelled`.',
  );
export type StateCounts = z.infer<typeof stateCounts>;

export const cappedCount = z
  .object({
    count: z.int().describe('How many were counted; counting ends at 10,000.'),
    more: z.boolean().describe('True: there are more than `count`.'),
  })
  .describe('A count that is cheap on large ledgers: show "10,000+" where `more` is true.');
export type CappedCount = z.infer<typeof cappedCount>;

/** What POs cost, as far as it is known. */
export const poSum = z
  .object({
    goods: money
      .nullable()
      .describe(
        'Quantities times the service’s prices, otherwise those that the file expects; null: no line has either.',
      ),
    unpriced: z.int().describe('Lines with neither.'),
  })
  .nullable()
  .describe('Null where too many POs match to add them up.');
export type PoSum = z.infer<typeof poSum>;

/** What every list accepts. */
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

/** A page of a list. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({
    items: z.array(item),
    next: z.string().nullable().describe('Cursor of the next page; null on the last one.'),
  });

export const note = z
  .string()
  .trim()
  .max(500)
  .optional()
  .describe('Why a person does it; stored with the action and shown in the timeline.');

/** What a person can do with POs. */
export const poActions = ['release', 'submit_again', 'adopt', 'hold', 'cancel', 'retry', 'settle'] as const;
export const poAction = z
  .enum(poActions)
  .describe(
    'release: continue a held PO. submit_again: submit again after an unknown submission. adopt: the order at the service is this PO. hold: before it is submitted, at its next step. cancel: before it is ordered, at its next step. retry: a failed PO. settle: its current alarm is no longer counted.',
  );
export type PoAction = z.infer<typeof poAction>;

/** An action that is offered beside a PO or a group of POs. */
export const offeredAction = z.object({
  action: poAction,
  label: z.string().describe('On the button: `Release`.'),
  effect: z.string().describe('What it does, in one sentence, for the confirmation.'),
});
export type OfferedAction = z.infer<typeof offeredAction>;
