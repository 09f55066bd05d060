import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../../src/embedded/start-embedded-postgres.ts';
import { type Logger, silentLogger } from '../../src/logger.ts';
import { makeFolder, postmasterOf, query, removeFolder, startOwner } from './support.ts';

let folder: string;
beforeEach(async () => {
  folder = await makeFolder();
});
afterEach(() => removeFolder(folder));

const start = (logger: Logger = silentLogger) =>
  startEmbeddedPostgres({ dataFolder: folder, logger, durable: false });

test('processes share one server, and the last one to leave stops it', async () => {
  const here = await start();
  const other = await startOwner(folder);
  expect(other.firstLine).toBe(here.url);
  const pid = await postmasterOf(folder);

  await here.stop();
  expect(await postmasterOf(folder)).toBe(pid);
  expect(await query(other.firstLine, 'select 1 as one')).toEqual([{ one: 1 }]);

  expect(await other.leave()).toBe(0);
  expect(await postmasterOf(folder)).toBeUndefined();
  await expect(query(other.firstLine, 'select 1')).rejects.toThrow('ECONNREFUSED');
});

test('a second stop of the same owner has no effect', async () => {
  const first = await start();
  const second = await start();
  await Promise.all([first.stop(), first.stop()]);
  expect(await query(second.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await second.stop();
  await second.stop();
});

test('three processes that start at once on an empty folder share one server', async () => {
  const owners = await Promise.all([startOwner(folder), startOwner(folder), startOwner(folder)]);
  expect(owners[0].firstLine).toMatch(/^postgresql:/);
  expect(new Set(owners.map((owner) => owner.firstLine)).size).toBe(1);
  expect(await Promise.all(owners.map((owner) => owner.leave()))).toEqual([0, 0, 0]);
});

test('a process that starts while the last owner stops gets a working server', async () => {
  const comeAndGo = async () => {
    for (let round = 0; round < 6; round++) {
      const server = await start();
      expect(await query(server.url, 'select 1 as one')).toEqual([{ one: 1 }]);
      await server.stop();
    }
  };
  await Promise.all([comeAndGo(), comeAndGo(), comeAndGo()]);
});

test('an owner killed with -9 does not keep the server running after the last owner stops', async () => {
  const here = await start();
  const other = await startOwner(folder);
  await other.kill();
  // Its connection and its lock end when the server sees the closed socket.
  const others = `select 1 from pg_locks where locktype = 'advisory' and pid not in
    (select pid from pg_stat_activity where application_name <> 'cartwright owner')`;
  await expect.poll(() => query(here.url, others)).toHaveLength(1);
  await here.stop();
  expect(await postmasterOf(folder)).toBeUndefined();
});

test('owner and server both killed with -9: the next start has every committed row', async () => {
  const owner = await startOwner(folder);
  await query(owner.firstLine, 'create table kept as select 42 as answer');
  await owner.kill();
  process.kill((await postmasterOf(folder))!, 'SIGKILL');

  const here = await start();
  expect(await query(here.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  await here.stop();
});

test('a server killed with -9 under a running owner restarts at the same address', async () => {
  let announce = () => {};
  const back = new Promise<void>((resolve) => {
    announce = resolve;
  });
  const listening: Logger = {
    ...silentLogger,
    info: (_fields, message) => message.includes('is back') && announce(),
  };
  const here = await start(listening);
  await query(here.url, 'create table kept as select 42 as answer');
  process.kill((await postmasterOf(folder))!, 'SIGKILL');
  await back;
  expect(await query(here.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
  await here.stop();
});

test('a server restarts at the same address whatever was left of it, no matter which user starts it', async () => {
  const owner = await startOwner(folder);
  await owner.kill();
  const pid = (await postmasterOf(folder))!;
  // The immediate shutdown removes the marker and the port in it.
  process.kill(pid, 'SIGQUIT');
  await expect.poll(() => postmasterOf(folder), { timeout: 20_000 }).toBeUndefined();
  // While another process replaces the host's claim, there is none for a moment.
  await rm(path.join(folder, 'postgres', 'host'), { force: true });
  const here = await start();
  expect(here.url).toBe(owner.firstLine);
  await here.stop();
  const later = await start();
  expect(later.url).toBe(owner.firstLine);
  await later.stop();
});

test('of many processes that find the server gone, none starts it at another address', async () => {
  const here = await start();
  for (let round = 0; round < 3; round += 1) {
    process.kill((await postmasterOf(folder))!, 'SIGQUIT');
    const owners = await Promise.all(Array.from({ length: 4 }, () => startOwner(folder)));
    expect(owners.map(({ firstLine }) => firstLine)).toEqual(owners.map(() => here.url));
    await Promise.all(owners.map((owner) => owner.leave()));
  }
  await here.stop();
});

test('the port of a server is below those of outgoing connections, so that none takes it while the server is down', async () => {
  const here = await start();
  const port = Number(new URL(here.url).port);
  expect(port).toBeGreaterThanOrEqual(20_000);
  expect(port).toBeLessThan(32_000);
  await here.stop();
});

test('the marker of a killed server does not block a start, even if another program now has its process id', async () => {
  const owner = await startOwner(folder);
  await owner.kill();
  const pid = (await postmasterOf(folder))!;
  const file = path.join(folder, 'postgres', 'cluster', 'postmaster.pid');
  process.kill(pid, 'SIGKILL');
  // Use this process as the other program: it runs and is not Postgres.
  await writeFile(file, (await readFile(file, 'utf8')).replace(String(pid), String(process.pid)));

  const here = await start();
  expect(await query(here.url, 'select 1 as one')).toEqual([{ one: 1 }]);
  await here.stop();
});
