import { expect, test } from 'vitest';
import { isWhole } from '../support/whole-proof.ts';
import { runSoak } from './run-soak.ts';

test.runIf(isWhole)(
  'a soak of a minute measures everything, and every PO is ordered exactly once',
  async () => {
    const { samples, judgements } = await runSoak({ minutes: 1, seed: 3 });
    // A run of one minute is too short to judge growth, which takes ten.
    expect(judgements.filter(({ kept }) => kept === false)).toEqual([]);
    expect(judgements.filter(({ kept }) => kept === true).map(({ text }) => text.split(':')[0])).toEqual([
      'Exactly once',
      'Held',
      'The worker ran to the end.',
      'Everything took part',
    ]);
    const last = samples.at(-1)!;
    for (const value of Object.values(last)) if (value !== undefined) expect(value).toBeGreaterThan(0);
    expect(last.ordered).toBeGreaterThan(samples[0]!.ordered);
  },
  600_000,
);

test('a soak that is interrupted stops everything and says what it measured', async () => {
  const stop = new AbortController();
  const { samples, judgements, interrupted } = await runSoak({
    minutes: 60,
    seed: 4,
    signal: stop.signal,
    onSample: ({ ordered }) => {
      if (ordered > 0) stop.abort();
    },
  });
  expect(interrupted).toBe(true);
  expect(samples.at(-1)!.ordered).toBeGreaterThan(0);
  expect(judgements[0]).toMatchObject({ kept: true });
}, 600_000);
