import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { claimIdOf } from '../../intake/inbox/claim-id.ts';
import type { RegisteredImport } from '../../intake/inbox/import-register.ts';
import type { Upload } from '../../ledger/console/uploads.ts';
import { findImport } from '../../ledger/imports.ts';
import { withLock } from '../../ledger/with-lock.ts';
import type { ConsoleDeps } from '../console-app.ts';
import type { UploadPlace } from './upload-places.ts';

/**
 * Makes a confirmed upload an import under the claim recorded with the decision, and removes the uploaded file. Can be repeated after a
 * crash at any point, because the same claim gives the same import.
 *
 * @returns undefined if another process is doing it right now
 */
export const claimUpload = (
  pool: pg.Pool,
  { account, claims }: UploadPlace,
  { id, path, fileName, copyPath }: Upload,
): Promise<RegisteredImport | undefined> =>
  withLock(pool, `upload ${id}`, async () => {
    const draft = join(account.folder, path);
    const registered =
      (await findImport(pool, { account: account.name, filePath: copyPath! })) ??
      (await claims.claimCopy(draft, { fileName, claimId: claimIdOf(copyPath!) }));
    await rm(draft, { force: true });
    return registered;
  });

/**
 * The same right after the decision, and enqueues the import.
 *
 * @returns undefined if it did not succeed yet: `tidyUploads` continues
 */
export const claimConfirmed = async (
  { pool, logger, work }: Pick<ConsoleDeps, 'pool' | 'logger' | 'work'>,
  place: UploadPlace,
  upload: Upload,
): Promise<RegisteredImport | undefined> => {
  const registered = await claimUpload(pool, place, upload).catch((err: unknown) => {
    logger.error({ err, account: place.account.name, file: upload.fileName }, 'cannot claim an upload yet');
    return undefined;
  });
  if (registered?.state === 'taken') await work.enqueueImports([{ id: registered.importId }]);
  return registered;
};
