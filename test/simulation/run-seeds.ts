import type { Verdict } from './judge.ts';
import { simulate } from './simulate.ts';

/** `SIMULATION_SEED=7` replays that seed and tells every step; `SIMULATION_SEEDS` says how many are run. */
const { SIMULATION_SEED: replayed, SIMULATION_SEEDS: count = '30000' } = process.env;

export interface SeedsRun {
  purchaseOrders: number;
  went: Verdict['went'];
  /** How many POs were held without a cause of their own, by reason code. */
  held: Record<string, number>;
  /** The first seeds that broke the promise, with what went wrong and how to see it. */
  broken: string[];
}

const tell = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** Simulates this suite's half of the seeds: the even or the odd ones. */
export const runSeeds = async (half: 'even' | 'odd'): Promise<SeedsRun> => {
  const run: SeedsRun = {
    purchaseOrders: 0,
    went: { rebuilt: 0, unknownSubmission: 0, resubmitted: 0, ordered: 0 },
    held: {},
    broken: [],
  };
  const first = half === 'even' ? 0 : 1;
  const seeds =
    replayed === undefined
      ? Array.from({ length: Math.ceil(Number(count) / 2) }, (_, at) => 2 * at + first)
      : [Number(replayed)].filter((seed) => seed % 2 === first);
  for (const seed of seeds) {
    const { wrongs, held, purchaseOrders, went } = await simulate(
      seed,
      replayed === undefined ? undefined : tell,
    );
    run.purchaseOrders += purchaseOrders;
    for (const way of Object.keys(went) as (keyof typeof went)[]) run.went[way] += went[way];
    for (const code of held) run.held[code] = (run.held[code] ?? 0) + 1;
    if (wrongs.length > 0) {
      run.broken.push(
        `seed ${seed}: ${wrongs.join('; ')} (SIMULATION_SEED=${seed} npx vitest run test/simulation)`,
      );
      if (run.broken.length === 10) break;
    }
  }
  return run;
};

/** Whether what is to be survived happened at all, to one PO in a hundred at least. Of one replayed seed it says nothing. */
export const wentThrough = ({ went, purchaseOrders }: SeedsRun): boolean =>
  replayed !== undefined || Object.values(went).every((count) => count > purchaseOrders / 100);

/** Of one replayed seed it says nothing. */
export const heldShare = ({ held, purchaseOrders }: SeedsRun): number =>
  replayed !== undefined
    ? 0
    : Object.values(held).reduce((sum, count) => sum + count, 0) / Math.max(1, purchaseOrders);
