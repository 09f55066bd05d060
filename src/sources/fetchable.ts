import { fitName } from '../intake/inbox/file-names.ts';
import { noPurchaseFileEnding, purchaseFileEnding } from '../intake/purchase-file-ending.ts';
import { type PlaceEntry, showName, whyUnusableName } from './file-place.ts';
import type { FetchedFile } from './transfer-register.ts';

const count = (bytes: number): string => `${bytes.toLocaleString('en-US')} bytes`;

/** Why a file is not fetched from the server, as a sentence; undefined: it is fetched. */
export const whyLeft = (entry: PlaceEntry, maxFileBytes: number): string | undefined => {
  const name = showName(entry.name);
  const unusable = whyUnusableName(entry.name);
  if (unusable !== undefined)
    return `A file at the server is not fetched, because its name (${name}) ${unusable}. Ask the dealer to rename it.`;
  if (entry.kind === 'other')
    return `${name} is not fetched, because it is a symbolic link or no regular file. Ask the dealer to put the file itself there.`;
  if (purchaseFileEnding(entry.name) === undefined)
    return `${name} is not fetched, because its name ${noPurchaseFileEnding}. Ask the dealer to save it in one of these formats, or to keep other files in another folder.`;
  if (entry.sizeBytes > maxFileBytes)
    return `${name} is not fetched, because it has ${count(entry.sizeBytes)}, and at most ${count(maxFileBytes)} are read.`;
  return undefined;
};

/** The name of a file with `more` before its ending, short enough for a file system. */
const nameWith = (name: string, more: string): string => {
  const at = name.lastIndexOf('.');
  return fitName(name.slice(0, at), `${more}${name.slice(at)}`);
};

/** The name of a fetched file at the server. A part of the claim ID tells files of equal names apart. */
export const doneName = ({ name, claimId }: FetchedFile): string => nameWith(name, `.${claimId.slice(0, 8)}`);

/** A fetched file's name on this machine. */
export const localName = ({ name }: FetchedFile): string => nameWith(name, '');
