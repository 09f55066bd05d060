import { chmod, chown, mkdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../../src/embedded/start-embedded-postgres.ts';
import { silentLogger } from '../../src/logger.ts';
import { makeFolder, query, removeFolder, startOwner } from './support.ts';

const isRoot = process.getuid?.() === 0;
const nobody = { uid: 65_534, gid: 65_534 };

let folder: string;
let dataFolder: string;
beforeEach(async () => {
  folder = await makeFolder();
  dataFolder = folder;
});
afterEach(() => removeFolder(folder, dataFolder));

const start = () => startEmbeddedPostgres({ dataFolder, logger: silentLogger, durable: false });

test.each([`Bestellungen für Händler`, `it's "quoted" $HOME`, 'x'.repeat(120)])(
  'a data folder may be named %s',
  async (name) => {
    dataFolder = path.join(folder, name, 'data');
    const server = await start();
    expect(await query(server.url, "select upper('é') as upper")).toEqual([{ upper: 'É' }]);
    await server.stop();
  },
);

test('the server is durable, listens on loopback only, and requires a password that only its user can read', async () => {
  const server = await startEmbeddedPostgres({ dataFolder, logger: silentLogger });
  const names = "('fsync', 'synchronous_commit', 'listen_addresses', 'unix_socket_directories')";
  const settings = await query(
    server.url,
    `select name, setting from pg_settings where name in ${names} order by 1`,
  );
  const withoutPassword = new URL(server.url);
  withoutPassword.password = 'guess';
  const refusal = query(withoutPassword.href, 'select 1');
  await expect(refusal).rejects.toThrow('password authentication failed');
  await server.stop();
  expect(settings).toEqual([
    { name: 'fsync', setting: 'on' },
    { name: 'listen_addresses', setting: '127.0.0.1' },
    { name: 'synchronous_commit', setting: 'on' },
    { name: 'unix_socket_directories', setting: '' },
  ]);
  const password = await stat(path.join(dataFolder, 'postgres', 'password'));
  expect(password.mode & 0o077).toBe(0);
});

test("the server's log is about the server and contains no statement", async () => {
  const server = await start();
  await expect(query(server.url, "select 'Elm Street 1'::int")).rejects.toThrow('invalid input');
  await server.stop();
  const day = new Intl.DateTimeFormat('en-US', { weekday: 'short', timeZone: 'UTC' }).format(new Date());
  const log = await readFile(path.join(dataFolder, 'postgres', 'log', `postgres-${day}.log`), 'utf8');
  expect(log).toContain('database system is ready');
  expect(log).not.toContain('select ');
});

// Only root can switch to another user; for an ordinary user the tests above already cover this.
describe.runIf(isRoot)('started by root (skipped for ordinary users)', () => {
  test('an ordinary user gets their own server', async () => {
    await chown(folder, nobody.uid, nobody.gid);
    dataFolder = path.join(folder, 'data');
    const owner = await startOwner(dataFolder, nobody);
    expect(await query(owner.firstLine, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect((await stat(path.join(dataFolder, 'postgres', 'cluster'))).uid).toBe(nobody.uid);
    expect(await owner.leave()).toBe(0);
  });

  test('an ordinary user gets a message that the database in the data folder belongs to another user', async () => {
    await (await start()).stop();
    const owner = await startOwner(dataFolder, nobody);
    expect(owner.firstLine).toMatch(/^embedded_not_readable: .* belongs to another user/);
    expect(await owner.leave()).toBe(1);
  });

  test('an ordinary user gets a message that the data folder is not writable', async () => {
    await chmod(folder, 0o755);
    const owner = await startOwner(dataFolder, nobody);
    expect(owner.firstLine).toMatch(/^embedded_not_initialised: .*writable/);
    expect(await owner.leave()).toBe(1);
  });

  test('a data folder that only root can enter stores its server elsewhere, with a note of the place', async () => {
    dataFolder = path.join(folder, 'closed', 'data');
    await mkdir(path.dirname(dataFolder), { mode: 0o700 });
    const first = await start();
    await query(first.url, 'create table kept as select 42 as answer');
    await first.stop();
    const note = await readFile(path.join(dataFolder, 'postgres-stands-elsewhere.txt'), 'utf8');
    const home = note.split('\n')[1]!;
    try {
      expect(home).toMatch(/^\/var\/lib\/cartwright\/.*\/postgres$/);
      const second = await start();
      expect(await query(second.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
      await second.stop();
    } finally {
      await rm(path.dirname(home), { recursive: true, force: true });
    }
  });
});
