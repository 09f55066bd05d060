import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { messageOf, UserError } from '../errors.ts';
import { placeFile } from '../place-file.ts';
import type { Config } from './config.ts';
import {
  type ConfigSource,
  configurationPath,
  dataFolderAt,
  loadConfig,
  readVariable,
} from './load-config.ts';
import { findInBroken } from './read-file.ts';
import { configSchema } from './schema.ts';

/** Beside the file, where everybody who knows the file finds the copy; or in the data folder, if that is not writable. */
const copiesOf = (file: string, dataFolder: string): [beside: string, inData: string] => {
  // Machines may share a data folder but not the file.
  const hash = createHash('sha256').update(`${hostname()}\n${file}`).digest('hex').slice(0, 12);
  return [
    join(dirname(file), `.${basename(file)}.in-use`),
    join(dataFolder, 'configuration-in-use', `${hash}.yaml`),
  ];
};

/**
 * Keeps a copy of the configuration file that this process uses, readable only by its user, so that `status` works while the file
 * is broken.
 */
export const keepInUse = async ({ file, fileText, dataFolder }: Config): Promise<void> => {
  if (file === undefined || fileText === undefined) return;
  const [beside, inData] = copiesOf(file, dataFolder);
  const write = (temporary: string) => writeFile(temporary, fileText);
  await placeFile(beside, write).catch(() => placeFile(inData, write));
};

const broken = new Set(['config_invalid', 'config_unreadable', 'config_missing']);

/** The data folder that a broken file names, as far as it can be read. */
const guessDataFolder = (path: string, { sandbox }: ConfigSource): string => {
  const named = readVariable('CARTWRIGHT_DATA') ?? findInBroken(path, 'dataFolder');
  const usual = configSchema.shape.dataFolder.parse(undefined);
  const folder = dataFolderAt(path, typeof named === 'string' ? named : usual, { found: true });
  return sandbox ? join(folder, 'sandbox') : folder;
};

interface Copy {
  path: string;
  text: string;
  since: Date;
}

/** The newer of the two copies. */
const findCopy = (file: string, given: ConfigSource): Copy | undefined =>
  copiesOf(file, guessDataFolder(file, given))
    .flatMap((path): Copy[] => {
      try {
        return [{ path, text: readFileSync(path, 'utf8'), since: statSync(path).mtime }];
      } catch {
        return [];
      }
    })
    .sort((one, other) => other.since.getTime() - one.since.getTime())[0];

/**
 * `loadConfig` for a command. Refuses a file that was in use and is empty or missing now, rather than running without settings: the
 * command would work for other accounts, in another ledger.
 *
 * @param more.whileBroken true: if the file is broken, use its text from when a process last read it, and set `instead`
 * @throws UserError like `loadConfig`; `config_missing`
 */
export const loadForCommand = (given: ConfigSource, { whileBroken }: { whileBroken: boolean }): Config => {
  const { path } = configurationPath(given.file);
  let thrown: unknown;
  let copy: Copy | undefined;
  try {
    const config = loadConfig(given);
    if (config.fileText !== undefined) return config;
    copy = findCopy(path, given);
    if (copy === undefined) return config;
    const what = config.file === undefined ? 'is not there any more' : 'has no settings any more';
    throw new UserError(
      'config_missing',
      `The configuration file ${path} ${what}. Write them into it (${copy.path} has what was in use), or delete that copy to go on without settings.`,
    );
  } catch (error) {
    thrown = error;
  }
  if (!whileBroken || !(thrown instanceof UserError) || !broken.has(thrown.code)) throw thrown;
  copy ??= findCopy(path, given);
  if (copy === undefined) throw thrown;
  try {
    const config = loadConfig({ ...given, text: copy.text });
    return { ...config, instead: { message: messageOf(thrown), since: copy.since } };
  } catch {
    throw thrown;
  }
};
