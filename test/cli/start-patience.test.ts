import { connect, createServer, type Server } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { findFreePort } from '../../src/embedded/free-port.ts';
import { startRedis } from '../support/redis.ts';
import { useCliFolder } from './use-cli-folder.ts';

const cli = useCliFolder();
let gate: Server | undefined;
afterEach(() => gate?.close());

/** Forwards connections to a port to the test's database from now on. */
const openGate = async (port: number): Promise<void> => {
  const { hostname, port: behind } = new URL(cli.databaseUrl);
  gate = createServer((socket) => {
    const through = connect(Number(behind), hostname);
    for (const end of [socket, through]) end.on('error', () => {});
    socket.pipe(through).pipe(socket);
  });
  await new Promise<void>((resolve) => gate!.listen(port, '127.0.0.1', resolve));
};
const atPort = (port: number) => {
  const url = new URL(cli.databaseUrl);
  url.port = String(port);
  url.hostname = '127.0.0.1';
  return url.href;
};
const start = (env: Record<string, string>) => cli.start(['work'], env);
const stop = async (worker: ReturnType<typeof start>) => {
  worker.child.kill('SIGTERM');
  return (await worker.ended).exitCode;
};

describe('a worker that starts', () => {
  test('waits for a database that is still coming back, and says so', async () => {
    const port = await findFreePort();
    const worker = start({ DATABASE_URL: atPort(port) });
    await worker.printed('It may still be starting: retrying for 60 s.');
    await openGate(port);
    await worker.printed('Working. Press Ctrl-C to stop.');
    expect(await stop(worker)).toBe(0);
  }, 60_000);

  test('waits for a Redis that is still coming back', async ({ skip }) => {
    const redis = await startRedis();
    if (!redis) return skip('this machine has no redis-server');
    try {
      await redis.kill();
      const worker = start({ REDIS_URL: redis.url });
      await worker.printed('It may still be starting: retrying for 60 s.');
      await redis.restart();
      await worker.printed('Working. Press Ctrl-C to stop.');
      expect(await stop(worker)).toBe(0);
    } finally {
      await redis.stop();
    }
  }, 60_000);

  test('stops at once when it is told to while it waits', async () => {
    const worker = start({ DATABASE_URL: atPort(await findFreePort()) });
    await worker.printed('It may still be starting');
    expect(await stop(worker)).toBe(0);
  }, 60_000);

  test('does not wait for what a person has to mend', async () => {
    const url = new URL(cli.databaseUrl);
    url.pathname = '/no_such_database';
    const { exitCode, err } = await start({ DATABASE_URL: url.href }).ended;
    expect(exitCode).toBe(3);
    expect(err).not.toContain('retrying');
  }, 60_000);
});

test('a command that ends after its work does not wait', async () => {
  const { exitCode, err } = await cli.start(['status'], { DATABASE_URL: atPort(await findFreePort()) }).ended;
  expect(exitCode).toBe(3);
  expect(err).not.toContain('retrying');
}, 60_000);
