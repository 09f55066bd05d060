import { z } from 'zod';
import { eventKindNames, severities } from '../notify/kinds.ts';
import { cron, refuseNeverDue, timeZone } from './cron.ts';
import { readOpeningTimes } from './opening-hours.ts';

const variable = z.string().min(1);
const file = z.string().min(1);

/** Exactly one of the two settings for a secret must be set. */
const oneOfTwo = (
  given: Record<string, unknown>,
  [inVariable, inFile]: readonly [string, string],
  need: (path: string, message: string) => void,
  why: string,
): void => {
  if ((given[inVariable] === undefined) === (given[inFile] === undefined))
    need(inVariable, `must be set ${why}, or ${inFile} instead of it; not both`);
};

const smtpSchema = z
  .strictObject({
    host: z
      .string()
      .regex(/^(?:[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_.])?|[0-9a-f:.]*:[0-9a-f:.]*)$/i, {
        error: 'must be the name or the address of a host; its port is a setting of its own',
      })
      .describe('The mail server.'),
    port: z.int().min(1).max(65535).default(587).describe('Its port.'),
    security: z
      .enum(['starttls', 'tls', 'none'])
      .default('starttls')
      .describe('How the connection is encrypted. Without encryption nothing is sent unless it is `none`.'),
    ca: z
      .string()
      .min(1)
      .optional()
      .describe(
        'File with the certificate of the authority that signed the server’s, in PEM format, if it is your own.',
      ),
    user: z.string().min(1).optional().describe('The user of the mail server, if it asks for one.'),
    secretEnv: variable.optional().describe('Environment variable with the password of that user.'),
    secretFile: file
      .optional()
      .describe('File that holds the password and nothing else, instead of secretEnv.'),
    from: z.email({ error: 'must be an e-mail address' }).describe('Sender of the messages.'),
  })
  .superRefine(({ user, secretEnv, secretFile, security, host }, context) => {
    const need = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (user !== undefined || (secretEnv !== undefined && secretFile !== undefined))
      oneOfTwo({ secretEnv, secretFile }, ['secretEnv', 'secretFile'], need, 'if user is set');
    if (user !== undefined && security === 'none' && !['localhost', '127.0.0.1', '::1'].includes(host))
      need('security', 'must be starttls or tls if user is set, because the password would be readable');
  });

const urls = ['urlEnv', 'urlFile'] as const;

const routeSchema = z
  .strictObject({
    kind: z
      .enum(['email', 'webhook', 'slack', 'teams'])
      .describe(
        'How messages are sent. `webhook`: signed JSON to your own program; `slack` and `teams`: an incoming webhook of theirs, or of a program that understands the same.',
      ),
    to: z
      .array(z.email({ error: 'must be an e-mail address' }))
      .min(1)
      .optional()
      .describe('Recipients, for `email`.'),
    url: z
      .url({ protocol: /^https?$/, error: 'must be a web address starting with http:// or https://' })
      .refine((url) => !/^\w+:\/\/[^/?#]*@/.test(url), {
        error: 'must not contain a user or password: the messages are signed instead (secretEnv)',
      })
      .optional()
      .describe('Address that messages are posted to, for `webhook`.'),
    urlEnv: variable
      .optional()
      .describe('Environment variable with the address, for `slack` and `teams`: it is a secret.'),
    urlFile: file.optional().describe('File that holds that address and nothing else, instead of urlEnv.'),
    secretEnv: variable
      .optional()
      .describe('Environment variable with the secret that signs the messages, for `webhook`.'),
    secretFile: file
      .optional()
      .describe('File that holds that secret and nothing else, instead of secretEnv.'),
    accounts: z.array(z.string().min(1)).min(1).optional().describe('Only these accounts. Default: all.'),
    severity: z.enum(severities).default('warning').describe('Events of this severity and above are sent.'),
    events: z
      .array(z.enum(eventKindNames))
      .min(1)
      .optional()
      .describe('Exactly these events are sent, whatever their severity.'),
    timeZone: timeZone.describe('Time zone of quietHours, of summary and of the times in messages.'),
    quietHours: z
      .string()
      .refine((text) => readOpeningTimes(text) !== undefined, {
        error: 'must be two different times such as 20:00-06:30',
      })
      .optional()
      .describe(
        'When nothing but alarms is sent, such as `20:00-06:30`; afterwards what has happened comes in one message.',
      ),
    summary: cron
      .optional()
      .describe('Cron pattern of a summary of the last 24 hours, such as "0 7 * * 1-5".'),
  })
  .superRefine((route, context) => {
    const { kind, to, url, urlEnv, urlFile, secretEnv, secretFile } = route;
    const { timeZone, summary } = route;
    const issue = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    const given = { to, url, urlEnv, urlFile, secretEnv, secretFile };
    const needed = { email: ['to'], webhook: ['url'], slack: [], teams: [] }[kind] as string[];
    const pair: readonly string[] | undefined = {
      ...{ email: undefined, webhook: ['secretEnv', 'secretFile'], slack: urls, teams: urls },
    }[kind];
    for (const [name, value] of Object.entries(given)) {
      if (value === undefined && needed.includes(name)) issue(name, `must be set for kind: ${kind}`);
      if (value !== undefined && !needed.includes(name) && !pair?.includes(name))
        issue(name, `is not used for kind: ${kind}; remove it`);
    }
    if (pair) oneOfTwo(given, pair as [string, string], issue, `for kind: ${kind}`);
    refuseNeverDue({ timeZone, summary }, context);
  });

/** The schema of `notifications` in cartwright.yaml. */
export const notificationSchema = z
  .strictObject({
    routes: z
      .record(
        z.string().regex(/^[a-z0-9][a-z0-9_-]{0,39}$/, {
          error: 'must be a name of lower-case letters, digits, - and _ (at most 40)',
        }),
        routeSchema,
      )
      .default({}),
    smtp: smtpSchema.optional(),
  })
  .prefault({})
  .superRefine(({ routes, smtp }, context) => {
    for (const [name, { kind }] of Object.entries(routes)) {
      if (kind === 'email' && smtp === undefined)
        context.addIssue({
          code: 'custom',
          path: ['smtp'],
          message: `must be set for the route ${name}, which sends e-mail`,
        });
    }
  });
