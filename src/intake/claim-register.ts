import type { OriginalFacts, WatchRegister } from './watch-originals.ts';

/** A purchase file as it lies in its private copy. */
export interface ClaimedFile {
  account: string;
  /** The name that the dealer gave; data, never a path. */
  fileName: string;
  /** Hex. */
  sha256: string;
  sizeBytes: number;
  /** The private copy, relative to the account's folder; unique to one claim. */
  filePath: string;
  /** Prices and availability only, never an order. */
  quoteOnly: boolean;
  /** The dealer's own file as it was when it was copied; watched from now on. */
  original?: OriginalFacts;
  /** Imported again from done/ into a ledger that was older than the folder. */
  restored: boolean;
}

export interface RegisteredImport {
  importId: string;
  state: 'taken' | 'read' | 'refused' | 'repeated';
  fileName: string;
  filePath: string;
  sizeBytes: number;
  quoteOnly: boolean;
  reasonText: string | undefined;
}

/** What a claim needs of the ledger. */
export interface ImportRegister {
  /**
   * Records the file as an import. Idempotent by `filePath`. Bytes that the account has sent before
   * become state `repeated`, with the earlier import named in `reasonText`, unless that import was
   * refused, only asked for a quote, or has POs that were rejected or cancelled (rule 9).
   * @param isReadable whether a private copy can still be read. A file that was taken, not read, and has lost its copy
   *   is refused, and these bytes are taken in its place.
   */
  register(file: ClaimedFile, isReadable: (filePath: string) => Promise<boolean>): Promise<RegisteredImport>;
  /** The import of this id, or of this private copy. */
  find(
    by: { importId: string } | { account: string; filePath: string },
  ): Promise<RegisteredImport | undefined>;
  /** Whether the account has an import of these bytes that was not refused and is not a quote. */
  knowsBytes(account: string, sha256: string): Promise<boolean>;
  /** The dealer's own files after they were picked up. */
  watched: WatchRegister;
  /**
   * Compares the position that an account's folder holds with the ledger's. A folder that is ahead makes a restore due,
   * until `finishRestore`. @returns whether it is due
   */
  compareFolder(account: string, position: number): Promise<boolean>;
  /** The next position, after the ledger's and the folder's. Makes a restore due as `compareFolder` does. */
  advanceFolder(account: string, position: number): Promise<number>;
  finishRestore(account: string): Promise<void>;
}
