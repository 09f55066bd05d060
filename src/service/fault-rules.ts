import { z } from 'zod';

/** The seven endpoints of spec 4, by the names that fault rules and the audit log use. */
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
 * What the client gets instead of the answer. `…-before`: the request is not carried out. `…-after`: it is carried
 * out, but the client gets no answer. `act-late`: the client gets `cutBy` now, and the request is carried out
 * `delayMs` later.
 * @internal also used by tests
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

/** What the client can get without an answer of the endpoint. */
export const cuts = ['hang', 'close', '500', '503', 'empty', 'truncated', 'html', 'redirect'] as const;
export type Cut = (typeof cuts)[number];

/** One fault rule. The first rule that matches a call and fires is applied. */
export const faultRule = z.strictObject({
  endpoint: z
    .enum([...endpoints, 'any'])
    .default('any')
    .describe('Match only calls of this endpoint.'),
  kind: z.enum(faultKinds).describe('The kind of fault.'),
  poNumber: z.string().optional().describe('Match only calls for this PO number.'),
  skip: z.int().min(0).default(0).describe('Skip this many matching calls first.'),
  count: z.int().min(1).optional().describe('Fire at most this many times; if not set, always.'),
  probability: z
    .number()
    .min(0)
    .max(1)
    .default(1)
    .describe('The probability that the rule fires for a matching call.'),
  seed: z.int().default(1).describe('Seed of that choice: the same seed selects the same calls.'),
  delayMs: z.int().min(0).max(600_000).default(1_000).describe('The delay of delay and act-late.'),
  retryAfterSeconds: z
    .int()
    .min(0)
    .max(86_400)
    .default(1)
    .describe('The Retry-After of 429-seconds and 429-date.'),
  cutBy: z
    .enum(cuts)
    .default('hang')
    .describe('For act-late: what the client gets before the request is carried out.'),
});
export type FaultRule = z.infer<typeof faultRule>;
/** A fault rule as configured: everything except `kind` is optional. */
export type FaultRuleInput = z.input<typeof faultRule>;
