import { createHash, randomBytes } from 'node:crypto';
import { cp, link, mkdir, readFile, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { UserError } from '../errors.ts';
import { canRun, findPrograms, type Programs, runProgram, type ServerUser } from './programs.ts';
import { findServerUser } from './server-user.ts';

/** Where an embedded server stands and how it is run. */
export interface Place {
  /** Absolute, links resolved; holds `cluster/`, `log/` and `password`. Made by `initialise`. */
  home: string;
  programs: Programs;
  /** Undefined: as ourselves. */
  serverUser: ServerUser | undefined;
}

const systemFolder = '/var/lib/cartwright';
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
 * A missing ledger is never made anew where a note says that there is one: this host would place the POs of the
 * other host's ledger again.
 */
const assertHere = async (home: string, noteFile: string): Promise<string> => {
  if (await stat(path.dirname(home)).catch(() => undefined)) return home;
  throw new UserError(
    'embedded_other_host',
    `The ledger of this data folder is in ${home} on another host or in another container (see ${noteFile}), and the built-in database serves one host only. To use this data folder from several hosts, set DATABASE_URL to a Postgres that all of them can reach. If that ledger is lost for good, remove the note to start with an empty one.`,
  );
};

/**
 * The home of a server whose user can't enter the data folder. The note in the data folder decides, not
 * the folder's path: a folder that was moved keeps its ledger, one that was deleted and made anew gets a
 * new one.
 */
const homeElsewhere = async (dataFolder: string): Promise<string> => {
  const noteFile = path.join(dataFolder, noteName);
  const noted = await readNote(noteFile);
  if (noted) return assertHere(noted, noteFile);
  const hash = createHash('sha256').update(dataFolder).digest('hex').slice(0, 12);
  const random = randomBytes(4).toString('hex');
  const home = path.join(systemFolder, `${hash}-${random}`, 'postgres');
  const draft = `${noteFile}.${random}`;
  const note = `The ledger of this data folder is on host ${hostname()} in\n${home}\nbecause Cartwright runs as root, Postgres then runs as the user "postgres", and that user can't enter\nthis folder. Keep this note: without it the ledger is not found again.\n`;
  // Before the note: a noted folder that is missing is then one that was made on another host, or is lost.
  await mkdir(path.dirname(home), { recursive: true, mode: 0o755 });
  await writeFile(draft, note);
  // link() and not rename(): of two processes that start at once, the first one's note stays.
  await link(draft, noteFile).catch(() => rm(path.dirname(home), { recursive: true, force: true }));
  await rm(draft, { force: true });
  return assertHere((await readNote(noteFile)) ?? home, noteFile);
};

/** A copy of the programs that the server's user can reach; made once for each version of them. */
const copyPrograms = async (programs: Programs, as: ServerUser): Promise<Programs> => {
  const entry = await readFile(path.join(programs.folder, '..', 'package.json'), 'utf8').catch(() => '{}');
  const { version = 'unknown' } = JSON.parse(entry) as { version?: string };
  const folder = path.join(systemFolder, `programs-${version}`);
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
  await rename(draft, folder).catch(() => rm(draft, { recursive: true, force: true }));
  return copy;
};

/** Whether a server was ever made for this data folder; makes nothing. */
export const hasEmbeddedPostgres = async (dataFolder: string): Promise<boolean> => {
  const isThere = (name: string) =>
    stat(path.join(dataFolder, name)).then(
      () => true,
      // Not allowed to look, for example: the start says so.
      (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
    );
  return (await isThere('postgres')) || (await isThere(noteName));
};

/**
 * Finds or chooses the place of the server that belongs to a data folder; makes the data folder.
 * The same folder gives the same place each time.
 *
 * @throws UserError `embedded_unsupported`, `embedded_as_root`
 */
export const findPlace = async (dataFolder: string): Promise<Place> => {
  await mkdir(dataFolder, { recursive: true });
  const folder = await realpath(dataFolder);
  const [installed, serverUser] = await Promise.all([findPrograms(), findServerUser()]);
  let programs = installed;
  let home = path.join(folder, 'postgres');
  let check = await canRun(programs, serverUser);
  if (serverUser) {
    if (!(await canEnter(folder, serverUser)) || (await readNote(path.join(folder, noteName)))) {
      home = await homeElsewhere(folder);
    }
    if (check.kind === 'fails') {
      await mkdir(systemFolder, { recursive: true, mode: 0o755 });
      programs = await copyPrograms(installed, serverUser);
      check = await canRun(programs, serverUser);
    }
  }
  if (check.kind === 'fails') {
    throw new UserError(
      'embedded_unsupported',
      `The built-in Postgres does not run on this system (${check.output}). Set DATABASE_URL to a Postgres of your own.`,
    );
  }
  return { home, programs, serverUser };
};
