import { join } from 'node:path';
import type { RegisteredImport } from '../intake/inbox/import-register.ts';
import type { Logger } from '../logger.ts';
import { isSameContent } from './download.ts';
import type { FetchOptions } from './fetch-files.ts';
import { doneName } from './fetchable.ts';
import { type FilePlace, joinPath, showName } from './file-place.ts';
import { type FetchedFile, isSameVersion } from './transfer-register.ts';

/** Moves an import's file away at the server, and removes its markers. Resolves to false if another file is there now. */
type MoveAway = (
  place: FilePlace,
  file: FetchedFile,
  registered: RegisteredImport,
  markers: readonly string[],
) => Promise<boolean>;

type MoverOptions = Pick<
  FetchOptions,
  'account' | 'root' | 'folder' | 'doneFolder' | 'claims' | 'register' | 'checkpoint'
> & { log: Logger };

/** Moves files away at the server once their imports are in the ledger. */
export const createMover = (options: MoverOptions): MoveAway => {
  const { account, root, folder, doneFolder, claims, register, checkpoint, log } = options;
  const pathOf = ({ name }: { name: string }) => joinPath(folder, name);
  const copyOf = ({ filePath }: RegisteredImport) => join(root, filePath);

  const recordChange = async (file: FetchedFile, { importId }: RegisteredImport): Promise<void> => {
    const what = `${showName(file.name)} changed at the SFTP server after it had been fetched as import ${importId}`;
    const growth = {
      sentence: `${what}: rows may be missing from its POs. The changed file is fetched as another import.`,
      alarm: `${what}, so rows of this PO may be missing from its order. Compare the order with the later import of this file.`,
    };
    await claims.recordGrowth(importId, growth);
    log.error({ importId, file: file.name, code: 'file_grew' }, growth.sentence);
  };

  return async (
    place: FilePlace,
    file: FetchedFile,
    registered: RegisteredImport,
    markers: readonly string[],
  ): Promise<boolean> => {
    const current = await place.find(pathOf(file));
    if (current) {
      if (!isSameVersion(current, file) && !(await isSameContent(place, pathOf(file), copyOf(registered)))) {
        await recordChange(file, registered);
        await register.endFetch(account, folder, file);
        return false;
      }
      // First: a marker that outlives its file would declare the next file of this name complete.
      for (const marker of markers) await place.remove(joinPath(folder, marker));
      const target = joinPath(doneFolder, doneName(file));
      await place.move(pathOf(file), target);
      await checkpoint?.('moved_away', file.name);
      const moved = await place.find(target);
      // Some servers give a moved file a new time. A file that was written just now is put back, and the next round compares it.
      if (
        moved &&
        !isSameVersion(moved, current) &&
        !(await isSameContent(place, target, copyOf(registered)))
      ) {
        await place.move(target, pathOf(file));
        return false;
      }
    }
    await register.endFetch(account, folder, file);
    return true;
  };
};
