import { createHash } from 'node:crypto';
import type { Dealer } from './dealer-schema.ts';

/** The dealer that sent a request, or why none is known. */
export type Identity = { kind: 'dealer'; dealer: Dealer } | { kind: 'unauthenticated'; detail: string };

const digest = (token: string) => createHash('sha256').update(token).digest('hex');

/** The dealer of a service without configured ones. */
export const onlyDealer: Dealer = { name: 'dealer', token: '', access: 'full', defaults: {} };

/**
 * Identifies dealers by their Bearer token (spec 5). Without configured dealers every request belongs to one dealer named
 * `dealer`, which the configuration allows on loopback only. Tokens are looked up by digest, so that response times
 * reveal nothing about them.
 */
export const createAuthenticator = (
  dealers: readonly Dealer[],
): ((header: string | undefined) => Identity) => {
  if (dealers.length === 0) return () => ({ kind: 'dealer', dealer: onlyDealer });
  const byDigest = new Map(
    dealers.flatMap((dealer) => (dealer.token === undefined ? [] : [[digest(dealer.token), dealer]])),
  );
  return (header) => {
    if (header === undefined)
      return { kind: 'unauthenticated', detail: 'Send the header "Authorization: Bearer TOKEN".' };
    const token = /^Bearer +(.+)$/i.exec(header)?.[1]?.trim();
    if (token === undefined)
      return { kind: 'unauthenticated', detail: 'The authorization scheme must be Bearer.' };
    const dealer = byDigest.get(digest(token));
    return dealer ? { kind: 'dealer', dealer } : { kind: 'unauthenticated', detail: 'The token is unknown.' };
  };
};
