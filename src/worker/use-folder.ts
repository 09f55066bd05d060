import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Account } from '../config/config.ts';
import { importJob } from '../dispatch/next-work.ts';
import { makeAccountFolders } from '../intake/inbox/account-folders.ts';
import { createFolderIdentity, readFolderIdentity } from '../intake/inbox/folder-identity.ts';
import { canReadCopy } from '../intake/inbox/private-copy.ts';
import {
  giveUpImports,
  type ImportElsewhere,
  listImportsElsewhere,
  moveImports,
  useFolder,
} from '../ledger/account-folders.ts';
import type { Runtime } from './open-runtime.ts';

export interface UsedFolder {
  account: string;
  folder: string;
  /** Files and results that waited for another folder and continue in this one. */
  takenOver: ImportElsewhere[];
  /** Files that were given up. */
  givenUp: ImportElsewhere[];
  /** Files and results that still wait for another folder. */
  waiting: ImportElsewhere[];
}

/**
 * Makes the folder that an account has on this machine its folder from now on. Imports whose private copies are in it
 * are continued here; with `giveUp`, files that nobody has read and that are not here are given up.
 */
export const adoptFolder = async (
  { ledger: { pool }, accounts, jobs }: Pick<Runtime, 'ledger' | 'accounts' | 'jobs'>,
  { name, folder, access }: Account,
  { giveUp }: { giveUp: boolean },
): Promise<UsedFolder> => {
  const id = (await readFolderIdentity(folder)) ?? (await createFolderIdentity(folder, access));
  await makeAccountFolders(folder, access);
  await useFolder(pool, { id, account: name, host: hostname(), path: folder });
  await accounts.checkFolders();

  const takenOver: ImportElsewhere[] = [];
  const elsewhere: ImportElsewhere[] = [];
  for (const one of await listImportsElsewhere(pool, name, id)) {
    const isHere = await canReadCopy(join(folder, one.filePath));
    (isHere ? takenOver : elsewhere).push(one);
  }
  const idsOf = (imports: readonly ImportElsewhere[]) => imports.map(({ importId }) => importId);
  await moveImports(pool, idsOf(takenOver), id);
  await jobs.enqueue(
    takenOver.flatMap(({ importId, state }) => (state === 'taken' ? [importJob(importId)] : [])),
  );
  const gone = giveUp ? new Set(await giveUpImports(pool, idsOf(elsewhere))) : new Set<string>();
  return {
    account: name,
    folder,
    takenOver,
    givenUp: elsewhere.filter(({ importId }) => gone.has(importId)),
    waiting: elsewhere.filter(({ importId }) => !gone.has(importId)),
  };
};
