import { expect, test } from 'vitest';
import { simulate } from './simulate.ts';

test('a seed decides everything: it can be replayed by its number', async () => {
  const traceOf = async (seed: number): Promise<string[]> => {
    const told: string[] = [];
    await simulate(seed, (text) => told.push(text));
    return told;
  };
  for (const seed of [4, 5, 1234, 4321]) {
    const told = await traceOf(seed);
    expect(told.length).toBeGreaterThan(3);
    expect(await traceOf(seed)).toEqual(told);
  }
});
