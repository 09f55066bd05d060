import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { findPlace } from '../../src/embedded/place.ts';
import { readPostmasterFile } from '../../src/embedded/postmaster.ts';
import { faultsGiven } from '../../src/service/read-audit.ts';
import { heldOf, summarise } from '../support/judge.ts';
import type { TestRedis } from '../support/redis.ts';
import { until } from '../support/run-system.ts';
import { planFiles } from './asked.ts';
import { startCrew } from './crew.ts';
import { startDealing } from './do-deeds.ts';
import { giveVerdict } from './give-verdict.ts';
import { type ChaosPlan, createRandom, orderMishaps } from './plan.ts';
import { faulty, locked, type Scene, startScene, troubled } from './scene.ts';

/** Longer than lease, request timeout and settle together: another worker takes over meanwhile. */
const standstillMs = 9000;
/** Pauses and lookups after the last mishap are done by then. */
const drainLimitMs = 60_000;
const heldLimit = 0.01;

export interface ChaosResult {
  lines: string[];
  /** What was promised and not kept; empty when all is well. */
  failures: string[];
}

/** How many POs of these accounts have a next step, and how many files nobody has read; undefined while the ledger is away. */
const openWork = async (
  { system }: Scene,
  imports: number,
  accounts: readonly string[],
): Promise<number | undefined> => {
  const { rows } = await system.ledger
    .query<{ open: number; read: number }>(
      // A quote may be taken twice, where the ledger went away in the middle of the first time.
      `select (select count(distinct (account, file_name))::int from imports where state <> 'taken') as read,
         (select count(*)::int from purchase_orders where account = any($1) and state in
           ('ready', 'cart_created', 'items_added', 'submitting', 'verifying')) as open`,
      [accounts],
    )
    .catch(() => ({ rows: [] }));
  return rows[0] && rows[0].open + Math.max(0, imports - rows[0].read);
};

/**
 * Places thousands of POs while workers, watchers, the ledger's Postgres and the queue are killed, services
 * misbehave, POs are quoted and ordered at once and uploads pause, and judges by the service's own log what became of
 * them.
 * @param options.redis the queue; undefined: it stands in the ledger's Postgres
 */
export const runChaos = async (options: {
  plan: ChaosPlan;
  redis: TestRedis | undefined;
  seed: number;
  say: (line: string) => void;
  /** Ends it: everything that it started is stopped, and it throws. */
  signal?: AbortSignal;
}): Promise<ChaosResult> => {
  const { plan, redis, seed, say, signal } = options;
  const random = createRandom(seed);
  const closers: (() => Promise<unknown>)[] = [];
  try {
    const scene = await startScene(redis, random);
    closers.push(scene.stop);
    const { system, service, dataFolder } = scene;
    const asked = planFiles(plan, seed);
    scene.setFaults(plan.faultShare, seed);
    const crew = await startCrew(system, plan.workers, plan.watchers);
    closers.push(() => crew.stop());
    const dealing = await startDealing(scene, random, signal);
    closers.push(() => dealing.stop());

    const mishaps = orderMishaps(plan, redis !== undefined, random);
    // Files come until two thirds of the mishaps have happened.
    let done = 0;
    const deedsUntil = async (share: number): Promise<void> => {
      const { deeds } = asked;
      for (; done < Math.min(deeds.length, Math.ceil(deeds.length * share)); done += 1) {
        await dealing.perform(deeds[done]!);
      }
    };
    const restartPostgres = async (): Promise<void> => {
      const file = await readPostmasterFile(await findPlace(dataFolder));
      // Immediate, or worse: its owners start it again.
      if (file) process.kill(file.pid, random() < 0.5 ? 'SIGQUIT' : 'SIGKILL');
    };
    const happened: Record<string, number> = {};
    const startedAt = performance.now();
    const seconds = () => Math.round((performance.now() - startedAt) / 1000);
    for (const [at, mishap] of mishaps.entries()) {
      await deedsUntil(((at + 1) / mishaps.length) * 1.5);
      await sleep(plan.betweenMishapsMs * (0.5 + random()), undefined, { signal });
      if (mishap === 'kill') crew.kill(random);
      else if (mishap === 'standstill') crew.standStill(random, standstillMs);
      else if (mishap === 'postgres') await restartPostgres();
      else if (mishap === 'redis') await redis!.restart();
      else {
        const client = new Redis(redis!.url);
        await client.flushall();
        client.disconnect();
      }
      happened[mishap] = (happened[mishap] ?? 0) + 1;
      if (at % 10 === 9) say(`  ${at + 1} of ${mishaps.length} mishaps after ${seconds()} s`);
    }
    await deedsUntil(1);
    await crew.settle();
    await dealing.settle();
    // The last faults meet the last POs: what is drained then is what they left, not a backlog. With no PO left there
    // will be no more faults: too few of them is then said below, and not waited for.
    const nearlyDone = async () => {
      const left = await openWork(scene, asked.imports, faulty);
      return left === 0 || (left! <= plan.purchaseOrders * 0.02 && scene.faultsGiven() >= plan.faults);
    };
    const stormed = async () =>
      Object.values(scene.proxy.given).every((count) => count > 0) ||
      (await openWork(scene, asked.imports, [troubled])) === 0;
    const giveUpAt = performance.now() + 600_000;
    while (!((await nearlyDone()) && (await stormed())) && performance.now() < giveUpAt)
      await sleep(200, undefined, { signal });
    scene.setFaults(0, seed);
    scene.proxy.calm();
    const lastFaultAt = performance.now();
    say(`  the last fault was given after ${seconds()} s`);
    const accounts = [...asked.pos.keys()].filter((name) => name !== locked);
    await until(async () => (await openWork(scene, asked.imports, accounts)) === 0, {
      limitMs: 300_000,
      tell: system.tell,
    });
    const drainedMs = performance.now() - lastFaultAt;

    const verdict = await giveVerdict(scene, asked);
    const kinds = await faultsGiven(service.pool);
    const faults = Object.values(kinds).reduce((sum, count) => sum + count, 0);
    const failures = [...verdict.failures];
    const expectThat = (holds: boolean, failure: string) => void (holds || failures.push(failure));
    for (const what of ['lost', 'double', 'wrong'] as const) {
      const found = [...verdict.faulty[what], ...verdict.beside[what]];
      expectThat(found.length === 0, `${what}: ${found.slice(0, 5).join('; ')}`);
    }
    const held = heldOf(verdict.faulty);
    expectThat(
      held <= verdict.faulty.asked * heldLimit,
      `${held} of ${verdict.faulty.asked} held: ${JSON.stringify(verdict.faulty.held)}`,
    );
    const refused = { ...verdict.faulty.refused, ...verdict.beside.refused };
    expectThat(Object.keys(refused).length === 0, `refused: ${JSON.stringify(refused)}`);
    expectThat(
      drainedMs <= drainLimitMs,
      `drained only ${Math.round(drainedMs / 1000)} s after the last fault`,
    );
    expectThat(faults >= plan.faults, `${faults} faults instead of ${plan.faults}`);
    expectThat(Object.keys(kinds).length >= 14, `${Object.keys(kinds).length} kinds of faults`);
    for (const [way, count] of Object.entries(scene.proxy.given)) {
      expectThat(count > 0, `the bad proxy never gave ${way}`);
    }
    expectThat(crew.endedByThemselves() === 0, `${crew.endedByThemselves()} processes ended by themselves`);
    return {
      lines: [
        `queue on ${redis ? 'Redis' : 'Postgres'}, seed ${seed}: ${seconds()} s, drained ${Math.round(drainedMs / 1000)} s after the last fault`,
        `  ${faults} HTTP faults of ${Object.keys(kinds).length} kinds; mishaps: ${JSON.stringify(happened)}; each of ${plan.files} files dropped twice, most of them quoted too`,
        `  ${summarise(verdict.faulty)}`,
        ...verdict.lines.map((line) => `  ${line}`),
      ],
      failures,
    };
  } finally {
    for (const close of closers.reverse()) await close();
  }
};
