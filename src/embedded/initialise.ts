import { randomBytes } from 'node:crypto';
import { chown, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { UserError } from '../errors.ts';
import type { Logger } from '../logger.ts';
import type { Place } from './place.ts';
import { runProgram } from './programs.ts';

/** The server's only user, and the database that it keeps everything in. */
export const databaseUser = 'cartwright';
export const databaseName = 'postgres';

export const clusterOf = (place: Place): string => path.join(place.home, 'cluster');

const abandonedAfterMs = 3_600_000;

const isInitialised = (place: Place): Promise<boolean> =>
  stat(path.join(clusterOf(place), 'PG_VERSION')).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw notOurs(place, error);
    },
  );

const notOurs = (place: Place, cause: unknown): UserError =>
  new UserError(
    'embedded_not_readable',
    `The built-in database in ${place.home} belongs to another user of this machine. Start Cartwright as the user who started it first, or choose another data folder.`,
    { cause },
  );

/** Removes what an initialisation left behind that was killed long ago. */
const removeAbandoned = async (parent: string, prefix: string): Promise<void> => {
  for (const name of await readdir(parent)) {
    if (!name.startsWith(prefix)) continue;
    const folder = path.join(parent, name);
    const made = await stat(folder).catch(() => undefined);
    if (made && Date.now() - made.mtimeMs > abandonedAfterMs)
      await rm(folder, { recursive: true, force: true });
  }
};

const initialiseAnew = async (place: Place, durable: boolean): Promise<void> => {
  const { home, programs, serverUser } = place;
  const parent = path.dirname(home);
  await mkdir(parent, { recursive: true });
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
    // The locale is Postgres' own: sorting by code point and Unicode's cases, the same on every system.
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
        `The built-in database could not be made in ${home}: ${output.split('\n').slice(-3).join(' ')}`,
      );
    }
    // Atomic: of two processes that start at once, one gives the folder its name and the other finds it.
    await rename(draft, home);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (await isInitialised(place)) return;
    if (error instanceof UserError) throw error;
    const sentence = `The built-in database could not be made in ${home}: ${(error as Error).message}. Make that folder writable or choose another data folder.`;
    throw new UserError('embedded_not_initialised', sentence, { cause: error });
  }
};

/**
 * Makes the database files in `place.home` unless they are there, and gives their password. Safe to call
 * from several processes at once; a process killed in the middle leaves nothing that the next one sees.
 *
 * @throws UserError `embedded_not_initialised`, `embedded_not_readable`, `embedded_version`
 */
export const initialise = async (
  place: Place,
  options: { durable: boolean; logger: Logger },
): Promise<{ password: string }> => {
  if (!(await isInitialised(place))) {
    options.logger.info({ path: place.home }, 'Making the built-in database, once');
    await initialiseAnew(place, options.durable);
  }
  try {
    const cluster = (await readFile(path.join(clusterOf(place), 'PG_VERSION'), 'utf8')).trim();
    const program = await runProgram(place.programs.postgres, ['--version'], {
      as: place.serverUser,
      cwd: place.home,
      timeoutMs: 20_000,
    });
    if (!program.output.includes(` ${cluster}.`) && !program.output.includes(` ${cluster}devel`)) {
      throw new UserError(
        'embedded_version',
        `The database in ${place.home} was made by Postgres ${cluster}, and this installation has ${program.output}. Install the version of Cartwright that made it, or dump it with pg_dump and restore it into a new data folder.`,
      );
    }
    return { password: (await readFile(path.join(place.home, 'password'), 'utf8')).trim() };
  } catch (error) {
    throw error instanceof UserError ? error : notOurs(place, error);
  }
};
