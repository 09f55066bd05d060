import type { OriginalFacts, WatchRegister } from './watch-originals.ts';

/** A purchase file with its private copy. */
export interface ClaimedFile {
  account: string;
  /** The dealer's file name. It is data and never used as a path. */
  fileName: string;
  /** Hex. */
  sha256: string;
  sizeBytes: number;
  /** Path of the private copy, relative to the account's folder; unique to one claim. */
  filePath: string;
  /** The file asks only for prices and availability; it never becomes an order. */
  quoteOnly: boolean;
  /** The dealer's own file at the time of the copy; it is watched for changes from then on. */
  original?: OriginalFacts;
  /** Imported again from done/ because the ledger was older than the folder. */
  restored: boolean;
}

/** `waiting`: until a person says what the file means. */
export type ImportState = 'taken' | 'read' | 'refused' | 'repeated' | 'waiting';

export interface RegisteredImport {
  importId: string;
  state: ImportState;
  fileName: string;
  filePath: string;
  sizeBytes: number;
  /** Hex. */
  sha256: string;
  quoteOnly: boolean;
  reasonText: string | undefined;
}

/** An unread import. */
export interface UnreadImport {
  id: string;
  /** How often it has waited for a person to say what it means. */
  timesWaited: number;
  /** Time since it was picked up; undefined: not read before. */
  waitedMs?: number;
}

/** The part of the ledger used by claims. */
export interface ImportRegister {
  /**
   * Records the file as an import. Idempotent by `filePath`. A file whose bytes the account has sent before gets the
   * state `repeated`, and `reasonText` names the earlier import, unless that import was refused, was only a quote, or
   * has POs that were rejected or cancelled (rule 9).
   * @param isReadable whether a private copy can still be read. An earlier import of the same bytes that was not read
   *   yet and has lost its copy is refused, and this file is imported instead.
   */
  register(file: ClaimedFile, isReadable: (filePath: string) => Promise<boolean>): Promise<RegisteredImport>;
  /** The import with this id or this private copy. */
  find(
    by: { importId: string } | { account: string; filePath: string },
  ): Promise<RegisteredImport | undefined>;
  /** Whether the account has an import of these bytes that is neither refused nor a quote. */
  knowsBytes(account: string, sha256: string): Promise<boolean>;
  /** The dealer's own files after they were picked up. */
  watched: WatchRegister;
  /**
   * Compares the position of an account's folder with the ledger's. A folder that is ahead makes a restore due until
   * `finishRestore`.
   * @returns whether a restore is due
   */
  compareFolder(account: string, position: number): Promise<boolean>;
  /** The next position: one above the ledger's and the folder's. Makes a restore due as `compareFolder` does. */
  advanceFolder(account: string, position: number): Promise<number>;
  finishRestore(account: string): Promise<void>;
}
