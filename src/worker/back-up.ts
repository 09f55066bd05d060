import { stat } from 'node:fs/promises';
import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { configurationText } from '../config/configuration-text.ts';
import { writeBackup } from '../ledger/backup/write-backup.ts';
import { readPackage } from '../package.ts';
import { placeFile } from '../place-file.ts';

export interface BackedUp {
  path: string;
  /** The moment of the ledger that the file has. */
  createdAt: Date;
  sizeBytes: number;
  purchaseOrders: number;
}

/** Writes a backup of the ledger. The file appears complete or not at all, and only its owner can read it. */
export const backUp = async (
  { config, pool }: { config: Config; pool: pg.Pool },
  path: string,
): Promise<BackedUp> => {
  const about = { version: readPackage().version, configuration: configurationText(config) };
  const { createdAt, purchaseOrders } = await placeFile(path, (temporary) =>
    writeBackup(pool, temporary, about),
  );
  return { path, createdAt, purchaseOrders, sizeBytes: (await stat(path)).size };
};
