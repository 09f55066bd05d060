import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createNotifier } from '../../src/cli/notify-service-manager.ts';
import { takeServiceManager } from '../../src/config/service-manager.ts';
import { silentLogger } from '../../src/logger.ts';
import { createHeardLogger } from '../support/heard-logger.ts';
import { useCliFolder } from './use-cli-folder.ts';

const cli = useCliFolder();
const isMissing = ['systemd-notify', 'perl'].some(
  (program) => spawnSync(program, ['--version']).error !== undefined,
);
const skipped = isMissing && !process.env.CI;

const closers: (() => void)[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const close of closers.splice(0)) close();
});

/** Node cannot open such a socket. Reading a message without its file descriptor closes the descriptor, like systemd does. */
const receive = `
  socket(my $socket, PF_UNIX, SOCK_DGRAM, 0) or die $!;
  (my $address = $ARGV[0]) =~ s/^@/\\0/;
  bind($socket, pack_sockaddr_un($address)) or die $!;
  $| = 1;
  print "listening\\n";
  print "$message\\n" while defined recv($socket, $message, 65536, 0);`;

/** A datagram socket such as systemd's, with the received messages. */
const listen = async (kind: 'path' | 'abstract') => {
  const name = `cartwright-${randomBytes(6).toString('hex')}`;
  const address = kind === 'path' ? join(cli.folder, `${name}.socket`) : `@${name}`;
  const receiver = spawn('perl', ['-MSocket', '-e', receive, address], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  closers.push(() => receiver.kill());
  let received = '';
  receiver.stdout.on('data', (chunk: Buffer) => {
    received += chunk.toString();
  });
  await expect.poll(() => received).toContain('listening');
  return {
    env: { NOTIFY_SOCKET: address },
    received: () => received,
    count: (text: string) => received.split(text).length - 1,
  };
};

describe.skipIf(skipped)('systemd', () => {
  test.each(['path', 'abstract'] as const)(
    'is told that a worker is ready, works and stops (socket: %s)',
    async (kind) => {
      const systemd = await listen(kind);
      await cli.write('cartwright.yaml', 'accounts: { default: {} }\n');
      const worker = cli.start(['work'], { ...systemd.env, WATCHDOG_USEC: '1500000' });
      await expect.poll(systemd.received).toContain('READY=1');
      expect(systemd.received()).toContain('STATUS=Working for 1 account');
      await expect.poll(() => systemd.count('WATCHDOG=1')).toBeGreaterThan(1);
      expect(systemd.received()).not.toContain('STOPPING=1');
      worker.child.kill('SIGTERM');
      expect((await worker.ended).exitCode).toBe(0);
      expect(systemd.received()).toContain('STOPPING=1');
    },
  );

  test('is not told that a worker is ready before its folders can be used', async () => {
    const systemd = await listen('path');
    const folder = join(cli.folder, 'folders-that-come');
    // A file instead of the folder.
    await writeFile(folder, '');
    await cli.write(
      'cartwright.yaml',
      `worker: { lease: 4s }\nconsole: { port: 0 }\naccounts: { default: { folder: "${folder}" } }\n`,
    );
    const worker = cli.start(['up'], systemd.env);
    await expect.poll(systemd.received).toContain('STATUS=Waiting for the accounts’ folders');
    expect(systemd.received()).not.toContain('READY=1');
    await rm(folder);
    // The worker may create it first.
    await mkdir(folder, { recursive: true });
    await expect.poll(systemd.received).toContain('READY=1');
    worker.child.kill('SIGTERM');
    expect((await worker.ended).exitCode).toBe(0);
  });

  test('hears nothing from a process whose loop does not work', async () => {
    const systemd = await listen('path');
    vi.useFakeTimers({ toFake: ['setInterval'] });
    let isAlive = true;
    const notifier = createNotifier(
      takeServiceManager({ ...systemd.env, PATH: process.env.PATH, WATCHDOG_USEC: '30000000' }),
      silentLogger,
    );
    notifier.ready('Working', () => isAlive);
    vi.advanceTimersByTime(10_000);
    await expect.poll(() => systemd.count('WATCHDOG=1')).toBe(1);
    isAlive = false;
    vi.advanceTimersByTime(30_000);
    notifier.status('After that');
    await expect.poll(systemd.received).toContain('After that');
    expect(systemd.count('WATCHDOG=1')).toBe(1);
    // During the shutdown, running jobs may take longer.
    notifier.stopping();
    vi.advanceTimersByTime(10_000);
    await expect.poll(() => systemd.count('WATCHDOG=1')).toBe(2);
  });
});

test('without systemd-notify the process works, and says once that systemd is not told', async () => {
  const heard = createHeardLogger();
  const notifier = createNotifier(
    takeServiceManager({ NOTIFY_SOCKET: '/nowhere', PATH: '/nowhere' }),
    heard.logger,
  );
  notifier.ready('Working', () => true);
  notifier.stopping();
  await expect.poll(() => heard.lines.length).toBe(1);
  expect(JSON.stringify(heard.lines)).toContain('Cannot tell systemd how this process is');
});

test('programs that a process starts cannot speak for it, and another process’s watchdog is not its own', () => {
  const env = { PATH: '/bin', NOTIFY_SOCKET: '@name', WATCHDOG_USEC: '5000000', WATCHDOG_PID: '1' };
  expect(takeServiceManager(env)).toEqual({
    environment: { NOTIFY_SOCKET: '@name', PATH: '/bin' },
    watchdogMs: undefined,
  });
  expect(env).toEqual({ PATH: '/bin' });
  expect(takeServiceManager({ PATH: '/bin' })).toBeUndefined();
});
