import { createHash, randomBytes } from 'node:crypto';
import { cp, link, readFile, realpath, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { UserError } from '../errors.ts';
import { makeFolder } from '../file-access.ts';
import { canRun, findPrograms, type Programs, runProgram, type ServerUser } from './programs.ts';
import { findServerUser } from './server-user.ts';

/** The folder, programs and user of an embedded server. */
export interface ServerLocation {
  /** Absolute, links resolved; holds `cluster/`, `log/` and `password`. Created by `initialiseCluster`. */
  home: string;
  programs: Programs;
  /** Undefined: the user of this process. */
  serverUser: ServerUser | undefined;
}

const systemFolder = '/var/lib/cartwright';
/** Existing data folders contain it, so renaming it would lose their ledgers. */
const noteName = 'postgres-stands-elsewhere.txt';

const canEnter = async (folder: string, as: ServerUser): Promise<boolean> => {
  const { exitCode } = await runProgram('/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder], {
    as,
    cwd: '/',
    timeoutMs: 10_000,
  });
  return exitCode === 0;
};

const readNote = async (noteFile: string): Promise<string | undefined> => {
  const text = await readFile(noteFile, 'utf8').catch(() => undefined);
  return text?.split('\n').find((line) => line.startsWith('/'));
};

/**
 * Never creates a new ledger if a note names one that is missing here: this host would order the POs of the other host's
 * ledger again.
 */
const assertHomeExists = async (home: string, noteFile: string): Promise<string> => {
  if (await stat(path.dirname(home)).catch(() => undefined)) return home;
  throw new UserError(
    'embedded_other_host',
    `The ledger of this data folder is in ${home} on another host or in another container (see ${noteFile}), and only one host can use the built-in database. To use this data folder from several hosts, set DATABASE_URL to a Postgres that all of them can reach. If that ledger is permanently lost, delete the note to start with an empty one.`,
  );
};

/**
 * The home of a server whose user cannot enter the data folder. A note in the data folder names it, so that a data
 * folder keeps its ledger when it is moved, and gets a new one when it is deleted and created again.
 */
const homeOutsideDataFolder = async (dataFolder: string): Promise<string> => {
  const noteFile = path.join(dataFolder, noteName);
  const noted = await readNote(noteFile);
  if (noted) return assertHomeExists(noted, noteFile);
  const hash = createHash('sha256').update(dataFolder).digest('hex').slice(0, 12);
  const random = randomBytes(4).toString('hex');
  const home = path.join(systemFolder, `${hash}-${random}`, 'postgres');
  const draft = `${noteFile}.${random}`;
  const note = `The ledger of this data folder is on host ${hostname()} in\n${home}\nbecause Cartwright runs as root, so Postgres runs as the user "postgres", who cannot enter this folder.\nKeep this note: without it Cartwright cannot find the ledger.\n`;
  // Created before the note: if a noted folder is missing, it is on another host or lost.
  await makeFolder(path.dirname(home), 0o755);
  await writeFile(draft, note);
  // link() and not rename(): if two processes start at once, the first one's note stays.
  await link(draft, noteFile).catch(() => rm(path.dirname(home), { recursive: true, force: true }));
  await rm(draft, { force: true });
  return assertHomeExists((await readNote(noteFile)) ?? home, noteFile);
};

/**
 * Creates the links that a package cannot contain. The package's install script creates them, unless npm runs no scripts or
 * asks first.
 */
const makeLinks = async (folder: string): Promise<void> => {
  const list = await readFile(path.join(folder, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    await symlink(path.basename(source), path.join(folder, path.relative('native', target))).catch(() => {});
  }
};

/** Copies the programs, once for each version, into a folder where the server's user can run them. */
const copyPrograms = async (
  programs: Programs,
  as: ServerUser | undefined,
  into: string,
): Promise<Programs> => {
  const entry = await readFile(path.join(programs.folder, '..', 'package.json'), 'utf8').catch(() => '{}');
  const { version = 'unknown' } = JSON.parse(entry) as { version?: string };
  const folder = path.join(into, `programs-${version}`);
  const moved = (program: string) => path.join(folder, path.relative(programs.folder, program));
  const copy: Programs = {
    initdb: moved(programs.initdb),
    pgCtl: moved(programs.pgCtl),
    postgres: moved(programs.postgres),
    folder,
  };
  if ((await canRun(copy, as)).kind === 'runs') return copy;
  const draft = `${folder}.new-${randomBytes(4).toString('hex')}`;
  await cp(programs.folder, draft, { recursive: true, dereference: true });
  await makeLinks(draft);
  await rename(draft, folder).catch(() => rm(draft, { recursive: true, force: true }));
  return copy;
};

/** Whether this data folder has a server. Creates nothing. */
export const hasEmbeddedPostgres = async (dataFolder: string): Promise<boolean> => {
  const isThere = (name: string) =>
    stat(path.join(dataFolder, name)).then(
      () => true,
      // Other errors, such as a missing permission, are reported by the start.
      (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
    );
  return (await isThere('postgres')) || (await isThere(noteName));
};

/**
 * Finds or chooses the location of a data folder's server; creates the data folder. The same folder always has the same
 * location.
 *
 * @throws UserError `embedded_unsupported`, `embedded_as_root`
 */
export const findServerLocation = async (dataFolder: string): Promise<ServerLocation> => {
  await makeFolder(dataFolder);
  const folder = await realpath(dataFolder);
  const [installed, serverUser] = await Promise.all([findPrograms(), findServerUser()]);
  let programs = installed;
  let home = path.join(folder, 'postgres');
  let check = await canRun(programs, serverUser);
  if (serverUser) {
    if (!(await canEnter(folder, serverUser)) || (await readNote(path.join(folder, noteName)))) {
      home = await homeOutsideDataFolder(folder);
    }
  }
  if (check.kind === 'fails') {
    const into = serverUser ? systemFolder : folder;
    if (serverUser) await makeFolder(systemFolder, 0o755);
    programs = await copyPrograms(installed, serverUser, into);
    check = await canRun(programs, serverUser);
  }
  if (check.kind === 'fails') {
    throw new UserError(
      'embedded_unsupported',
      `The built-in Postgres does not run on this system (${check.output}). Set DATABASE_URL to your own Postgres.`,
    );
  }
  return { home, programs, serverUser };
};
