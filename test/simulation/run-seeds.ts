import { isWhole } from '../support/whole-proof.ts';
import type { Verdict } from './judge.ts';
import { simulate } from './simulate.ts';

/** `SIMULATION_SEED=7` replays that seed and prints every step; `SIMULATION_SEEDS` sets the number of seeds. */
const { SIMULATION_SEED: replayed, SIMULATION_SEEDS: count = isWhole ? '30000' : '12000' } = process.env;

export interface SeedsRun {
  purchaseOrders: number;
  met: Verdict['met'];
  /** Number of POs held without a cause in their plan, by reason code. */
  held: Record<string, number>;
  /** The first seeds that broke the promise, with the error and how to replay it. */
  broken: string[];
}

const print = (text: string): void => {
  process.stdout.write(`${text}\n`);
};

/** Simulates this suite's half of the seeds: the even or the odd ones. */
export const runSeeds = async (half: 'even' | 'odd'): Promise<SeedsRun> => {
  const run: SeedsRun = {
    purchaseOrders: 0,
    met: { rebuilt: 0, unknownSubmission: 0, resubmitted: 0, ordered: 0 },
    held: {},
    broken: [],
  };
  const first = half === 'even' ? 0 : 1;
  const seeds =
    replayed === undefined
      ? Array.from({ length: Math.ceil(Number(count) / 2) }, (_, at) => 2 * at + first)
      : [Number(replayed)].filter((seed) => seed % 2 === first);
  for (const seed of seeds) {
    const { wrongs, held, purchaseOrders, met } = await simulate(
      seed,
      replayed === undefined ? undefined : print,
    );
    run.purchaseOrders += purchaseOrders;
    for (const event of Object.keys(met) as (keyof typeof met)[]) run.met[event] += met[event];
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

/** Whether each kind of event happened to at least one PO in a hundred; always true for a single replayed seed. */
export const metEveryEvent = ({ met, purchaseOrders }: SeedsRun): boolean =>
  replayed !== undefined || Object.values(met).every((count) => count > purchaseOrders / 100);

/** Always true for a single replayed seed. */
export const heldShare = ({ held, purchaseOrders }: SeedsRun): number =>
  replayed !== undefined
    ? 0
    : Object.values(held).reduce((sum, count) => sum + count, 0) / Math.max(1, purchaseOrders);
