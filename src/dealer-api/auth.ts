import { z } from 'zod';
import type { ApiOptions } from './options.ts';

/** Names a secret: in an environment variable, or in a file. */
export const secretShape = {
  secretEnv: z
    .string()
    .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { error: 'must be the name of an environment variable' })
    .optional()
    .describe('Name of the environment variable that holds the secret.'),
  secretFile: z
    .string()
    .min(1)
    .optional()
    .describe('File that holds the secret and nothing else, instead of secretEnv.'),
};

/** Exactly one of the two settings for a secret must be set. */
export const oneSecret = (
  { secretEnv, secretFile }: { secretEnv?: string | undefined; secretFile?: string | undefined },
  context: z.RefinementCtx,
): void => {
  if ((secretEnv === undefined) !== (secretFile === undefined)) return;
  context.addIssue({
    code: 'custom',
    path: ['secretEnv'],
    message: 'must be set, or secretFile instead of it; not both',
  });
};

export const authSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('none') }),
    z.strictObject({ kind: z.literal('bearer'), ...secretShape }),
    z.strictObject({ kind: z.literal('basic'), user: z.string().min(1), ...secretShape }),
    z.strictObject({ kind: z.literal('header'), name: z.string().min(1), ...secretShape }),
    z.strictObject({ kind: z.literal('query'), name: z.string().min(1), ...secretShape }),
  ])
  .superRefine((auth, context) => {
    if (auth.kind !== 'none') oneSecret(auth, context);
  });
export type AuthOptions = z.infer<typeof authSchema>;

type Authorised = Pick<ApiOptions, 'auth' | 'secret'>;

export const authHeaders = ({ auth, secret = '' }: Authorised): Record<string, string> => {
  if (auth.kind === 'bearer') return { authorization: `Bearer ${secret}` };
  if (auth.kind === 'header') return { [auth.name.toLowerCase()]: secret };
  if (auth.kind !== 'basic') return {};
  return { authorization: `Basic ${Buffer.from(`${auth.user}:${secret}`).toString('base64')}` };
};

export const authQuery = ({ auth, secret = '' }: Authorised): Record<string, string> =>
  auth.kind === 'query' ? { [auth.name]: secret } : {};

/**
 * Identifies an account at a service: two accounts with equal identities are the same account there. Built from what is
 * sent, so that two spellings of an address are equal and two users with the same password are not. It contains the secret
 * and must never be shown.
 */
export const accountIdentity = (api: ApiOptions): string => {
  // URL has made scheme and host lower case and removed the default port.
  const url = new URL(api.baseUrl);
  const host = url.host.replace(/\.(?=$|:)/, '');
  const path = url.pathname.replace(/\/+$/, '');
  return JSON.stringify([url.protocol, host, path, authHeaders(api), authQuery(api)]);
};
