import type { ApiOptions } from './options.ts';

type Authorised = Pick<ApiOptions, 'auth' | 'secret'>;

/** The headers that authorise a request. */
export const authHeaders = ({ auth, secret = '' }: Authorised): Record<string, string> => {
  if (auth.kind === 'bearer') return { authorization: `Bearer ${secret}` };
  if (auth.kind === 'header') return { [auth.name.toLowerCase()]: secret };
  if (auth.kind !== 'basic') return {};
  return { authorization: `Basic ${Buffer.from(`${auth.user}:${secret}`).toString('base64')}` };
};

/** The query parameters that authorise a request. */
export const authQuery = ({ auth, secret = '' }: Authorised): Record<string, string> =>
  auth.kind === 'query' ? { [auth.name]: secret } : {};

/**
 * Who an account is at which service: two accounts of one identity are one account there. It is what is sent, so that
 * two spellings of one address are the same and two users with one password are not. Holds the secret: never to be
 * shown.
 */
export const accountIdentity = (api: ApiOptions): string => {
  // A URL is in small letters up to its path, and without the port that its scheme has anyway.
  const url = new URL(api.baseUrl);
  const host = url.host.replace(/\.(?=$|:)/, '');
  const path = url.pathname.replace(/\/+$/, '');
  return JSON.stringify([url.protocol, host, path, authHeaders(api), authQuery(api)]);
};
