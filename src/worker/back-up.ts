import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { configurationText } from '../config/configuration-text.ts';
import { writeBackup } from '../ledger/backup/write-backup.ts';
import { readPackage } from '../package.ts';
import { placeFile } from '../place-file.ts';

export interface BackedUp {
  path: string;
  /** The file has the ledger as of this moment. */
  createdAt: Date;
  sizeBytes: number;
  purchaseOrders: number;
}

interface BackUpParts {
  config: Config;
  pool: pg.Pool;
  /** Stops the backup. */
  signal?: AbortSignal;
}

/**
 * Writes a backup of the ledger. The file appears complete or not at all, and only its owner can read it.
 *
 * @throws the signal's reason if aborted; no part of the file remains then
 */
export const backUp = async ({ config, pool, signal }: BackUpParts, path: string): Promise<BackedUp> => {
  const about = { version: readPackage().version, configuration: configurationText(config) };
  const { createdAt, purchaseOrders } = await placeFile(path, (temporary) =>
    writeBackup(pool, temporary, about, signal),
  );
  return { path, createdAt, purchaseOrders, sizeBytes: (await stat(path)).size };
};

const named = /^cartwright-\d{4}-\d\d-\d\dT\d{6}Z\.backup$/;

/**
 * Writes a regular backup, then removes the oldest ones beyond `backup.keep`. Does not touch other files in the folder, and
 * removes nothing if the new backup fails.
 */
export const backUpRegularly = async (
  deps: BackUpParts,
  { folder, keep }: { folder: string; keep: number },
  now: Date,
): Promise<BackedUp> => {
  const time = now.toISOString().replace(/\.\d+|:/g, '');
  const written = await backUp(deps, join(folder, `cartwright-${time}.backup`));
  const all = (await readdir(folder)).filter((name) => named.test(name)).sort();
  for (const old of all.slice(0, Math.max(0, all.length - keep))) await rm(join(folder, old));
  return written;
};
