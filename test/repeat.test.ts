import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { repeat } from '../src/repeat.ts';

/** Work that ends when the test says so. */
const createWork = () => {
  const ends: ((waitMs?: number) => void)[] = [];
  const work = vi.fn(() => new Promise<number | undefined>((resolve) => ends.push(resolve)));
  const end = async (waitMs?: number) => {
    ends.shift()!(waitMs);
    await sleep(0);
  };
  return { work, end };
};
const failed = () => expect.unreachable();

test('asked for while it is done, it is done once more afterwards, and never twice at the same time', async () => {
  const { work, end } = createWork();
  const loop = repeat(work, { everyMs: 60_000, failed });
  expect(work).toHaveBeenCalledTimes(1);
  loop.now();
  loop.now();
  expect(work).toHaveBeenCalledTimes(1);
  await end();
  expect(work).toHaveBeenCalledTimes(2);
  await end();
  expect(work).toHaveBeenCalledTimes(2);
  loop.now();
  expect(work).toHaveBeenCalledTimes(3);
  await Promise.all([loop.stop(), end()]);
});

test('the work itself can say when it is done next', async () => {
  const { work, end } = createWork();
  const loop = repeat(work, { everyMs: 60_000, firstMs: 1, failed });
  expect(work).not.toHaveBeenCalled();
  await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(1));
  await end(1);
  await vi.waitFor(() => expect(work).toHaveBeenCalledTimes(2));
  await Promise.all([loop.stop(), end()]);
});

test('an error is passed on, and the work is done again', async () => {
  const errors = vi.fn();
  const work = vi.fn().mockRejectedValueOnce('away').mockResolvedValue(undefined);
  const loop = repeat(work, { everyMs: 1, failed: errors });
  await vi.waitFor(() => expect(work.mock.calls.length).toBeGreaterThan(1));
  expect(errors.mock.calls).toEqual([['away']]);
  await loop.stop();
});

test('stopped, it ends what is being done, and does nothing more', async () => {
  const { work, end } = createWork();
  const loop = repeat(work, { everyMs: 1, failed });
  const [isStopped] = work.mock.calls[0] as unknown as [() => boolean];
  expect(isStopped()).toBe(false);
  loop.now();
  let ended = false;
  const stopping = loop.stop().then(() => {
    ended = true;
  });
  await sleep(5);
  expect([isStopped(), ended]).toEqual([true, false]);
  await end();
  await stopping;
  loop.now();
  await sleep(5);
  expect(work).toHaveBeenCalledTimes(1);
});
