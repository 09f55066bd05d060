import { explainFileError, makeFolder } from '../file-access.ts';

/**
 * Creates a data folder that only its owner can read.
 * @throws Error with a sentence about the folder that could not be created
 */
export const makeDataFolder = async (folder: string): Promise<void> => {
  await makeFolder(folder, 0o700).catch((cause: unknown) => {
    throw new Error(explainFileError(cause) ?? String(cause), { cause });
  });
};
