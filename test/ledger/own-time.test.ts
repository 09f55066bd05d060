import { pbkdf2 } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ownTime } from '../../src/ledger/own-time.ts';

const block = (forMs: number): void => {
  const until = performance.now() + forMs;
  while (performance.now() < until);
};

/** Keeps every thread of the pool busy until it is stopped. */
const occupyThreads = () => {
  let isOver = false;
  const work = (): Promise<void> =>
    new Promise((resolve) => {
      pbkdf2('password', 'salt', 600_000, 32, 'sha256', () => resolve(isOver ? undefined : work()));
    });
  const all = Promise.all(Array.from({ length: 8 }, work));
  return async () => {
    isOver = true;
    await all;
  };
};

test('passes by the clock in a process that runs', async () => {
  const startedAt = performance.now();
  const { passed, stop } = ownTime(300, 30_000);
  expect(await passed).toBe('over');
  expect(performance.now() - startedAt).toBeGreaterThan(250);
  stop();
});

test('does not pass while the process is blocked', async () => {
  const { passed, stop } = ownTime(400, 30_000);
  block(1500);
  const first = await Promise.race([passed, sleep(200).then(() => 'not yet')]);
  expect(first).toBe('not yet');
  expect(await passed).toBe('over');
  stop();
});

test('does not pass while all threads of the pool are taken, and says at last that the process is starved', async () => {
  const release = occupyThreads();
  const { passed, stop } = ownTime(1000, 2000);
  try {
    expect(await passed).toBe('starved');
  } finally {
    stop();
    await release();
  }
}, 60_000);
