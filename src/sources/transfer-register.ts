/** By what a file is recognised as unchanged. */
export interface FileVersion {
  sizeBytes: number;
  modifiedMs: number;
}

/** A file of a server that is being fetched. */
export interface FetchedFile extends FileVersion {
  name: string;
  /** The claim that it becomes. */
  claimId: string;
}

/** Files are fetched from a server, or delivered to it. */
export type ExchangePart = 'fetched' | 'delivered';

/** What exchanging files needs of the ledger. */
export interface TransferRegister {
  /** Lets one process do a part for an account; false while another one does. Repeated by the same owner it prolongs the lease. */
  lease(account: string, part: ExchangePart, owner: string, ms: number): Promise<boolean>;
  release(account: string, part: ExchangePart, owner: string): Promise<void>;
  /** The files of a folder at the server that are being fetched, or are fetched and not moved away there yet. */
  listFetched(account: string, folder: string): Promise<FetchedFile[]>;
  beginFetch(account: string, folder: string, file: FetchedFile): Promise<void>;
  endFetch(account: string, folder: string, file: FetchedFile): Promise<void>;
  /** Files that were written before are not delivered: `nowMs` the first time, and then always the same. */
  deliversSince(account: string, nowMs: number): Promise<number>;
  /** The versions that the server has, of the files in a folder of the account; by path. */
  listDelivered(account: string, folder: string): Promise<Map<string, FileVersion>>;
  recordDelivered(account: string, path: string, version: FileVersion): Promise<void>;
  forgetDelivered(account: string, paths: readonly string[]): Promise<void>;
}

export const isSameVersion = (one: FileVersion, other: FileVersion): boolean =>
  one.sizeBytes === other.sizeBytes && one.modifiedMs === other.modifiedMs;
