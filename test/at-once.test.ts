import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTurns } from '../src/at-once.ts';

/** Work that runs until `end` is called. */
const createWork = () => {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  return {
    begun,
    work: (name: string) => () =>
      new Promise<string>((resolve) => {
        begun.push(name);
        ends.set(name, () => resolve(name));
      }),
    end: async (name: string) => {
      ends.get(name)!();
      await sleep(0);
    },
  };
};

test('so much work runs at the same time, and others follow in the order in which they came', async () => {
  const turns = createTurns(2);
  const { begun, work, end } = createWork();
  const done = ['a', 'b', 'c', 'd'].map((name) => turns(work(name)));
  await sleep(0);
  expect(begun).toEqual(['a', 'b']);
  await end('b');
  expect(begun).toEqual(['a', 'b', 'c']);
  await end('c');
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
  await end('a');
  await end('d');
  expect(await Promise.all(done)).toEqual(['a', 'b', 'c', 'd']);
});

test('work that fails gives its turn to the next, and a turn that nobody waits for is free again', async () => {
  const turns = createTurns(1);
  const { begun, work, end } = createWork();
  const failed = turns(() => Promise.reject(new Error('no')));
  const next = turns(work('next'));
  await expect(failed).rejects.toThrow('no');
  await sleep(0);
  expect(begun).toEqual(['next']);
  await end('next');
  expect(await next).toBe('next');
  const late = turns(work('late'));
  await sleep(0);
  expect(begun).toEqual(['next', 'late']);
  await end('late');
  expect(await late).toBe('late');
});
