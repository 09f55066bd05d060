import { z } from 'zod';
import { orderStatuses } from '../../contract/codes.ts';
import type { ServiceConfig } from '../config.ts';
import { endpoints } from '../fault-rules.ts';

const aTime = 'a time such as 2026-01-31T08:00:00Z';

/** A moment: text over HTTP, a `Date` from a program. */
const moment = z
  .union([z.date(), z.iso.datetime({ offset: true }), z.iso.date()], { error: aTime })
  .transform((given) => new Date(given))
  .refine((at) => at.getUTCFullYear() >= 1970 && at.getUTCFullYear() < 9999, {
    error: 'a year from 1970 to 9998',
  });

/** @internal the documentation lists its fields */
export const clockChange = z
  .strictObject({
    advanceMs: z.number().min(0).max(1e13).optional().describe('Steps the clock forward (milliseconds).'),
    speed: z
      .number()
      .min(0)
      .max(1e9)
      .optional()
      .describe('How many times faster than real time it runs from now on.'),
    freeze: z.boolean().optional().describe('`true` stops it, `false` lets it run at `clockSpeed` again.'),
    set: z
      .union([z.literal('real'), moment], { error: `"real", or ${aTime}` })
      .optional()
      .describe('The date and time that it shows from now on (ISO 8601), also an earlier one, or `real`.'),
  })
  .refine((change) => Object.values(change).some((value) => value !== undefined), {
    error: 'give advanceMs, speed, freeze or set',
  })
  .refine((change) => change.speed === undefined || change.freeze === undefined, {
    error: 'give speed or freeze, not both',
  });

export const statusBody = z.strictObject({ status: z.enum(orderStatuses) });

const limitRule = 'a whole number from 1 to 5000';

/** The input schemas of a service's control, over HTTP and by its functions. */
export const controlSchemas = ({ dealers }: Pick<ServiceConfig, 'dealers'>) => {
  const names = dealers.length > 0 ? dealers.map(({ name }) => name) : ['dealer'];
  const scope = {
    dealer: z.enum(names as [string, ...string[]]).optional(),
    poNumber: z.string().min(1).optional(),
  };
  return {
    scope: z.strictObject(scope),
    seeds: z
      .array(z.record(z.string(), z.unknown(), { error: 'a seed, such as {"po_number": "PO-1"}' }))
      .min(1)
      .max(10_000),
    clockChange,
    status: statusBody.extend({ orderNumber: z.string() }),
    orderNumber: z.strictObject({ orderNumber: z.string() }),
    journalFilter: z.strictObject({
      ...scope,
      endpoint: z.enum(endpoints).optional(),
      since: moment.optional(),
      until: moment.optional(),
      limit: z
        .union([z.number(), z.string().regex(/^\d{1,4}$/)], { error: limitRule })
        .transform(Number)
        .refine((limit) => Number.isInteger(limit) && limit >= 1 && limit <= 5_000, { error: limitRule })
        .optional(),
    }),
  };
};
