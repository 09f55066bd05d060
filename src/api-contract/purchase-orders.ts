import { z } from 'zod';
import {
  accountName,
  advisedPlace,
  cappedCount,
  commaList,
  givenTime,
  id,
  listOrder,
  listQuery,
  money,
  offeredAction,
  orNull,
  pageOf,
  partOf,
  poAction,
  poState,
  poSum,
  time,
} from './basics.ts';
import { issueRow } from './import-issues.ts';
import { poOrder } from './po-order.ts';

const flag = z.stringbool().or(z.boolean()).optional();

/** Which POs: every given condition must hold. The same for lists, for bulk runs and for CSV. */
const poFilterShape = {
  account: accountName.optional(),
  state: commaList(poState, 20).optional().describe('One or more states, in a query separated by commas.'),
  reason: z.string().max(100).optional().describe('Reason code.'),
  message: z.string().max(4000).optional().describe('The whole text of the reason.'),
  importId: id.optional(),
  alarmCause: z.string().max(1000).optional().describe('In what its order differs, as Today names it.'),
  needs: z
    .enum(['settling', 'person'])
    .optional()
    .describe(
      'settling: failed, rejected or with an alarm, and nobody has said that it is not needed. person: that, or held.',
    ),
  settled: flag.describe('True: only POs that a person says are not needed.'),
  assignee: z.string().max(200).optional().describe('The name of the user who takes care of it.'),
  alarm: flag.describe('True: only POs with an alarm.'),
  quote: flag.describe('True: only quotes. False: no quotes.'),
  po: partOf('PO number', 100),
  changedBefore: givenTime.optional().describe('Not changed since.'),
  changedAfter: givenTime.optional(),
};
export const poFilter = z.strictObject(poFilterShape);
export type PoFilter = z.infer<typeof poFilter>;

/** `GET /purchase-orders`. */
export const purchaseOrdersQuery = z.object({
  ...listQuery,
  ...poFilterShape,
  sort: z
    .enum(['received', 'number'])
    .default('received')
    .describe('received: as they came into the ledger. number: by PO number.'),
  order: listOrder.describe('`newest`: the latest, or the last number, first.'),
});

export const poSummary = z.object({
  id,
  account: accountName,
  poNumber: z.string(),
  importId: id,
  fileName: z.string(),
  firstRow: z.int().describe('First row of the PO in its file.'),
  lineCount: z.int(),
  state: poState,
  quoteOnly: z.boolean(),
  cancelling: z.boolean().describe('A person cancelled it; its cart is still to be deleted.'),
  holding: z.boolean().describe('A person wants it held; it is held at its next step.'),
  reasonCode: z.string().nullable(),
  reasonText: z.string().nullable(),
  alarm: z.string().nullable(),
  settled: z
    .boolean()
    .describe('True: a person says that it is not needed: its alarm, or that it failed or was rejected.'),
  assignee: orNull(z.string(), 'Who takes care of it; null: nobody in particular.'),
  createdAt: time,
  changedAt: time,
  orderedAt: time.nullable(),
  orderNumbers: z.array(z.string()),
  orderStatuses: z
    .array(z.string().nullable())
    .describe('Of these orders, as the service names them; null: not shown yet.'),
  statusMeaning: orNull(z.string(), 'What these statuses mean, in sentences; null without orders.'),
  actions: z.array(poAction).describe('Names of the actions that its state and reason allow.'),
  advised: orNull(poAction, 'Which of these is advised; null: none.'),
  unlikely: z.array(poAction).describe('Which of these will not help.'),
});
export type PoSummary = z.infer<typeof poSummary>;
export const purchaseOrdersAnswer = pageOf(poSummary).extend({ total: cappedCount, sum: poSum });

/** The sentence about a PO's state and the reason. */
export const poBanner = z.object({
  tone: z.enum(['good', 'progress', 'attention', 'bad', 'neutral']),
  sentence: z.string().describe('State and reason in one sentence.'),
  next: orNull(z.string(), 'What happens next and when, in one sentence; null: nothing more.'),
  nextAt: orNull(time, 'When it happens, as the ledger has it; null: at once, or not known.'),
  advice: orNull(z.string(), 'What a person can do, in one sentence.'),
  actions: z.array(offeredAction),
  place: orNull(advisedPlace, 'Where a person does what is advised; null: by an action, or nowhere.'),
});
export type PoBanner = z.infer<typeof poBanner>;

export const poLine = z.object({
  rowNumber: z.int(),
  item: z.string().describe('SKU or item number as the file has it.'),
  sku: orNull(z.string(), 'As the service answered it.'),
  name: z.string().nullable(),
  quantity: orNull(z.int(), 'Null: the row was refused.'),
  available: orNull(
    z.int(),
    'Null, as with the next two: the service has not answered this line, or not so.',
  ),
  backorder: z.int().nullable(),
  price: money.nullable(),
  expectedPrice: orNull(money, 'Null: the file names none.'),
  difference: orNull(money, 'Price minus expected price; null where one of them is missing.'),
  amount: orNull(money, 'Price times quantity.'),
  note: z.string().nullable(),
  refusal: orNull(z.string(), 'Why the service refused the line.'),
  problem: z
    .enum(['refused', 'backordered', 'price_above'])
    .nullable()
    .describe(
      'refused: by the service or because of an issue of its row. backordered: not all of it is in stock. price_above: it costs more than the file expects. Null: none of these.',
    ),
  options: z.record(z.string(), z.unknown()).describe('Cart options of the row.'),
});

export const poEvent = z.object({
  at: time,
  kind: z.enum(['read', 'intent', 'status', 'action', 'state']),
  what: z.string().describe('In words.'),
  detail: z.string().nullable(),
  who: orNull(z.string(), 'The person; null: Cartwright.'),
  outcome: orNull(z.string(), 'Of an intent; null: it has none yet, or the event is none.'),
  endedAt: time.nullable(),
  durationMs: z.number().nullable(),
  epoch: orNull(z.int(), 'The attempt, from 0.'),
  failed: z.boolean().describe('A step that did not succeed, or the PO failed or was rejected.'),
});

/** `GET /purchase-orders/:id`. */
export const poDetail = poSummary
  .omit({ actions: true, advised: true, unlikely: true, statusMeaning: true })
  .extend({
    asOf: time,
    pause: orNull(
      z.object({ code: z.string(), canResume: z.boolean().describe('A person can end it.') }),
      'The pause of its account; null: it is not paused.',
    ),
    banner: poBanner,
    epoch: z.int().describe('The attempt, from 0.'),
    rebuilds: z.int(),
    cartNumber: z.string().nullable(),
    closedAt: time.nullable(),
    rowsPrunedAt: orNull(time, 'When its lines and issues were removed by age; null: they are here.'),
    options: z.record(z.string(), z.unknown()).describe('Cart options by their names in the interface.'),
    lines: z.array(poLine).describe('At most 2,000: those with a problem first, then by row.'),
    lineTotal: orNull(money, 'Sum of the amounts; null where a line has no price.'),
    priceDifference: orNull(
      z.object({ amount: money, percent: orNull(z.number(), 'Null: the file’s prices are 0.') }),
      'What the lines whose price the file names cost more than that, together.',
    ),
    orders: z.array(poOrder),
    issues: z.array(issueRow.omit({ poNumber: true })),
    timeline: z.array(poEvent).describe('Oldest first, at most 1,000.'),
    others: z
      .array(
        z.object({
          id,
          importId: id,
          fileName: z.string(),
          state: poState,
          reasonCode: z.string().nullable(),
          settled: z.boolean(),
          quoteOnly: z.boolean(),
          createdAt: time,
        }),
      )
      .describe('Other POs with this number in the account.'),
  });
export type PoDetail = z.infer<typeof poDetail>;

/** `GET /purchase-orders/:id/rows`: the rows of the file that the PO came from. Read from the file, so separate from the page's data. */
export const rawRowsAnswer = z.object({
  header: z.array(z.string()).nullable(),
  rows: z
    .array(z.object({ rowNumber: z.int(), cells: z.array(z.string()) }))
    .describe('At most 200 rows of the PO, as the file has them.'),
  why: orNull(z.string(), 'Why the rows cannot be shown, in a sentence; null: they are shown.'),
});
export type RawRowsAnswer = z.infer<typeof rawRowsAnswer>;

/** `GET /purchase-orders/facets`. */
export const poFacetsQuery = z.object({ account: accountName.optional(), importId: id.optional() });

/** POs by state and by hold reason, for the list's filters. */
export const poFacets = z.object({
  states: z.array(z.object({ state: poState, count: cappedCount })),
  reasons: z.array(z.object({ reasonCode: z.string(), meaning: z.string(), count: cappedCount })),
});
export type PoFacets = z.infer<typeof poFacets>;

export type PurchaseOrdersAnswer = z.infer<typeof purchaseOrdersAnswer>;
export type PoLine = z.infer<typeof poLine>;
export type PoEvent = z.infer<typeof poEvent>;
