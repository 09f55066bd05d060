import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startEmbeddedPostgres } from '../../src/embedded/start-embedded-postgres.ts';
import { silentLogger } from '../../src/logger.ts';
import { makeFolder, postmasterOf, query, removeFolder, startOwner } from './support.ts';

/** Separate process numbers, shared memory and loopback: to Postgres this is another host, like a container or machine. */
const namespaces = ['--pid', '--fork', '--kill-child', '--mount-proc', '--ipc', '--net'];
const canSeparate = (() => {
  try {
    execFileSync('unshare', [...namespaces, 'true'], { stdio: 'ignore' });
    return process.platform === 'linux';
  } catch {
    return false;
  }
})();

const ownerProgram = fileURLToPath(new URL('./owner.ts', import.meta.url));
/** Longer than a server's heartbeat. */
const silenceMs = 5_000;

let folder: string;
let hosts: ChildProcess[];
beforeEach(async () => {
  folder = await makeFolder();
  hosts = [];
});
afterEach(async () => {
  for (const host of hosts) host.kill('SIGKILL');
  await rm(path.join(folder, 'postgres', 'cluster', 'postmaster.pid'), { force: true });
  await removeFolder(folder);
});

/** An owner on its own host. Its process 1 is the shell, so killing that ends the whole host. */
const startHost = async () => {
  const script = `ip link set lo up; "${process.execPath}" --import tsx "${ownerProgram}" "${folder}" ${silenceMs}; exit $?`;
  const child = spawn('unshare', [...namespaces, 'sh', '-c', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  hosts.push(child);
  const exited = once(child, 'exit');
  const firstLine = await Promise.race([
    once(createInterface(child.stdout!), 'line').then(([line]) => line as string),
    exited.then(([code]) => `exit code ${code}`),
  ]);
  return {
    firstLine,
    /** All processes of the host, by their numbers on this host. */
    processes: () => descendantsOf(child.pid!),
    leave: async () => {
      child.stdin!.end();
      await exited;
    },
    crash: async () => {
      process.kill(descendantsOf(child.pid!)[0]!, 'SIGKILL');
      await exited;
    },
  };
};

const descendantsOf = (pid: number): number[] => {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number]);
  const found = [pid];
  for (const parent of found) for (const [child, of] of rows) if (of === parent) found.push(child);
  return found.slice(1);
};
const commandOf = (pid: number) =>
  readFile(`/proc/${pid}/cmdline`, 'utf8').then(
    (text) => text.replaceAll('\0', ' '),
    () => '',
  );

const startHere = (onWaiting: (message: string) => void = () => {}) =>
  startEmbeddedPostgres({
    dataFolder: folder,
    logger: silentLogger,
    durable: false,
    takeoverMs: silenceMs,
    onWaiting,
  });

const refusal = /^embedded_other_host: .*running on another host.*set DATABASE_URL/;

describe.runIf(canSeparate)('two hosts with one data folder (only root can simulate them)', () => {
  test('the second host is refused with the next steps, and the first one keeps working', async () => {
    const here = await startHere();
    const pid = await postmasterOf(folder);
    expect((await startHost()).firstLine).toMatch(refusal);
    expect(await postmasterOf(folder)).toBe(pid);
    expect(await query(here.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await here.stop();
  });

  test('a server whose owners were all killed still refuses other hosts, and accepts its own host', async () => {
    const owner = await startOwner(folder);
    await owner.kill();
    expect((await startHost()).firstLine).toMatch(refusal);
    const here = await startHere();
    expect(here.url).toBe(owner.firstLine);
    await here.stop();
  });

  test('if two hosts start at once on an empty folder, exactly one gets a server', async () => {
    const both = await Promise.all([startHost(), startHost()]);
    const lines = both.map((host) => host.firstLine).sort();
    expect(lines[0]).toMatch(refusal);
    expect(lines[1]).toMatch(/^postgresql:/);
    await Promise.all(both.map((host) => host.leave()));
  });

  test('a host that shuts down cleanly releases the data folder at once', async () => {
    const other = await startHost();
    expect(other.firstLine).toMatch(/^postgresql:/);
    await other.leave();
    const notes: string[] = [];
    const here = await startHere((sentence) => notes.push(sentence));
    expect(notes).toEqual([]);
    await here.stop();
  });

  test('after a host crashed, another one announces a wait, takes over when it is over, and has every committed row', async () => {
    const owner = await startHere();
    await query(owner.url, 'create table kept as select 42 as answer');
    await owner.stop();
    const other = await startHost();
    await other.crash();
    const notes: string[] = [];
    const startedAt = performance.now();
    const here = await startHere((sentence) => notes.push(sentence));
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(silenceMs);
    expect(notes[0]).toMatch(/was not shut down by .* Starting it here in 5 s, unless/);
    expect(await query(here.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    await here.stop();
  });

  test('a host that was suspended until another took over stops its server when it resumes', async () => {
    const other = await startHost();
    const frozen = other.processes();
    const servers: number[] = [];
    for (const pid of frozen) if ((await commandOf(pid)).includes('postgres -D')) servers.push(pid);
    expect(servers).not.toEqual([]);
    for (const pid of frozen) process.kill(pid, 'SIGSTOP');
    const here = await startHere();
    await query(here.url, 'create table kept as select 42 as answer');
    for (const pid of frozen) process.kill(pid, 'SIGCONT');
    await expect
      .poll(async () => (await Promise.all(servers.map(commandOf))).join(''), { timeout: 20_000 })
      .toBe('');
    expect(await query(here.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    await other.crash();
    await here.stop();
  });

  test('a ledger that the note places on another host is not created again here', async () => {
    const dataFolder = path.join(folder, 'closed', 'data');
    await mkdir(dataFolder, { recursive: true, mode: 0o700 });
    const note =
      'The ledger of this data folder is on host elsewhere in\n/var/lib/cartwright/gone/postgres\n';
    await writeFile(path.join(dataFolder, 'postgres-stands-elsewhere.txt'), note);
    const started = startEmbeddedPostgres({ dataFolder, logger: silentLogger, durable: false });
    await expect(started).rejects.toMatchObject({
      code: 'embedded_other_host',
      message: expect.stringContaining('set DATABASE_URL'),
    });
  });
});
