import type { Configuration } from 'openid-client';
import { role as roleSchema } from '../../api-contract/access.ts';
import { visible } from '../../api-contract/names.ts';
import type { ConsoleSettings } from '../../config/config.ts';
import type { NewUser } from '../../ledger/console/users.ts';

type OpenIdSettings = NonNullable<ConsoleSettings['openId']>;

/** State that the browser keeps during a sign-in at the provider. */
export interface OpenIdAttempt {
  state: string;
  nonce: string;
  verifier: string;
}

/** Where the provider sends the browser back to. */
export const callbackPath = '/api/v1/sign-in/openid/callback';

const nameOf = (claims: Record<string, unknown>): string => {
  const { preferred_username: username, email, name, sub } = claims;
  const found = [username, email, name, sub].find(
    (value) => typeof value === 'string' && value.trim() !== '',
  );
  return visible(String(found)).trim().slice(0, 100);
};

/**
 * The role and accounts of a person with these groups: the highest role, and the accounts of all groups that give it.
 * Pure.
 *
 * @returns undefined if no group has a role; accounts null: all
 * @internal exported for tests
 */
export const rightsOf = (
  groups: unknown,
  mapped: OpenIdSettings['groups'],
): Pick<NewUser, 'role' | 'accounts'> | undefined => {
  const names: unknown[] = Array.isArray(groups) ? groups : [groups];
  const given = names.flatMap((name) =>
    typeof name === 'string' && Object.hasOwn(mapped, name) ? [mapped[name]!] : [],
  );
  const role = roleSchema.options.findLast((one) => given.some((right) => right.role === one));
  if (!role) return undefined;
  const accounts = given.filter((right) => right.role === role).map((right) => right.accounts);
  return {
    role,
    accounts: accounts.includes(undefined) ? null : [...new Set(accounts.flatMap((one) => one!))],
  };
};

/** Sign-in at an OpenID provider: authorization code with PKCE, state and nonce. */
export const createOpenId = (settings: OpenIdSettings, publicUrl: string) => {
  // Loaded with the first sign-in.
  const load = () => import('openid-client');
  let known: Promise<Configuration> | undefined;
  const discover = async (): Promise<Configuration> => {
    const openid = await load();
    const issuer = new URL(settings.issuer);
    return openid.discovery(issuer, settings.clientId, settings.clientSecret, undefined, {
      execute: issuer.protocol === 'http:' ? [openid.allowInsecureRequests] : [],
    });
  };
  const configuration = (): Promise<Configuration> => {
    known ??= discover().catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
  return {
    /** @returns where to send the browser, and the state that it must keep */
    start: async (): Promise<{ url: string; attempt: OpenIdAttempt }> => {
      const openid = await load();
      const attempt = {
        state: openid.randomState(),
        nonce: openid.randomNonce(),
        verifier: openid.randomPKCECodeVerifier(),
      };
      const provider = await configuration();
      // Request the groups scope only if the provider lists it.
      const more = provider.serverMetadata().scopes_supported?.includes(settings.groupsClaim);
      const url = openid.buildAuthorizationUrl(provider, {
        redirect_uri: new URL(callbackPath, publicUrl).href,
        scope: ['openid profile email', ...(more ? [settings.groupsClaim] : [])].join(' '),
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await openid.calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, attempt };
    },

    /**
     * @param path the address to which the provider sent the browser back, with its query
     * @returns the person, or undefined if none of their groups has a role
     * @throws if anything does not match the attempt, or the provider cannot be reached
     */
    finish: async (
      path: string,
      { state, nonce, verifier }: OpenIdAttempt,
    ): Promise<(NewUser & { subject: string }) | undefined> => {
      const openid = await load();
      const tokens = await openid.authorizationCodeGrant(await configuration(), new URL(path, publicUrl), {
        expectedState: state,
        expectedNonce: nonce,
        pkceCodeVerifier: verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims()!;
      const rights = rightsOf(claims[settings.groupsClaim], settings.groups);
      return (
        rights && { name: nameOf(claims), subject: `${claims.iss} ${claims.sub}`, password: null, ...rights }
      );
    },
  };
};
