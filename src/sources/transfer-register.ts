/** A file with the same values counts as unchanged. */
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

/** Fetching files from a server, or delivering files to it. */
export type ExchangePart = 'fetched' | 'delivered';

/** The part of the ledger for exchanging files. */
export interface TransferRegister {
  /** Takes or, for the same owner, extends the lease on a part for an account; false while another process has it. */
  lease(account: string, part: ExchangePart, owner: string, ms: number): Promise<boolean>;
  release(account: string, part: ExchangePart, owner: string): Promise<void>;
  /** The files of a server folder that are being fetched, or were fetched and are not moved away there yet. */
  listFetched(account: string, folder: string): Promise<FetchedFile[]>;
  beginFetch(account: string, folder: string, file: FetchedFile): Promise<void>;
  endFetch(account: string, folder: string, file: FetchedFile): Promise<void>;
  /** Older files are not delivered. Stores and answers `nowMs` the first time, and answers that value from then on. */
  deliversSince(account: string, nowMs: number): Promise<number>;
  /** The versions already delivered from a folder of the account, by path. */
  listDelivered(account: string, folder: string): Promise<Map<string, FileVersion>>;
  recordDelivered(account: string, path: string, version: FileVersion): Promise<void>;
  forgetDelivered(account: string, paths: readonly string[]): Promise<void>;
}

export const isSameVersion = (one: FileVersion, other: FileVersion): boolean =>
  one.sizeBytes === other.sizeBytes && one.modifiedMs === other.modifiedMs;
