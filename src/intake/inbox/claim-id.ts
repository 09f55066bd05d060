import { randomUUID } from 'node:crypto';
import { basename, extname } from 'node:path';
import { purchaseFileEnding } from '../purchase-file-ending.ts';

/** `restored`: a file from done/ that is imported again because the ledger is older than the folder. */
export type ClaimKind = 'order' | 'quote' | 'restored';

const prefixes = ['quote', 'restored'] as const;

/**
 * A new claim's id, which names the claim's folder in working/ and its private copy. The id contains the kind, so no crash, lost marker or
 * older ledger turns a quote into an order.
 */
export const newClaimId = (kind: ClaimKind): string =>
  kind === 'order' ? randomUUID() : `${kind}-${randomUUID()}`;

/** The kind of a claim, from its id. */
export const claimKindOf = (claimId: string): ClaimKind =>
  prefixes.find((kind) => claimId.startsWith(`${kind}-`)) ?? 'order';

/** The path of a claim's private copy, relative to the account's folder. It never contains the dealer's file name. */
export const privateCopyPath = (claimId: string, fileName: string): string =>
  `files/${claimId}${purchaseFileEnding(fileName) ?? ''}`;

/** The claim that a private copy belongs to. */
export const claimIdOf = (filePath: string): string => basename(filePath, extname(filePath));
