/** The identity of a file, from which its PO number is made. */
export interface FileIdentity {
  account: string;
  /** The day on which a file with these bytes first arrived: `2026-11-26`. */
  day: string;
  /** Hex. */
  sha256: string;
}

/** The source of a made PO number. The ledger stores it with such imports, and finds them by it. */
export const madeForFile = 'made by Cartwright for this file';

const digits = 6;

/** The PO number that Cartwright makes for a file: the same for the same bytes, so that a file sent again orders nothing twice. Pure. */
export const makePoNumber = (pattern: string, { account, day, sha256 }: FileIdentity): string => {
  const n = (Number.parseInt(sha256.slice(0, 12), 16) % 10 ** digits).toString().padStart(digits, '0');
  return pattern
    .replaceAll('{account}', account)
    .replaceAll('{day}', day.replaceAll('-', ''))
    .replace('{n}', n);
};

/** A placeholder for previews. */
export const unknownFile: FileIdentity = { account: 'account', day: '2000-01-01', sha256: '0'.repeat(64) };
