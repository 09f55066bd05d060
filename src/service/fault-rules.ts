import { z } from 'zod';

/** The seven endpoints of the spec, by the names that fault rules and the audit log use. */
export const endpoints = [
  'createCart',
  'showCart',
  'addItem',
  'deleteCart',
  'submitOrder',
  'showOrder',
  'listOrders',
] as const;
export type Endpoint = (typeof endpoints)[number];

/**
 * What a client can meet in place of its answer. `…-before`: nothing was done. `…-after`: it was done, and
 * the client does not get to know. `act-late`: the client meets `cutBy` now, and it is done `delayMs` later.
 */
export const faultKinds = [
  'close-before',
  'hang-before',
  'delay',
  '500-before',
  '503-before',
  '429-seconds',
  '429-date',
  'redirect',
  'html',
  'close-after',
  'hang-after',
  '500-after',
  'empty-after',
  'truncated-after',
  'act-late',
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** What a client can meet without any answer of the endpoint. */
export const cuts = ['hang', 'close', '500', '503', 'empty', 'truncated', 'html', 'redirect'] as const;
export type Cut = (typeof cuts)[number];

/** One fault rule. The first rule that fits a call and fires is the one that is given. */
export const faultRule = z.strictObject({
  endpoint: z
    .enum([...endpoints, 'any'])
    .default('any')
    .describe('The endpoint that it meets.'),
  kind: z.enum(faultKinds).describe('What is given.'),
  poNumber: z.string().optional().describe('Only calls for this PO number.'),
  skip: z.int().min(0).default(0).describe('Lets this many fitting calls pass first.'),
  count: z.int().min(1).optional().describe('Given at most so many times; without it, always.'),
  probability: z.number().min(0).max(1).default(1).describe('The share of the fitting calls that it meets.'),
  seed: z.int().default(1).describe('Decides which calls those are: the same seed, the same calls.'),
  delayMs: z.int().min(0).max(600_000).default(1_000).describe('For delay and act-late.'),
  retryAfterSeconds: z.int().min(0).max(86_400).default(1).describe('For 429-seconds and 429-date.'),
  cutBy: z.enum(cuts).default('hang').describe('For act-late: what the client meets before it is done.'),
});
export type FaultRule = z.infer<typeof faultRule>;
/** A fault rule as a person writes it: everything but `kind` may be left out. */
export type FaultRuleInput = z.input<typeof faultRule>;
