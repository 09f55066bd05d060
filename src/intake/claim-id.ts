import { randomUUID } from 'node:crypto';

/** `restored`: a file of done/ that is imported again into a ledger older than the folder. */
export type ClaimKind = 'order' | 'quote' | 'restored';

const marked = ['quote', 'restored'] as const;

/**
 * A new claim's name. It names the claim's folder in working/ and its private copy, so what the file is for lasts as
 * long as the file does: no crash, lost marker or older ledger turns a quote into an order.
 */
export const newClaimId = (kind: ClaimKind): string =>
  kind === 'order' ? randomUUID() : `${kind}-${randomUUID()}`;

/** What a claim's file is for. */
export const claimKindOf = (claimId: string): ClaimKind =>
  marked.find((kind) => claimId.startsWith(`${kind}-`)) ?? 'order';
