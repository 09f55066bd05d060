import { createHash } from 'node:crypto';
import type { Dealer } from './config.ts';

/** Who a request comes from. */
export type Identity = { kind: 'dealer'; dealer: Dealer } | { kind: 'unauthenticated'; detail: string };

const digest = (token: string) => createHash('sha256').update(token).digest('hex');

const onlyDealer: Dealer = { name: 'dealer', token: '', access: 'full', defaults: {} };

/**
 * Tells dealers by their Bearer token (open-points.md). Without configured dealers everyone is the one dealer
 * named `dealer`, which the configuration allows on loopback only. Tokens are looked up by digest, so
 * that the time taken says nothing about them.
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
      return { kind: 'unauthenticated', detail: 'Send "Authorization: Bearer TOKEN".' };
    const token = /^Bearer +(.+)$/i.exec(header)?.[1]?.trim();
    if (token === undefined) return { kind: 'unauthenticated', detail: 'The scheme must be Bearer.' };
    const dealer = byDigest.get(digest(token));
    return dealer
      ? { kind: 'dealer', dealer }
      : { kind: 'unauthenticated', detail: 'The token is not known.' };
  };
};
