import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { isDead, type ProcessIdentity, readOwnProcess } from '../../src/worker/own-process.ts';

const onLinux = process.platform === 'linux';

/** The start time of a process, read independently of the code under test. */
const startOf = (pid: number): string =>
  readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ')[19]!;

const sleeper = async (): Promise<ChildProcess> => {
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  await once(child, 'spawn');
  return child;
};

describe.runIf(onLinux)('a process of this machine', () => {
  let own: ProcessIdentity;
  beforeAll(async () => {
    own = (await readOwnProcess())!;
  });
  const seenAs = (pid: number, over: Partial<ProcessIdentity> = {}, silentMs = 0) => ({
    pid,
    process: { ...own, startedAt: startOf(process.pid), ...over },
    silentMs,
  });

  test('identifies itself by its start time, and is not dead', async () => {
    expect(own.startedAt).toBe(startOf(process.pid));
    expect(await isDead(seenAs(process.pid), own)).toBe(false);
  });

  test('is dead once its pid is gone', async () => {
    const child = await sleeper();
    const was = seenAs(child.pid!, { startedAt: startOf(child.pid!) });
    expect(await isDead(was, own)).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await isDead(was, own)).toBe(true);
  });

  test('is dead when another process has its pid', async () => {
    expect(await isDead(seenAs(process.pid, { startedAt: '1' }), own)).toBe(true);
  });

  test('is not judged when its pid counts in another namespace', async () => {
    const gone = await sleeper();
    gone.kill('SIGKILL');
    await once(gone, 'exit');
    const was = { ...seenAs(process.pid, { namespaces: 'pid:[1] time:[1]' }), pid: gone.pid! };
    expect(await isDead(was, own)).toBe(false);
  });
});

describe('a process of another boot', () => {
  const machine: ProcessIdentity = {
    machine: 'm',
    boot: 'now',
    namespaces: 'pid:[4026531836] time:[4026531834]',
    startedAt: '5',
  };
  const earlier = (over: Partial<ProcessIdentity>, silentMs = 61_000) => ({
    pid: 1,
    process: { ...machine, boot: 'before', ...over },
    silentMs,
  });
  const upForAMinute = () => 60_000;

  test('is dead on the same machine', async () => {
    expect(await isDead(earlier({}), machine, upForAMinute)).toBe(true);
  });

  test.each([
    ['is on another machine', earlier({ machine: 'other' })],
    ['was heard of since this machine started, as a copy of the machine would be', earlier({}, 59_000)],
    ['was in a container', earlier({ namespaces: 'pid:[4026532999] time:[4026531834]' })],
  ])('is not judged when it %s', async (_, other) => {
    expect(await isDead(other, machine, upForAMinute)).toBe(false);
  });

  test('is not judged from within a container', async () => {
    const inContainer = { ...machine, namespaces: 'pid:[4026532999] time:[4026531834]' };
    expect(await isDead(earlier({}), inContainer, upForAMinute)).toBe(false);
  });
});
