import { z } from 'zod';
import { role } from '../api-contract/access.ts';
import { duration } from './duration.ts';

const openIdSchema = z
  .strictObject({
    issuer: z
      .url({ protocol: /^https?$/, error: 'must be a web address starting with http:// or https://' })
      .describe('Address of the OpenID provider, as its discovery document names it.'),
    clientId: z.string().min(1).describe('The client ID that the provider gave to the console.'),
    clientSecretEnv: z
      .string()
      .min(1)
      .optional()
      .describe('Environment variable that holds the client secret; not set for a public client.'),
    groupsClaim: z.string().min(1).default('groups').describe('Claim of the ID token that lists the groups.'),
    groups: z
      .record(
        z.string().min(1),
        z
          .strictObject({ role, accounts: z.array(z.string().min(1)).min(1).optional() })
          .refine(({ role, accounts }) => role !== 'admin' || accounts === undefined, {
            path: ['accounts'],
            error: 'must not be set for an admin, who has all accounts',
          }),
      )
      .default({})
      .describe(
        'Group to role and accounts: `ops: { role: operator, accounts: [north] }`; without accounts, all of them. A person with several groups gets the highest role, with the accounts of all groups that give it; a person without any is refused.',
      ),
  })
  .optional()
  .describe('Sign-in with OpenID Connect, besides passwords. Needs publicUrl.');

/** The settings of the operators' console. */
export const consoleSchema = z
  .strictObject({
    host: z
      .string()
      .min(1)
      .default('127.0.0.1')
      .describe(
        'Address on which `up` and `console` serve the console. Other addresses than those of this machine alone need a user, publicUrl, and tls or trustProxy.',
      ),
    port: z
      .int()
      .min(0)
      .max(65535)
      .default(8490)
      .describe('Port of the console. With 0, or if another program uses the port, a free one is chosen.'),
    publicUrl: z
      .url({ protocol: /^https?$/, error: 'must be a web address starting with http:// or https://' })
      .optional()
      .describe(
        'The address under which people open the console, such as https://orders.example.com. Requests for other names are refused.',
      ),
    tls: z
      .strictObject({
        cert: z.string().min(1).describe('File with the certificate and its chain, in PEM format.'),
        key: z.string().min(1).describe('File with the private key, in PEM format.'),
      })
      .optional(),
    trustProxy: z
      .array(
        z.string().regex(/^[0-9a-fA-F:.]+(\/\d+)?$/, {
          error: 'must be an IP address, or a range such as 10.0.0.0/8',
        }),
      )
      .default([])
      .describe(
        'Addresses of reverse proxies that end TLS: their X-Forwarded headers are believed, those of others are not.',
      ),
    session: z
      .strictObject({
        idle: duration.prefault('8h').describe('A sign-in ends when it is not used for this long.'),
      })
      .prefault({}),
    openId: openIdSchema,
    queues: z
      .strictObject({
        readOnly: z
          .boolean()
          .default(true)
          .describe(
            'With true, the queues page only shows jobs, and workers resume queues that were paused or limited from outside. With false, admins can also pause queues and remove or retry jobs there; a paused queue then stays paused, and `status` shows it.',
          ),
      })
      .prefault({}),
  })
  .prefault({})
  .superRefine(({ publicUrl, tls, trustProxy, openId }, context) => {
    const need = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    if (trustProxy.length > 0 && publicUrl?.startsWith('https:') !== true)
      need('publicUrl', 'must be the https:// address of the proxy if trustProxy is set');
    if (tls && publicUrl?.startsWith('http:')) need('publicUrl', 'must start with https:// if tls is set');
    // Tokens sent without TLS can be replaced in transit.
    if (openId && !/^https:|^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/.test(openId.issuer))
      context.addIssue({ code: 'custom', path: ['openId', 'issuer'], message: 'must start with https://' });
    if (openId && publicUrl === undefined) need('publicUrl', 'must be set if openId is set');
  });
