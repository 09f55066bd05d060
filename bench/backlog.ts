import net, { type AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Figure } from './support/figures.ts';
import { startScene } from './support/scene.ts';

/** Measures the queue after this time even if it still grows. */
const growMs = 120_000;

/** One field of Redis's INFO, as a number. */
const readInfo = async (redis: Redis, field: string): Promise<number> =>
  Number(new RegExp(`^${field}:([\\d.]+)`, 'm').exec(await redis.info())![1]);

/**
 * The memory of Redis while POs wait for a service that does not answer. Imports a file of POs as usual, and measures the
 * queue once it has stopped growing.
 *
 * @param options.pos POs that wait
 */
const waiting = async (
  pos: number,
): Promise<{ bytes: number; keys: number; grewFor: number } | undefined> => {
  const sockets = new Set<net.Socket>();
  const silent = net.createServer((socket) => {
    sockets.add(socket.on('error', () => {}).resume());
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const { port } = silent.address() as AddressInfo;
  const scene = await startScene({
    queue: 'redis',
    services: {},
    accounts: () => ({ default: { baseUrl: `http://127.0.0.1:${port}`, requestTimeout: '10m' } }),
  });
  if (!scene) return undefined;
  const redis = new Redis(scene.redisUrl!);
  try {
    await scene.start();
    await scene.drop('default', 'WAIT', pos, 1);
    while ((await scene.untilPlaced('WAIT', 0)).of < pos) await sleep(250);
    const begin = performance.now();
    let keys = -1;
    for (;;) {
      const now = await redis.dbsize();
      const grewFor = performance.now() - begin;
      if (now === keys || grewFor > growMs)
        return { bytes: await readInfo(redis, 'used_memory'), keys: now, grewFor };
      keys = now;
      await sleep(3_000);
    }
  } finally {
    redis.disconnect();
    await scene.stop();
    silent.close();
    for (const socket of sockets) socket.destroy();
  }
};

/** @param options.many number of POs in the large file */
export const run = async (options: { many?: number } = {}): Promise<Figure[]> => {
  const { many = 1_000_000 } = options;
  const few = 10_000;
  const small = await waiting(few);
  const large = await waiting(many);
  if (!small || !large) return [{ name: 'backlog', value: 'skipped: this machine has no redis-server' }];
  const megabytes = (bytes: number) => bytes / 1024 / 1024;
  return [
    { name: `Redis while ${few} POs wait (MB)`, value: megabytes(small.bytes) },
    { name: `Redis while ${few} POs wait: keys`, value: small.keys },
    { name: `Redis while ${many} POs wait (MB)`, value: megabytes(large.bytes) },
    { name: `Redis while ${many} POs wait: keys`, value: large.keys },
    ...(large.grewFor > growMs
      ? [{ name: `Redis while ${many} POs wait`, value: `still growing after ${growMs / 1000} s` }]
      : []),
    {
      name: `Redis while ${many} POs wait / while ${few} wait`,
      value: large.bytes / small.bytes,
      target: '<= 1.1',
    },
  ];
};
