import { randomBytes } from 'node:crypto';
import { chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../errors.ts';
import { makeFolder } from '../file-access.ts';
import type { Logger } from '../logger.ts';
import { runProgram } from './programs.ts';
import type { ServerLocation } from './server-location.ts';

/** The server's only user and database. */
export const databaseUser = 'cartwright';
export const databaseName = 'postgres';

export const clusterOf = (location: ServerLocation): string => path.join(location.home, 'cluster');

const abandonedAfterMs = 3_600_000;

const isInitialised = (location: ServerLocation): Promise<boolean> =>
  stat(path.join(clusterOf(location), 'PG_VERSION')).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw belongsToAnotherUser(location, error);
    },
  );

const belongsToAnotherUser = (location: ServerLocation, cause: unknown): UserError =>
  new UserError(
    'embedded_not_readable',
    `The built-in database in ${location.home} belongs to another user of this machine. Start Cartwright as the user that created it, or choose another data folder.`,
    { cause },
  );

/** Removes the remains of initialisations that were killed long ago. */
const removeAbandoned = async (parent: string, prefix: string): Promise<void> => {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue;
    const folder = path.join(parent, name);
    const made = await stat(folder).catch(() => undefined);
    if (made && Date.now() - made.mtimeMs > abandonedAfterMs)
      await rm(folder, { recursive: true, force: true });
  }
};

const createCluster = async (location: ServerLocation, durable: boolean): Promise<void> => {
  const { home, programs, serverUser } = location;
  const parent = path.dirname(home);
  await makeFolder(parent);
  const prefix = `${path.basename(home)}.new-`;
  await removeAbandoned(parent, prefix);
  const draft = path.join(parent, `${prefix}${randomBytes(6).toString('hex')}`);
  const passwordFile = path.join(draft, 'password');
  try {
    await mkdir(draft, { mode: 0o700 });
    await mkdir(path.join(draft, 'log'), { mode: 0o700 });
    await writeFile(passwordFile, `${randomBytes(24).toString('hex')}\n`, { mode: 0o600 });
    if (serverUser) {
      for (const made of [draft, path.join(draft, 'log'), passwordFile]) {
        await chown(made, serverUser.uid, serverUser.gid);
      }
    }
    // The built-in locale sorts by code point and is the same on every system.
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    const access = [`--username=${databaseUser}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256'];
    const { exitCode, output } = await runProgram(
      programs.initdb,
      ['-D', path.join(draft, 'cluster'), ...locale, ...access, ...(durable ? [] : ['--no-sync'])],
      { as: serverUser, cwd: draft, timeoutMs: 300_000 },
    );
    if (exitCode !== 0) {
      throw new UserError(
        'embedded_not_initialised',
        `The built-in database could not be created in ${home}: ${output.split('\n').slice(-3).join(' ')}`,
      );
    }
    // Atomic: if two processes start at once, one renames its folder, and the other finds it there.
    await rename(draft, home);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (await isInitialised(location)) return;
    if (error instanceof UserError) throw error;
    const sentence = `The built-in database could not be created in ${home}: ${(error as Error).message}. Make that folder writable, or choose another data folder.`;
    throw new UserError('embedded_not_initialised', sentence, { cause: error });
  }
};

/**
 * Creates the database files in `location.home` if there are none, and returns their password. Safe to call from
 * several processes at once; a killed process leaves nothing behind that the next one would use.
 *
 * @throws UserError `embedded_not_initialised`, `embedded_not_readable`, `embedded_version`
 */
export const initialiseCluster = async (
  location: ServerLocation,
  options: { durable: boolean; logger: Logger },
): Promise<{ password: string }> => {
  if (!(await isInitialised(location))) {
    options.logger.info({ path: location.home }, 'Creating the built-in database');
    await createCluster(location, options.durable);
  }
  try {
    const cluster = (await readFile(path.join(clusterOf(location), 'PG_VERSION'), 'utf8')).trim();
    const program = await runProgram(location.programs.postgres, ['--version'], {
      as: location.serverUser,
      cwd: location.home,
      timeoutMs: 20_000,
    });
    if (!program.output.includes(` ${cluster}.`) && !program.output.includes(` ${cluster}devel`)) {
      throw new UserError(
        'embedded_version',
        `The database in ${location.home} was created by Postgres ${cluster}, but this installation has ${program.output}. Install the version of Cartwright that created it, run \`cartwright backup\` with it, and restore that backup with this version into a new data folder (docs/backups.md).`,
      );
    }
    return { password: (await readFile(path.join(location.home, 'password'), 'utf8')).trim() };
  } catch (error) {
    throw error instanceof UserError ? error : belongsToAnotherUser(location, error);
  }
};
