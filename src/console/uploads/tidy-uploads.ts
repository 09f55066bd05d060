import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { isMissing } from '../../intake/inbox/move-file.ts';
import { discardOldDrafts, listNeeded, listUnclaimed } from '../../ledger/console/uploads.ts';
import type { Logger } from '../../logger.ts';
import { type Repeated, repeat } from '../../repeat.ts';
import type { ConsoleApp, ConsoleDeps } from '../console-app.ts';
import { claimUpload } from './claim-upload.ts';
import { createUploadPlaces, type UploadPlace, type UploadPlaces, uploadsFolder } from './upload-places.ts';

/** Files without an upload in the ledger are removed after this time; before, they may still be arriving. */
const abandonedMs = 60 * 60 * 1000;
/** Until then, a confirmed upload is left to its own request. */
const leftMs = 60_000;
const tidyEveryMs = 5 * 60_000;

const uploadOf = /^\.?([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})/;

const removeFiles = async (pool: pg.Pool, { account }: UploadPlace): Promise<void> => {
  const folder = join(account.folder, uploadsFolder);
  const names = await readdir(folder).catch((error: unknown) => {
    if (!isMissing(error)) throw error;
    return [];
  });
  const ids = names.flatMap((name) => uploadOf.exec(name)?.[1] ?? []);
  const needed = await listNeeded(pool, ids);
  for (const name of names) {
    const id = uploadOf.exec(name)?.[1];
    // Not a file of ours, or still needed.
    if (id === undefined || needed.has(id)) continue;
    const path = join(folder, name);
    const found = await stat(path).catch(() => undefined);
    if (found && Date.now() - found.mtimeMs > abandonedMs) await rm(path, { force: true });
  }
};

/**
 * Discards drafts that nobody confirmed within a day, removes files without an upload, and finishes confirmed uploads that a stopped
 * process left. Idempotent; a failure in one account does not affect others.
 *
 * @param enqueue enqueues new imports
 * @internal for tests
 */
export const tidyUploads = async (deps: {
  pool: pg.Pool;
  places: UploadPlaces;
  logger: Logger;
  enqueue(imports: readonly { id: string }[]): Promise<void>;
}): Promise<void> => {
  const { pool, places, logger, enqueue } = deps;
  for (const place of await places.list()) {
    const { name } = place.account;
    try {
      await discardOldDrafts(pool, name);
      for (const upload of await listUnclaimed(pool, name, leftMs)) {
        const registered = await claimUpload(pool, place, upload);
        if (registered?.state === 'taken') await enqueue([{ id: registered.importId }]);
      }
      await removeFiles(pool, place);
    } catch (err) {
      logger.error({ err, account: name }, 'cannot tidy the uploads of an account; it will be retried');
    }
  }
};

/** Tidies the uploads when the console starts, and every few minutes until it closes. */
export const keepUploadsTidy = (app: ConsoleApp, deps: ConsoleDeps): void => {
  const { pool, logger, work } = deps;
  const places = createUploadPlaces(deps);
  let tidying: Repeated | undefined;
  app.addHook('onReady', async () => {
    tidying = repeat(() => tidyUploads({ pool, places, logger, enqueue: work.enqueueImports }), {
      everyMs: tidyEveryMs,
      failed: (err) => logger.warn({ err }, 'cannot tidy the uploads; it will be retried'),
    });
  });
  app.addHook('onClose', () => tidying?.stop());
};
