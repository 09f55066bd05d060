import { expect, test } from 'vitest';
import { simulate } from './simulate.ts';

test('a simulation is determined by its seed: a second run takes the same steps', async () => {
  const traceOf = async (seed: number): Promise<string[]> => {
    const steps: string[] = [];
    await simulate(seed, (text) => steps.push(text));
    return steps;
  };
  for (const seed of [4, 5, 1234, 4321]) {
    const steps = await traceOf(seed);
    expect(steps.length).toBeGreaterThan(3);
    expect(await traceOf(seed)).toEqual(steps);
  }
});
