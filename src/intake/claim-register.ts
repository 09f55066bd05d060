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
}

export interface RegisteredImport {
  importId: string;
  state: 'taken' | 'read' | 'refused' | 'repeated';
  fileName: string;
  filePath: string;
  sizeBytes: number;
  reasonText: string | undefined;
}

/** What a claim needs of the ledger. */
export interface ImportRegister {
  /**
   * Records the file as an import. Idempotent by `filePath`. Bytes that the account has sent before
   * become state `repeated`, with the earlier import named in `reasonText`, unless that import was
   * refused, has rejected POs (rule 9) or only asked for a quote.
   */
  register(file: ClaimedFile): Promise<RegisteredImport>;
  /** The import of this id, or of this private copy. */
  find(
    by: { importId: string } | { account: string; filePath: string },
  ): Promise<RegisteredImport | undefined>;
  /** Whether any import of the account has these bytes. */
  knowsBytes(account: string, sha256: string): Promise<boolean>;
  /** The dealer's own files after they were picked up. */
  watched: WatchRegister;
}
