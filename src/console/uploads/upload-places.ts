import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import type { Account, Config } from '../../config/config.ts';
import { messageOf } from '../../errors.ts';
import { explainFileError, makeFolder } from '../../file-access.ts';
import { type Claims, createClaims } from '../../intake/inbox/claim.ts';
import { readFolderIdentity } from '../../intake/inbox/folder-identity.ts';
import { listFoldersInUse } from '../../ledger/account-folders.ts';
import { createImportRegister } from '../../ledger/imports.ts';
import type { Logger } from '../../logger.ts';
import { ConsoleProblem } from '../problems.ts';

/** An account whose folder is on this machine. */
export interface UploadPlace {
  account: Account;
  claims: Claims;
}

/** The folder below an account's folder that holds uploads until they are confirmed. Nothing is picked up from it. */
export const uploadsFolder = 'uploads';

export interface UploadPlaces {
  /** Configured accounts whose folders are on this machine and known to the ledger. */
  list(): Promise<UploadPlace[]>;
  /** Also creates the folder for uploads. @throws ConsoleProblem `not_found`, `not_possible` with what to do */
  open(account: string): Promise<UploadPlace>;
}

/** Finds the accounts for which files can be uploaded to this machine. */
export const createUploadPlaces = (deps: { pool: pg.Pool; config: Config; logger: Logger }): UploadPlaces => {
  const { pool, config, logger } = deps;

  const placeOf = (account: Account, folderId: string): UploadPlace => ({
    account,
    claims: createClaims({
      root: account.folder,
      accountName: account.name,
      register: createImportRegister(pool, () => folderId),
      settleMs: account.fileSettleMs,
      access: account.access,
      logger,
    }),
  });

  return {
    async list() {
      const inUse = await listFoldersInUse(
        pool,
        config.accounts.map(({ name }) => name),
      );
      const places: UploadPlace[] = [];
      for (const account of config.accounts) {
        const id = await readFolderIdentity(account.folder).catch(() => undefined);
        if (id !== undefined && inUse.get(account.name)?.id === id) places.push(placeOf(account, id));
      }
      return places;
    },

    async open(name) {
      const account = config.accounts.find((one) => one.name === name);
      if (!account) throw new ConsoleProblem('not_found', 'There is no such account for which you may act.');
      const inUse = (await listFoldersInUse(pool, [name])).get(name);
      let id: string | undefined;
      try {
        id = await readFolderIdentity(account.folder);
        if (id !== undefined && id === inUse?.id) {
          const folder = join(account.folder, uploadsFolder);
          // The umask may have removed permissions that the account grants.
          if (await makeFolder(folder, account.access.folder)) await chmod(folder, account.access.folder);
          return placeOf(account, id);
        }
      } catch (error) {
        throw new ConsoleProblem(
          'not_possible',
          `The folder of the account ${name} cannot be used: ${explainFileError(error) ?? messageOf(error)}.`,
        );
      }
      throw new ConsoleProblem(
        'not_possible',
        inUse
          ? `The folder of the account ${name} is not on this machine: it is on ${inUse.host}. Upload the file to a console there, or put it into its inbox.`
          : `The account ${name} has no folder yet. Start \`cartwright up\` or \`cartwright watch\` on the machine that is to have it.`,
      );
    },
  };
};
