import { access, constants, stat } from 'node:fs/promises';
import type { Config } from '../../config/config.ts';
import { explainFileError, userName } from '../../file-access.ts';
import { aboutNewFolder } from './about-new-folder.ts';
import { aboutSpace, type Finding, fine, note, problem, spaceOf } from './finding.ts';

const deviceOf = async (path: string): Promise<number | undefined> =>
  (await stat(path).catch(() => undefined))?.dev;

/** Checks the folder of the regular backups. */
export const checkBackup = async ({ backup, dataFolder, databaseUrl }: Config): Promise<Finding[]> => {
  const check = 'backup';
  const { folder } = backup;
  if (folder === undefined)
    return [
      note(
        check,
        'There are no regular backups of the ledger.',
        'Set backup.folder to a folder on another disk or machine.',
      ),
    ];
  try {
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    const found = [
      fine(check, `Backups go to ${folder}; the last ${backup.keep} are kept.`),
      aboutSpace('backup_space', await spaceOf(folder)),
    ];
    // A ledger elsewhere is on another disk anyway.
    if (databaseUrl === undefined && (await deviceOf(folder)) === (await deviceOf(dataFolder)))
      found.push(
        note(
          'backup_disk',
          'The backups are on the disk of the ledger, and would be lost together with it.',
          'Set backup.folder to a folder on another disk or machine.',
        ),
      );
    return found;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT')
      return [
        await aboutNewFolder(check, `The folder ${folder}`, {
          folder,
          creator: 'The first backup',
          setting: 'backup.folder',
        }),
      ];
    return [
      problem(
        check,
        `Backups cannot be written: ${explainFileError(thrown) ?? `${folder} cannot be used`}.`,
        `Give the user ${userName()} the right to read and write there, or set backup.folder.`,
      ),
    ];
  }
};
