import { z } from 'zod';

/** How a duration is written in the configuration: `250ms`, `30s`, `5m`, `24h`, `7d`. Becomes milliseconds. */
export const duration = z
  .string()
  .regex(/^\d+(\.\d+)?(ms|s|m|h|d)$/, { error: 'a duration such as 250ms, 30s, 5m, 24h or 7d' })
  .transform((text) => {
    const [, amount, unit] = /^([\d.]+)([a-z]+)$/.exec(text)!;
    return Math.round(
      Number(amount) * { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[unit as 'ms'],
    );
  });

const secretEnv = z
  .string()
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'the name of an environment variable' })
  .describe('Name of the environment variable that holds the secret.');

const authSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  z.strictObject({ kind: z.literal('bearer'), secretEnv }),
  z.strictObject({ kind: z.literal('basic'), user: z.string().min(1), secretEnv }),
  z.strictObject({ kind: z.literal('header'), name: z.string().min(1), secretEnv }),
  z.strictObject({ kind: z.literal('query'), name: z.string().min(1), secretEnv }),
]);
export type AuthOptions = z.infer<typeof authSchema>;

/** An address that calls can be appended to. What it says wrong is said without it: it may hold a password. */
const baseUrl = z
  .url({ protocol: /^https?$/, error: 'a web address that starts with http:// or https://' })
  .refine(
    (text) => {
      if (!URL.canParse(text)) return true;
      const { username, password } = new URL(text);
      return username === '' && password === '';
    },
    {
      error:
        'a web address without user and password; set accounts.NAME.auth, and the secret in an environment variable',
    },
  )
  .refine((text) => !/[?#]/.test(text), { error: 'a web address without ? and #' });

/** The part of an account that says how its service is reached and spoken to (open-points.md). */
export const apiOptionsShape = {
  baseUrl: baseUrl.describe(
    'Base address of the dealer order service, without user, password and query. Two accounts with one address and credential are refused.',
  ),
  auth: authSchema.default({ kind: 'none' }).describe('How requests are authorised.'),
  requestFormat: z.enum(['json', 'form']).default('json').describe('Content type of what is sent.'),
  dateRangeIn: z
    .enum(['query', 'body'])
    .default('query')
    .describe('Where from_date and to_date are carried.'),
  requestTimeout: duration.prefault('30s').describe('How long one call may take.'),
  maxAnswerBytes: z
    .int()
    .min(65_536)
    .max(268_435_456)
    .default(33_554_432)
    .describe(
      'Largest answer that is read, after decompression (bytes). A larger one counts as no clear answer; a date range is then read in parts.',
    ),
  inFlight: z.int().min(1).max(512).default(16).describe('How many calls may be under way at once.'),
  callsPerSecond: z
    .number()
    .positive()
    .optional()
    .describe('How many calls may start in a second; unlimited when absent.'),
};

/** What the client needs, with the secret already read from the environment. */
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
