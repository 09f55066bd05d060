import { z } from 'zod';
import { oneSecret, secretShape } from '../dealer-api/auth.ts';

const webhookSchema = z
  .strictObject({
    url: z
      .url({ protocol: /^https?$/, error: 'must be a web address starting with http:// or https://' })
      .refine((url) => !/^\w+:\/\/[^/?#]*@/.test(url), {
        error: 'must not contain a user or password: the requests are signed instead (secretEnv)',
      })
      .describe('Address to which each change of a purchase order or an order is posted.'),
    ...secretShape,
    batch: z
      .int()
      .min(1)
      .max(500)
      .default(1)
      .describe(
        'The most changes in one request. With 1 a request is one CloudEvent, otherwise a list of them.',
      ),
    allowPrivate: z
      .boolean()
      .default(false)
      .describe('Whether the address may be one of a private network or of this machine.'),
  })
  .superRefine(oneSecret);

/** The webhooks of an account's changes. */
export const syncSchema = z.strictObject({
  webhooks: z
    .record(
      z.string().regex(/^[a-z0-9][a-z0-9-]{0,39}$/, {
        error: 'must be a name of small letters, digits and hyphens, such as shop',
      }),
      webhookSchema,
    )
    .default({})
    .describe('Webhooks that are sent every change, by name.'),
});
