import { z } from 'zod';
import { duration } from '../config/duration.ts';
import { type AuthOptions, authSchema } from './auth.ts';

/** A URL to which call paths can be appended. Messages never repeat it, because it may contain a password. */
const baseUrl = z
  .url({ protocol: /^https?$/, error: 'must be a web address starting with http:// or https://' })
  .refine(
    (text) => {
      if (!URL.canParse(text)) return true;
      const { username, password } = new URL(text);
      return username === '' && password === '';
    },
    {
      error:
        'must not contain a user or password; set accounts.NAME.auth, and the secret in an environment variable',
    },
  )
  .refine((text) => !/[?#]/.test(text), { error: 'must not contain ? or #' });

/** The settings of an account for calls to its service (docs/spec-decisions.md). */
export const apiOptionsShape = {
  baseUrl: baseUrl.describe(
    'Base URL of the dealer order service, without user, password and query. Two accounts must not have the same base URL and credential.',
  ),
  auth: authSchema
    .default({ kind: 'none' })
    .describe('How requests are authenticated. Its `kind` is none, bearer, basic, header or query.'),
  requestFormat: z.enum(['json', 'form']).default('json').describe('Format of request bodies.'),
  dateRangeIn: z.enum(['query', 'body']).default('query').describe('Where from_date and to_date are sent.'),
  requestTimeout: duration.prefault('30s').describe('Timeout of one call.'),
  inFlight: z
    .int()
    .min(1)
    .max(512)
    .default(16)
    .describe('Maximum number of calls in flight, over all workers.'),
  callsPerSecond: z
    .number()
    .positive()
    .optional()
    .describe('Maximum number of calls per second, over all workers. Unlimited if not set.'),
};

/** Maximum size of a response. A larger one counts as an unknown result; a date range is then fetched in parts. */
export const maxAnswerBytes = 33_554_432;

/** The client's options, with the secret already read from the environment. */
export interface ApiOptions {
  baseUrl: string;
  auth: AuthOptions;
  secret: string | undefined;
  requestFormat: 'json' | 'form';
  dateRangeIn: 'query' | 'body';
  requestTimeoutMs: number;
  /** After decompression. */
  maxAnswerBytes: number;
}
