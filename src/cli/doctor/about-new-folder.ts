import { access, constants, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { explainFileError, userName } from '../../file-access.ts';
import { type Finding, note, problem } from './finding.ts';

/** The nearest folder above that exists. */
const existingAbove = async (folder: string): Promise<string> => {
  const above = dirname(folder);
  if (above === folder) return above;
  return (await stat(above).catch(() => undefined)) ? above : existingAbove(above);
};

/** Why no folder can be created in this one; undefined if it probably can. */
const whyNotIn = async (above: string): Promise<string | undefined> => {
  const { mode } = await stat(above);
  // For root, `access` succeeds even if the file system then refuses.
  if ((mode & 0o222) === 0) return `${above} does not allow it`;
  if ((await statfs(above)).blocks === 0) return `the file system of ${above} stores no files`;
  return access(above, constants.W_OK | constants.X_OK).then(
    () => undefined,
    (error: unknown) => explainFileError(error) ?? `${above} does not allow it`,
  );
};

/** The finding for a folder that does not exist yet: who creates it, or why that will fail. Creates nothing. */
export const aboutNewFolder = async (
  check: string,
  name: string,
  { folder, creator, setting }: { folder: string; creator: string; setting: string },
): Promise<Finding> => {
  const above = await existingAbove(folder);
  const why = await whyNotIn(above);
  return why === undefined
    ? note(check, `${name} does not exist yet.`, `${creator} creates it.`)
    : problem(
        check,
        `${name} does not exist and cannot be created: ${why}.`,
        `Give the user ${userName()} the right to create folders in ${above}, or set ${setting} to another folder.`,
      );
};
