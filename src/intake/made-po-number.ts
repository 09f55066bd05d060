/** The identity of a file, for the PO number that is made of it. */
export interface FileIdentity {
  account: string;
  /** When a file with these bytes came first: `2026-11-26`. */
  day: string;
  /** Hex. */
  sha256: string;
}

/** Where a PO number comes from that was made. The ledger has it of each such import, and finds them by it. */
export const madeForFile = 'made by Cartwright for this file';

const digits = 6;

/** The PO number that Cartwright makes for a file: always the same for the same bytes, so that a file that is sent again orders nothing twice. Pure. */
export const makePoNumber = (pattern: string, { account, day, sha256 }: FileIdentity): string => {
  const n = (Number.parseInt(sha256.slice(0, 12), 16) % 10 ** digits).toString().padStart(digits, '0');
  return pattern
    .replaceAll('{account}', account)
    .replaceAll('{day}', day.replaceAll('-', ''))
    .replace('{n}', n);
};

/** For a file that is only looked at. */
export const unknownFile: FileIdentity = { account: 'account', day: '2000-01-01', sha256: '0'.repeat(64) };
