import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { readFolderIdentity } from '../intake/inbox/folder-identity.ts';
import { listFoldersInUse } from '../ledger/account-folders.ts';
import { restoreBackup } from '../ledger/backup/restore-backup.ts';
import { ledgerPlace } from './open-ledger.ts';

/** Pause of accounts that are not configured here: longer than the default timeouts. */
const otherAccountsMs = 5 * 60_000;

export interface RestoredLedger {
  /** The backup has the ledger as of this moment. */
  createdAt: Date;
  imports: number;
  purchaseOrders: number;
  /** POs with a next step. */
  open: number;
  /** Nothing is sent for any configured account until then. */
  pausedUntil: Date;
  /** Accounts whose folder is not the one that the ledger knows; `message` says what to do. */
  foldersElsewhere: { account: string; message: string }[];
}

const findFoldersElsewhere = async (
  pool: pg.Pool,
  { accounts }: Config,
): Promise<RestoredLedger['foldersElsewhere']> => {
  const known = await listFoldersInUse(
    pool,
    accounts.map(({ name }) => name),
  );
  const found: RestoredLedger['foldersElsewhere'] = [];
  for (const { name, folder } of accounts) {
    const inUse = known.get(name);
    const id = await readFolderIdentity(folder).catch(() => undefined);
    if (!inUse || inUse.id === id) continue;
    found.push({
      account: name,
      message: `The folder of the account ${name} was ${inUse.path} on ${inUse.host}. If you have it or its backup, copy it to ${folder}, with the hidden files in it. Otherwise run \`cartwright use-folder --account ${name}\` to begin with a new folder here.`,
    });
  }
  return found;
};

/**
 * Restores a backup into the empty ledger of this configuration.
 * @throws UserError as `restoreBackup`
 */
export const restore = async (
  { config, pool }: { config: Config; pool: pg.Pool },
  path: string,
): Promise<RestoredLedger> => {
  const byAccount = Object.fromEntries(
    config.accounts.map(({ name, placing }) => [name, placing.requestTimeoutMs + placing.settleMs]),
  );
  const { head, ...counts } = await restoreBackup(pool, path, {
    where: ledgerPlace(config),
    settle: { byAccount, others: otherAccountsMs },
  });
  return {
    ...counts,
    createdAt: new Date(head.createdAt),
    pausedUntil: new Date(Date.now() + Math.max(0, ...Object.values(byAccount))),
    foldersElsewhere: await findFoldersElsewhere(pool, config),
  };
};
