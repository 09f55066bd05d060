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

/** Process numbers, shared memory and loopback of their own: what makes a container or machine another host to Postgres. */
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

/** An owner on a host of its own. Its process number 1 is the shell: when that is killed the whole host is gone. */
const startHost = async () => {
  const script = `ip link set lo up; "${process.execPath}" --import tsx "${ownerProgram}" "${folder}" ${silenceMs}; exit $?`;
  const child = spawn('unshare', [...namespaces, 'sh', '-c', script], { stdio: ['pipe', 'pipe', 'inherit'] });
  hosts.push(child);
  const exited = once(child, 'exit');
  const said = await Promise.race([
    once(createInterface(child.stdout!), 'line').then(([line]) => line as string),
    exited.then(([code]) => `exit code ${code}`),
  ]);
  return {
    said,
    /** All processes of the host, by the numbers that they have here. */
    processes: () => descendantsOf(child.pid!),
    leave: async () => {
      child.stdin!.end();
      await exited;
    },
    crash: async () => {
      for (const pid of descendantsOf(child.pid!)) process.kill(pid, 'SIGKILL');
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

const startHere = (tell: (sentence: string) => void = () => {}) =>
  startEmbeddedPostgres({
    dataFolder: folder,
    logger: silentLogger,
    durable: false,
    takeoverMs: silenceMs,
    tell,
  });

const refusal = /^embedded_other_host: .*running on another host.*set DATABASE_URL/;

describe.runIf(canSeparate)('two hosts with one data folder (only root can simulate them)', () => {
  test('the second host is refused with what to do, and the first one works on', async () => {
    const here = await startHere();
    const pid = await postmasterOf(folder);
    expect((await startHost()).said).toMatch(refusal);
    expect(await postmasterOf(folder)).toBe(pid);
    expect(await query(here.url, 'select 1 as one')).toEqual([{ one: 1 }]);
    await here.stop();
  });

  test('a server whose owners were all killed still keeps other hosts out, and lets its own host in', async () => {
    const owner = await startOwner(folder);
    await owner.kill();
    expect((await startHost()).said).toMatch(refusal);
    const here = await startHere();
    expect(here.url).toBe(owner.said);
    await here.stop();
  });

  test('of two hosts that start at once on an empty folder one gets a server', async () => {
    const both = await Promise.all([startHost(), startHost()]);
    const said = both.map((host) => host.said).sort();
    expect(said[0]).toMatch(refusal);
    expect(said[1]).toMatch(/^postgresql:/);
    await Promise.all(both.map((host) => host.leave()));
  });

  test('a host that stops in good order makes room at once', async () => {
    const other = await startHost();
    expect(other.said).toMatch(/^postgresql:/);
    await other.leave();
    const told: string[] = [];
    const here = await startHere((sentence) => told.push(sentence));
    expect(told).toEqual([]);
    await here.stop();
  });

  test('a host that crashed is succeeded after a silence, which is announced; every committed row is there', async () => {
    const owner = await startHere();
    await query(owner.url, 'create table kept as select 42 as answer');
    await owner.stop();
    const other = await startHost();
    await other.crash();
    const told: string[] = [];
    const startedAt = performance.now();
    const here = await startHere((sentence) => told.push(sentence));
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(silenceMs);
    expect(told[0]).toMatch(/was not shut down by .* Starting it here in 5 s unless/);
    expect(await query(here.url, 'select answer from kept')).toEqual([{ answer: 42 }]);
    await here.stop();
  });

  test('a host that stood still until it was succeeded ends its server when it continues', async () => {
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

  test('a ledger that is noted to be on another host is not made anew here', async () => {
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
